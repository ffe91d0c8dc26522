"""spark: a pair programmer for the terminal that edits inside the file, token by token."""

__version__ = "0.1.0"
