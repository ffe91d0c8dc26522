"""The one place in a file that quoted lines mean, also after earlier edits of the same answer."""
