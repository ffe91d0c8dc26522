"""A small shop in a JSON file."""

__version__ = "0.3.0"
