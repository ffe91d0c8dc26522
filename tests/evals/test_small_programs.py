"""The tasks in small programs are sound: right results parse, pass their checks and change what is asked."""

from __future__ import annotations

import ast
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from support.run_checks import outcomes

FOLDER = Path(__file__).parents[1] / "cases" / "small_programs"

# Some of the programs have texts with escapes that mean nothing.
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")


def tasks(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.filterwarnings("ignore:invalid escape sequence")
@pytest.mark.parametrize(("name", "count"), [("mended", 609), ("aside", 205)])
def test_each_has_its_own_name_and_a_right_result_that_parses(name: str, count: int) -> None:
    found = tasks(name)
    assert len(found) == count == len({task["id"] for task in found})
    for task in found:
        assert task.get("expect") in (None, "no_edit", "cannot")
        assert (task["after"] == task["before"]) is ("expect" in task), task["id"]
        for right in (task["after"], *task.get("accept", ())):
            ast.parse(right)


@pytest.mark.parametrize(("name", "count"), [("messages_mended", 285), ("messages_aside", 101)])
def test_each_message_changes_an_edit_of_a_task(name: str, count: int) -> None:
    found = tasks(name)
    edits = {(task["before"], task["after"]) for task in tasks(name.removeprefix("messages_"))}
    assert len(found) == count == len({case["id"] for case in found})
    for case in found:
        assert (case["before"], case["after_first"]) in edits, case["id"]
        assert (case["after_steer"] == case["before"]) is (case["kind"] == "undo"), case["id"]
        assert (case["after_steer"] == case["after_first"]) is (case["kind"] == "question"), case["id"]
        for right in (case["after_steer"], *case.get("accept", ())):
            ast.parse(right)


def test_what_is_kept_aside_was_asked_about_other_programs() -> None:
    assert not {task["before"] for task in tasks("mended")} & {task["before"] for task in tasks("aside")}


@pytest.mark.parametrize("name", ["mended", "aside"])
def test_checks_pass_on_every_right_result_and_fail_on_what_stood_there(name: str) -> None:
    checked = [task for task in tasks(name) if "check" in task]
    right = [
        (text, task["check"], task["id"])
        for task in checked
        for text in (task["after"], *task.get("accept", ()))
    ]
    failed = zip(right, outcomes([(text, check) for text, check, _ in right]), strict=True)
    assert [(case[2], why) for case, why in failed if why] == []
    before = outcomes([(task["before"], task["check"]) for task in checked])
    assert [task["id"] for task, why in zip(checked, before, strict=True) if not why] == []
