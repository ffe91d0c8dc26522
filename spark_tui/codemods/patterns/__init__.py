"""Code with holes: forms, where they stand, and when two forms do the same."""
