"""Edits without a model on the workbench: commands, offers, and typing in a file."""
