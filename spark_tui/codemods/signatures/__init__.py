"""Edits of function heads and of the arguments of calls."""
