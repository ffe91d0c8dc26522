"""Long-horizon jobs: a worker in a git worktree of its own, whose hunks come back for review."""
