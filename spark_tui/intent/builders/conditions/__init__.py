"""Comparisons, operators and conditions."""
