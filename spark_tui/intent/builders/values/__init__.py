"""Another value, setting, entry or argument."""
