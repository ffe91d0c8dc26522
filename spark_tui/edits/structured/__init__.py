"""Edits that are written as data: JSON, tags, the arguments of a tool call."""
