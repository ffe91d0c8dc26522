"""Instructions from templates: the grammar, the tables, and other words for the same."""
