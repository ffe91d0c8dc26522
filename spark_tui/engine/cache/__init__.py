"""Keys and values of earlier tokens: the pages, the sequences that share them, and pages on disk."""
