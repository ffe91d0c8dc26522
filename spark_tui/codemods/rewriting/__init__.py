"""Edits of expressions and statements, and whether they mean the same."""
