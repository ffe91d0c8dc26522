"""A model in this process: its prompt format, its cache and its thread."""
