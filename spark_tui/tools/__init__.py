"""What a connected model may call. The room proposes hunks and runs commands in a worktree; it writes nothing
in the user's tree, knows no session, and takes nothing that a tool puts out as an instruction."""
