"""Random calls of exact edits, by what they edit."""
