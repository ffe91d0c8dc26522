"""Messages: what a text is about, and how values are put into it in the form in which it is built."""
