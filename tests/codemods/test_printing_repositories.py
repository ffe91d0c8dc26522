"""Programs of several files print the same after an edit that is to change nothing, or the edit is marked or
refused."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import parse
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CASES = tomllib.loads(Path(__file__).with_name("printing_repositories.toml").read_text("utf-8"))["case"]


def printed(folder: Path, files: Mapping[str, str | None]) -> str:
    """What `main.py` prints among these files, with the last line of its traceback."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text or "", "utf-8", newline="")
        if text is None:
            (folder / path).unlink()
    done = subprocess.run(
        [sys.executable, "-B", "-S", "-W", "ignore", "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + (done.stderr.strip().rpartition("\n")[2] if done.returncode else "")


@pytest.mark.parametrize("case", CASES, ids=[f"{at}-{case['call']}" for at, case in enumerate(CASES)])
def test_a_repository_prints_the_same_or_the_edit_says_why_not(case, tmp_path):
    repo = Repository(DictTree(case["files"]))
    plan = parse(case["call"]).plan(repo)
    if isinstance(plan, Refused):
        assert case["outcome"] == "refused"
        return
    plan = checked(plan, repo)
    assert case["outcome"] == ("same" if plan.unmarked else "marked")
    if plan.unmarked:
        before = printed(tmp_path, case["files"])
        assert before
        assert "Error" not in before
        assert before == printed(tmp_path, plan.texts(repo))
