"""Run git in tests."""

import subprocess


def git(folder, *words, check=True):
    """Run git in a folder and return what it printed. With `check`, a failure of git is an error."""
    done = subprocess.run(["git", *words], cwd=folder, check=check, capture_output=True, text=True)
    return done.stdout
