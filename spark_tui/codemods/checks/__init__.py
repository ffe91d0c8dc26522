"""What a change breaks, whoever made it."""
