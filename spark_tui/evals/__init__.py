"""Measures how good a model's edits are. `spark eval` runs a suite."""
