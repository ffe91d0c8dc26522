"""Messages after an edit: another value, another place, one more place, one place less, one more thing."""
