"""Lines of text: typed into, coloured, searched, and safe to show."""
