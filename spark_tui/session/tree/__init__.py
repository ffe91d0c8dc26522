"""The working tree of a session: read, checked and written."""
