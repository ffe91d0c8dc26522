"""Fixes of errors that were seen, from the message and the place where it was raised."""
