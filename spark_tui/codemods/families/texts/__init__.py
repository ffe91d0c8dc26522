"""Texts in code: comments, docstrings and strings."""
