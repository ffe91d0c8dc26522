"""What a connected model is told, and the tools that it calls."""
