"""Facts from the code alone: the type of a name or an expression, whether it may be None, where it is set."""
