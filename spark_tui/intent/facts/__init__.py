"""What the code alone tells of a name or an expression: its type, whether it may be None, where it is set."""
