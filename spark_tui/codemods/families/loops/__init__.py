"""Loops over what an index, a key or a counter only looks up."""
