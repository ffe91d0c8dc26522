"""One engine for many turns at once: each pass takes rows of all that run."""
