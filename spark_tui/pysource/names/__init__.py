"""Which name means what in one file."""
