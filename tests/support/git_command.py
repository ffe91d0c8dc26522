"""Run git in tests."""

import subprocess


def write_hook(root, name, script):
    """Have a repository run a hook in the shell. Its file."""
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    return write_program(hooks / name, script)


def write_program(path, script):
    """A program in the shell."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def git(folder, *words, check=True):
    """Run git in a folder and return what it printed. With `check`, a failure of git is an error."""
    done = subprocess.run(["git", *words], cwd=folder, check=check, capture_output=True, text=True)
    return done.stdout
