"""Which file is open, which hunk is the current one, and the way between them."""
