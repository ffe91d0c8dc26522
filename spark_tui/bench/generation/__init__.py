"""What a bench has a model generate, and what it takes."""
