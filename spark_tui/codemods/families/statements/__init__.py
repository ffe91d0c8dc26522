"""Statements: added, moved, guarded, logged, and put into `try` and `with`."""
