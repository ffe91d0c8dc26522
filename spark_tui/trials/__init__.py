"""Tries code and its tests in a process of its own, with limits. Knows nothing of the rest."""
