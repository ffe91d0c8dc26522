"""What the code pane shows: a file, its hunks in place, and what is typed into both."""
