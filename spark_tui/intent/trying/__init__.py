"""Repairs that are found by trying them: a test fails, or a message shows what a call should give."""
