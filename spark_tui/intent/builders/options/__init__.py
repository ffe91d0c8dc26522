"""Options of a command line."""
