"""Ids in, tokens out: a transformer in numpy."""
