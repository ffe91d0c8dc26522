"""The tasks that are kept apart are whole: each has a right result, and says where nothing is to be done."""

from __future__ import annotations

import ast
import json
from pathlib import Path

PATH = Path(__file__).parents[1] / "cases" / "apart" / "tasks.jsonl"
TASKS = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]


def test_there_are_as_many_as_the_docs_say_and_none_twice():
    assert len(TASKS) == 180
    assert len({task["id"] for task in TASKS}) == 180
    assert len({(task["before"], task["instruction"]) for task in TASKS}) == 180


def test_a_right_result_reads_and_changes_what_is_to_be_changed():
    for task in TASKS:
        assert (task["after"] == task["before"]) is bool(task.get("expect")), task["id"]
        assert task.get("expect") in (None, "no_edit", "cannot"), task["id"]
        for right in (task["after"], *task.get("accept", ())):
            ast.parse(right, task["id"])
