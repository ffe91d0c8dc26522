"""Causes of what a message says goes wrong: code that commonly does that, and its repair."""
