"""The terminal: what is written to it and when, the clipboard, and Ctrl+Z."""
