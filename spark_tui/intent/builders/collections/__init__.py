"""Loops, sorting, counting, copies, and queries of databases."""
