"""Symbols, and where they are used: calls, references, strings, and places that cannot be followed."""
