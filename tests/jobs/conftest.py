"""A counter to work on, and answers that change it."""

import pytest
from support.job_runs import recorded
from support.job_starter import job_starter
from support.small_repositories import committed

from spark_tui.jobs import launcher


@pytest.fixture(scope="session")
def starter():
    with job_starter() as made:
        yield made


@pytest.fixture(autouse=True)
def jobs_start_at_once(request, starter, monkeypatch):
    """Of the tests of the start itself each job loads its own worker."""
    if request.path.stem != "test_launcher":
        monkeypatch.setattr(launcher, "_spawn", starter.spawn)


@pytest.fixture
def counter(tmp_path):
    count = "STEP = 1\nLIMIT = 10\n\n\ndef up(n):\n    return n + STEP\n"
    return committed(tmp_path / "counter", {"count.py": count, "other.py": "NAME = 'a'\n"})


@pytest.fixture
def answers(tmp_path):
    return recorded(
        tmp_path / "answers",
        ("change STEP to 2", "*** count.py\n@@ 1,2\n+STEP = 2\n"),
        ("change LIMIT to 99", "*** count.py\n@@ 2,3\n+LIMIT = 99\n"),
        ("rename NAME in other", "*** other.py\n@@ 1,2\n+TITLE = 'a'\n"),
        ("leave everything alone", "*** count.py\n@@ no-edit\n"),
        ("grep fails now LIMIT is gone", "*** count.py\n@@ 2,3\n+LIMIT = 11\n"),
    )
