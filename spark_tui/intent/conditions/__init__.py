"""Conditions in words: `qty is negative` becomes `qty < 0`, with the names of the code at hand."""
