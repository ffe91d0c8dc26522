"""Names and where they come from: renames, moves and imports."""
