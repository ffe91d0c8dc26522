"""What a client reads: a turn's text and edits in the form of its API."""
