"""Code that is drawn from templates, or made other by its names and numbers."""
