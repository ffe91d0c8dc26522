"""Models on a server: one file for each protocol."""
