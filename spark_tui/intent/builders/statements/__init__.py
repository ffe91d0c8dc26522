"""Statements and lines: inserted, put in another order, rewritten."""
