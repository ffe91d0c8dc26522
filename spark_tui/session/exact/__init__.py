"""Exact edits that a person asks for by a command, as turns."""
