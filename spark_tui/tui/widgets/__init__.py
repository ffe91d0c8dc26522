"""What is drawn. Widgets receive values and post intents; none knows the app, the session or the disk."""
