"""Suites, running cases through a turn, scoring and reports, with a backend whose answer is fixed."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import pytest
from support.fixed_answer import BEFORE, EDIT, FixedAnswer

from spark_tui.bars import Bar
from spark_tui.cli.commands import eval as eval_command
from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.errors import MalformedInput
from spark_tui.evals import case_runner, cases, reporting, scoring
from spark_tui.evals.cases import EvalCase
from spark_tui.evals.sandbox import run_program


def case(**values: object) -> EvalCase:
    given: dict[str, object] = {
        "id": "1",
        "path": "m.py",
        "before": BEFORE,
        "instruction": "b is 20",
        "after": "a = 1\nb = 20\nc = 3\n",
    }
    return EvalCase(**{**given, **values})  # type: ignore[arg-type]


def score(text: str, **values: object) -> scoring.Score:
    one = case(**values)
    return scoring.judge(one, case_runner.ask_case(FixedAnswer(text), one))


def test_an_answer_is_applied_through_the_same_turn_that_doors_run() -> None:
    found = score(EDIT)
    assert found.answer.after == "a = 1\nb = 20\nc = 3\n"
    assert (found.right, found.exact, found.answer.verdict, found.answer.hunks) == (True, True, "edit", 1)
    assert found.changed_lines == found.reference_lines == 1
    assert 0.5 < found.answer.confidence < 1


def test_the_same_tree_counts_unless_layout_is_what_is_asked_for() -> None:
    loose = "*** m.py\n@@ 2,3\n+b =  20  # now\n"
    assert score(loose).right
    assert not score(loose).exact
    assert not score(loose, exact=True).right


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("*** m.py\n@@ no-edit\n", "no-edit"),
        ("*** m.py\n@@ cannot\n", "cannot"),
        ("I would rather not.\n", "nothing"),
    ],
)
def test_a_case_without_an_edit_is_right_only_by_the_right_words(text: str, verdict: str) -> None:
    for wanted in ("no-edit", "cannot"):
        found = score(text, answer=wanted, after=BEFORE)
        assert found.answer.verdict == verdict
        assert found.right is (verdict == wanted)
    assert not score(text).right


def test_an_edit_where_nothing_was_to_do_is_wrong_even_if_it_is_harmless() -> None:
    assert not score(EDIT, answer="no-edit", after=BEFORE).right


def test_a_misplaced_hunk_is_never_right() -> None:
    found = score("*** m.py\n@@ 2,3\n+b = 20\n@@ 90,95\n+x\n")
    assert found.answer.misfits
    assert not found.right


def test_hunks_written_before_a_steer_stand_unless_a_later_one_touches_them() -> None:
    written = (WindowHunk(0, 1, ("a = 9",)), WindowHunk(1, 2, ("b = 9",)))
    one = case(written=written, steer="no, 20", after="a = 9\nb = 20\nc = 3\n")
    backend = FixedAnswer(EDIT)
    found = scoring.judge(one, case_runner.ask_case(backend, one))
    assert found.right
    assert backend.requests[0].instruction == "no, 20"
    assert backend.requests[0].history[0].outcome == "rejected"
    assert "@@ 1,2\n+a = 9" in backend.requests[0].history[0].answer


def test_ghost_text_is_right_only_to_the_end_of_its_line() -> None:
    for text, right in (("bc", True), ("bc\nmore", True), ("bcd", False), ("", False)):
        one = case(before="x = a", after="bc", answer="fill", suffix="\n", instruction="", kind="fill")
        found = scoring.judge(one, case_runner.ask_fill(FixedAnswer(text), one))
        assert found.right is right


def test_doubts_are_counted_as_marks() -> None:
    one = case()
    found = case_runner.ask_case(FixedAnswer(EDIT + "\n@@ 3,4\n+c = 4\n", doubt=True), one)
    assert (found.hunks, found.marked) == (2, 1)


def test_a_text_without_a_final_newline_keeps_that() -> None:
    assert cases.apply("a\nb", [WindowHunk(1, 2, ("c",))]) == "a\nc"
    assert cases.apply("a\nb\n", [WindowHunk(0, 2)]) == ""


def test_rows_and_bars_say_what_was_right_and_what_was_missed() -> None:
    scores = [
        score(EDIT, group="seen", kind="k"),
        score("*** m.py\n@@ 1,2\n+a = 5\n", group="seen", kind="k"),
    ]
    row = scoring.rows(scores)[0]
    assert (row["group"], row["cases"], row["right"]) == ("seen", 2, 0.5)
    bars = {bar["name"]: bar for bar in scoring.builtin_bars(scores)}
    assert bars["seen kinds, unseen code"]["ok"] is False
    assert bars["parses after the edit"]["ok"] is True
    assert bars["steers"]["value"] is None
    assert bars["steers"]["ok"] is False


def test_a_bar_turns_when_its_value_crosses_the_target() -> None:
    assert Bar("x", 0.9, 0.9).ok
    assert not Bar("x", 0.89, 0.9).ok
    assert Bar("x", 0.05, 0.05, "lower").ok
    assert not Bar("x", 0.06, 0.05, "lower").ok


# The packaged set


def test_the_packaged_set_is_large_enough_and_sound() -> None:
    found = cases.builtin()
    assert len(found) >= 2000
    assert len({eval_case.id for eval_case in found}) == len(found)
    kinds = Counter(eval_case.kind for eval_case in found)
    assert min(kinds.values()) >= 40
    assert {"seen", "phrasing", "package", "composition", "steer", "no-edit", "cannot"} <= {
        eval_case.group for eval_case in found
    }
    for item in found:
        assert item.after is not None
        if item.answer == "fill":
            assert len(item.after.rstrip()) >= 6
            assert item.suffix
            continue
        ast.parse(item.after)
        assert (item.before == item.after) is (item.answer != "edit")
    assert cases.BUILTIN.stat().st_size <= 1_500_000


def test_answering_the_packaged_set_with_its_own_edits_is_all_right() -> None:
    """The judge and the set agree: a perfect model would score 100 %."""
    import difflib

    for eval_case in cases.builtin()[::40]:
        old, new = eval_case.before.split("\n")[:-1], (eval_case.after or "").split("\n")[:-1]
        text = f"*** {eval_case.path}\n" + ("" if eval_case.answer == "edit" else f"@@ {eval_case.answer}\n")
        for code, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if code != "equal":
                text += f"@@ {a + 1},{b + 1}\n" + "".join(f"+{line}\n" for line in new[c:d])
        if eval_case.written or eval_case.answer == "fill":
            continue
        assert scoring.judge(eval_case, case_runner.ask_case(FixedAnswer(text), eval_case)).right, (
            eval_case.id
        )


# Files of others


def test_editeval_and_canitedit_copies_are_read(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text(
        json.dumps(
            {
                "task_id": "E/0",
                "input": "x = 1",
                "instruction": "make it 2 ",
                "context": "",
                "test": "def check():\n    assert x == 2",
            }
        )
        + "\n"
    )
    (one,) = cases.editeval(path)
    assert one.before == "x = 1\n"
    assert one.check.endswith("check()\n")
    path.write_text(
        json.dumps(
            {
                "id": 1,
                "full_name": "1_a",
                "before": "x = 1\n",
                "tests": "assert x == 2",
                "instruction_lazy": "two",
                "instruction_descriptive": "make x two",
            }
        )
        + "\n"
    )
    assert [found.id for found in cases.canitedit(path)] == ["1_a/descriptive", "1_a/lazy"]


def written_tasks(path: Path, *records: dict[str, object]) -> list[EvalCase]:
    base = {"id": "t", "path": "m.py", "before": BEFORE, "instruction": "b is 20"}
    path.write_text("".join(json.dumps({**base, **record}) + "\n" for record in records))
    return cases.tasks(path)


def judged(eval_case: EvalCase, text: str) -> bool:
    (found,) = eval_command.evaluate(FixedAnswer(text), [eval_case])
    return found.right


def test_a_task_is_right_by_any_accepted_result_or_by_its_check(tmp_path: Path) -> None:
    after = "a = 1\nb = 21\nc = 3\n"
    check = "assert b == 20 and __name__ != '__main__'"
    plain, more, run = written_tasks(
        tmp_path / "t.jsonl",
        {"after": after},
        {"after": after, "accept": ["a = 1\nb = 20\nc = 3\n"]},
        {"check": check},
    )
    assert [judged(item, EDIT) for item in (plain, more, run)] == [False, True, True]
    assert not judged(run, EDIT.replace("20", "22"))


def test_a_task_about_comments_is_right_only_to_the_letter(tmp_path: Path) -> None:
    (one,) = written_tasks(tmp_path / "t.jsonl", {"after": BEFORE.replace("b = 2", "b = 2  # two")})
    assert judged(one, "*** m.py\n@@ 2,3\n+b = 2  # two\n")
    assert not judged(one, "*** m.py\n@@ 2,3\n+b = 2  # 2\n")


def test_a_task_that_expects_no_change_is_right_by_either_word_for_it(tmp_path: Path) -> None:
    (one,) = written_tasks(tmp_path / "t.jsonl", {"after": BEFORE, "expect": "no_edit"})
    assert judged(one, "*** m.py\n@@ no-edit\n")
    assert judged(one, "*** m.py\n@@ cannot\n")
    assert not judged(one, EDIT)
    assert not judged(one, "I would rather not.\n")


def test_the_own_results_of_the_hand_written_tasks_are_all_right() -> None:
    found = cases.tasks(Path(__file__).parents[1] / "cases" / "handwritten" / "tasks.jsonl")
    assert len(found) == 150
    for task in found:
        answer = case_runner.CaseAnswer(
            task.after or "", "edit" if task.answer == "edit" else "cannot", 1, 0, 0, 1.0, 0.0, 0.0
        )
        assert scoring.judge(task, answer).right, task.id


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"id": 1}', '{"path": "a.py", "before": "", "instruction": ""}']
)
def test_a_malformed_line_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "a", "path": "m.py", "before": "", "instruction": ""}\n' + text + "\n")
    with pytest.raises(MalformedInput) as caught:
        cases.tasks(path)
    assert ":2" in caught.value.where


def test_the_table_has_a_line_for_every_row_and_bar() -> None:
    report = reporting.summary("builtin", "rote", [score(EDIT, group="seen", kind="k")])
    text = reporting.table(report)
    assert text.count("\n") > len(report["rows"]) + len(report["bars"])
    assert "miss" in text


@pytest.mark.parametrize(
    ("wanted", "right"),
    [("return after == before + 'b = 2\\n'", True), ("return False", False), ("assert after", True)],
)
def test_a_check_that_takes_both_texts_is_called(tmp_path: Path, wanted: str, right: bool) -> None:
    check = f"def check(before, after):\n    {wanted}\n"
    path = tmp_path / "tasks.jsonl"
    path.write_text(
        json.dumps({"id": "1", "before": "a = '{after}'\n", "instruction": "add b", "check": check}) + "\n"
    )
    (case,) = cases.tasks(path)
    assert run_program(cases.program_of(case.check, "a = '{after}'\nb = 2\n")).ok is right


def test_what_is_left_to_the_model_has_to_be_as_sure_as_in_a_session() -> None:
    backend = FixedAnswer(EDIT)
    case_runner.ask_case(backend, case(), least_confidence=0.7)
    assert backend.requests[0].least_confidence == 0.7
