"""The widgets. They receive values and post messages; none knows the app, the session or the disk."""
