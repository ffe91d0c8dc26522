"""What the built-in model's answers go through before they are offered."""
