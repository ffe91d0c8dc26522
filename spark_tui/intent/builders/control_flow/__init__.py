"""Guards, returns, and rounds of loops."""
