"""What stands below a file: Python's parser and tokens, f-strings, and the nodes of a tree."""
