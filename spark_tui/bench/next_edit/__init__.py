"""Real histories replayed edit by edit, and what was offered at each."""
