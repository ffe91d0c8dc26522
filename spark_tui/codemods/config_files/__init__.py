"""Keys of configuration files: `editing` sets and removes them, one module a format."""
