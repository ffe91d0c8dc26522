"""Text in, patches out: streaming parsers, hunks, review, patch."""
