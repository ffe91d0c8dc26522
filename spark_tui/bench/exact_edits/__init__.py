"""Exact edits compared with other tools, and how long their plans take."""
