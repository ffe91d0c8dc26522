"""Fixes of observed errors, from the message and the place where it was raised."""
