"""Programs print the same after an edit that is to change nothing, or the edit is marked or refused."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import parse
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

FILES = ("printing_programs.toml", "printing_later.toml", "printing_rounds.toml")
CASES = [
    case
    for name in FILES
    for case in tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["case"]
]


def printed(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "ignore", "-c", code], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize("case", CASES, ids=[f"{at}-{case['call']}" for at, case in enumerate(CASES)])
def test_a_program_prints_the_same_or_the_edit_says_why_not(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    repo = Repository(DictTree({"a.py": case["code"]}))
    plan = parse(case["call"]).plan(repo)
    if isinstance(plan, Refused):
        assert case["outcome"] == "refused"
        return
    plan = checked(plan, repo)
    assert case["outcome"] == ("same" if plan.unmarked else "marked")
    if plan.unmarked:
        before = printed(case["code"])
        assert "Error" not in before
        assert before == printed(plan.texts(repo)["a.py"])
