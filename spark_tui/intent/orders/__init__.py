"""Several orders in one instruction: each is done on what the one before left."""
