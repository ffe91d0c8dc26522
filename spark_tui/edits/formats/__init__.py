"""One class a format; each turns text into hunk events while it arrives."""
