"""Messages behind an edit: another value, another place, also there, not there, one more thing."""
