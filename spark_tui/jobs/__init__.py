"""Background jobs: a worker in its own git worktree, whose hunks come back for review."""
