"""The files of a repository: where they come from, what is kept of each, and their index."""
