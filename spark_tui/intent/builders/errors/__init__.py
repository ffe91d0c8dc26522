"""Errors: caught, raised, and cleaned up after."""
