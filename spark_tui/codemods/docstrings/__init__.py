"""Docstrings: their lines and the usual styles."""
