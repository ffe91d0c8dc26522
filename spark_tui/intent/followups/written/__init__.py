"""The nodes of what was written: conditions, exits, items and texts."""
