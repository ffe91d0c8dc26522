"""Chooses what the model is shown."""
