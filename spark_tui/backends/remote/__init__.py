"""A model behind a server: one file for each protocol."""
