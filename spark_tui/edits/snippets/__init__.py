"""Code without an edit format: a whole file or parts of one, and where they go."""
