"""The user's tree: files, git, atomic apply, checkpoints."""
