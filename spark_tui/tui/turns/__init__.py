"""Between the screen and the session: turns run, decisions carried over, and what is known of both."""
