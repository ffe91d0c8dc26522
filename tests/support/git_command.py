"""Run git in tests."""

import subprocess


def git(folder, *words):
    """Run git in a folder and return what it printed."""
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout
