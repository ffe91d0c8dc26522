"""Lines of any text file, and keys of configuration files."""
