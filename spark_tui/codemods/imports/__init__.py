"""Import statements, what imports what, and what runs on import."""
