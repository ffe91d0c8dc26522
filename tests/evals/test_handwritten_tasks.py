"""The hand-written tasks are sound: right results pass, wrong ones do not."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path
from typing import Any

from support.run_checks import outcomes

CASES = Path(__file__).parents[1] / "cases"
FOLDER = CASES / "handwritten"
TASKS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
]
KEYS = {"id", "path", "kind", "before", "instruction", "after", "accept", "check", "expect"}

COMMENTS_ONLY = {"disk-dead-comment", "loan-useless-comment", "transfer-todo"}


def right_results(task: dict[str, Any]) -> list[str]:
    return [task["after"], *task.get("accept", [])]


def test_there_are_150_tasks_with_their_own_names_and_known_keys() -> None:
    assert len(TASKS) == 150
    assert len({task["id"] for task in TASKS}) == 150
    assert len({(task["before"], task["instruction"]) for task in TASKS}) == 150
    for task in TASKS:
        assert set(task) <= KEYS, task["id"]
        assert set(task) >= {"id", "path", "kind", "before", "instruction", "after"}, task["id"]
        assert task["instruction"].strip(), task["id"]
        assert 10 <= task["before"].count("\n") <= 60, task["id"]


def test_every_text_parses_but_the_one_whose_task_is_a_syntax_error() -> None:
    broken = []
    for task in TASKS:
        for text in right_results(task):
            ast.parse(text)
        try:
            ast.parse(task["before"])
        except SyntaxError:
            broken.append(task["kind"])
    assert broken == ["traceback-syntax"]


def test_tasks_that_expect_no_edit_change_nothing_and_all_others_do() -> None:
    for task in TASKS:
        if "expect" in task:
            assert task["after"] == task["before"], task["id"]
            assert "check" not in task, task["id"]
            assert "accept" not in task, task["id"]
        else:
            assert task["before"] not in right_results(task), task["id"]


def test_right_results_of_one_task_differ_from_each_other() -> None:
    for task in TASKS:
        if task["id"] in COMMENTS_ONLY:
            continue
        trees = [ast.dump(ast.parse(text)) for text in right_results(task)]
        assert len(set(trees)) == len(trees), task["id"]


def test_only_three_tasks_are_about_comments_and_must_be_judged_by_their_text() -> None:
    found = {
        task["id"]
        for task in TASKS
        if "expect" not in task
        and task["kind"] != "traceback-syntax"
        and ast.dump(ast.parse(task["before"])) == ast.dump(ast.parse(task["after"]))
    }
    assert found == COMMENTS_ONLY


def test_the_mix_has_refusals_and_compositions_and_many_kinds() -> None:
    kinds = Counter(task["kind"] for task in TASKS)
    expected = Counter(task.get("expect", "") for task in TASKS)
    assert expected["no_edit"] >= 10
    assert expected["cannot"] >= 8
    assert kinds["two-edits"] >= 12
    assert len(kinds) >= 60
    assert len({task["before"] for task in TASKS}) >= 30


def test_every_check_passes_on_right_results_and_fails_on_the_file_as_it_was() -> None:
    checked = [task for task in TASKS if "check" in task]
    assert len(checked) >= 100
    right = [(task["id"], text, task["check"]) for task in checked for text in right_results(task)]
    failures = outcomes([(text, check) for _, text, check in right])
    assert [(row[0], why) for row, why in zip(right, failures, strict=True) if why] == []
    failures = outcomes([(task["before"], task["check"]) for task in checked])
    assert [task["id"] for task, why in zip(checked, failures, strict=True) if not why] == []


def test_no_check_is_passed_by_the_answer_to_another_task_about_the_same_file() -> None:
    rows = [
        (task["id"], other["id"], other["after"], task["check"])
        for task in TASKS
        if "check" in task
        for other in TASKS
        if other["before"] == task["before"] and other["id"] != task["id"] and "expect" not in other
    ]
    assert len(rows) > 300
    failures = outcomes([(text, check) for _, _, text, check in rows])
    passed = {(mine, other) for (mine, other, _, _), why in zip(rows, failures, strict=True) if not why}
    # A composition that holds the whole of a smaller task is right for both.
    assert passed == {("wordfreq-counter", "wordfreq-two-fixes")}
