"""What this machine can do at most, and how near a forward pass comes."""
