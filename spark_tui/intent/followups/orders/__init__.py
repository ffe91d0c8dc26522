"""Orders about what was written: moved, one more beside it, or another way instead."""
