"""The Textual workbench, and the screen reader's line mode beside it."""
