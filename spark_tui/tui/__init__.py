"""The Textual workbench, and the line mode for screen readers."""
