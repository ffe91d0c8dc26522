"""What the built-in reader makes of a person's words, as turns."""
