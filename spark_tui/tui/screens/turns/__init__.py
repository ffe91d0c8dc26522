"""Turns on the workbench: what is sent, what is asked, and what came of it."""
