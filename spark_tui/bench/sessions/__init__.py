"""Sessions of many turns, with a model that says what a bench scripts."""
