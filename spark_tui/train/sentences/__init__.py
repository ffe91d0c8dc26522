"""Sentences that ask for an edit: wordings of people, filled with what real code names."""
