"""A counter to work on, and answers that change it."""

import pytest
from support.job_runs import commit_all, record


@pytest.fixture
def counter(tmp_path):
    root = tmp_path / "counter"
    root.mkdir()
    (root / "count.py").write_text("STEP = 1\nLIMIT = 10\n\n\ndef up(n):\n    return n + STEP\n")
    (root / "other.py").write_text("NAME = 'a'\n")
    commit_all(root)
    return root


@pytest.fixture
def answers(tmp_path):
    folder = tmp_path / "answers"
    folder.mkdir()
    record(folder, 1, "change STEP to 2", "*** count.py\n@@ 1,2\n+STEP = 2\n")
    record(folder, 2, "change LIMIT to 99", "*** count.py\n@@ 2,3\n+LIMIT = 99\n")
    record(folder, 3, "rename NAME in other", "*** other.py\n@@ 1,2\n+TITLE = 'a'\n")
    record(folder, 4, "leave everything alone", "*** count.py\n@@ no-edit\n")
    record(folder, 5, "grep fails now LIMIT is gone", "*** count.py\n@@ 2,3\n+LIMIT = 11\n")
    return folder
