"""Settings, the files that hold them, and the folders that everything lives in."""
