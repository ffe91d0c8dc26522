"""Messages, logs, docstrings and comments."""
