"""What a client sends: messages, files in them, its own tools."""
