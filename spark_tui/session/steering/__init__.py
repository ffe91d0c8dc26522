"""Messages about the last turn: whether a message is one, and what it is for."""
