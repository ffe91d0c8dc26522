"""Fixtures that every room shares: an empty home, a repository to edit, and the property-test profiles."""

import os
import shutil
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.git_command import git

CHECKOUT = Path(__file__).resolve().parent.parent

# Deadlines measure the machine, not the law; a shared two-core machine misses them at random.
_QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# The default run draws the same examples every time and so speaks of the change alone; the slow one draws
# anew.
settings.register_profile("default", max_examples=60, derandomize=True, **_QUIET)
settings.register_profile("slow", max_examples=1000, **_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def homes(tmp_path_factory):
    """Names of folders, counted here: pytest looks at all that stand already for each that it makes."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def empty_home(homes, monkeypatch):
    """Nobody's own settings, git identity or sessions reach a test, and none are left behind."""
    home = next(homes)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("SPARK_", "XDG_", "GIT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A Person")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "person@example.com")
    return home


@pytest.fixture
def repo(tmp_path):
    """A committed repository with the example application in it."""
    root = tmp_path / "shop"
    shutil.copytree(CHECKOUT / "examples" / "shop", root, ignore=shutil.ignore_patterns("__pycache__"))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Start")
    return root
