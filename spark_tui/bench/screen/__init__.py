"""The workbench in a terminal of its own, measured from both sides."""
