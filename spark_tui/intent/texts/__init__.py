"""Messages: what a text is about, and how values are formatted into it."""
