"""What is kept of a session: its journal, the files beside it, and the index of all sessions."""
