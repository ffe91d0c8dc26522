"""Signatures and the arguments of calls."""
