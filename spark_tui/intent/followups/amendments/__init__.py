"""Another value, name, error or condition in the place of what was written."""
