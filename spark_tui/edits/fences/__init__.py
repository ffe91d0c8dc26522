"""A fence in an answer: edits that were put in one, and code of a file that is named."""
