"""Which places a pattern is offered for: lines of one kind, none that were passed, and no other symbols."""

from __future__ import annotations

import pytest
from next_edit.asking import question_after

from spark_tui.next_edit.candidates import Candidate, candidates

CALLS = "import log\n\nlog.warn(1)\nlog.warn(2)\nlog.warn(3)\nlog.warn(4)\n"


def _candidates(files: dict[str, str], *typed: tuple[str, str, str]) -> list[Candidate]:
    situation = question_after(files, *typed)
    assert situation is not None
    return list(candidates(situation, lambda: True))


def _lines(text: str, candidate: Candidate) -> set[int]:
    return {text[: edit.start].count("\n") for edit in candidate.edits}


def test_a_pattern_says_whether_it_has_more_than_one_example():
    once = ("a.py", "warn(1", "warning(1")
    assert {candidate.examples for candidate in _candidates({"a.py": CALLS}, once)} == {1}
    twice = _candidates({"a.py": CALLS}, once, ("a.py", "warn(2", "warning(2"))
    assert {candidate.examples for candidate in twice} == {2}
    assert all(candidate.features["more"] for candidate in twice)


def test_a_place_that_was_passed_speaks_against_a_pattern():
    found = _candidates({"a.py": CALLS}, ("a.py", "warn(3", "note(3"))
    assert not [candidate for candidate in found if candidate.group == "name"]


def test_a_change_that_python_asks_for_may_begin_anywhere():
    found = _candidates({"a.py": CALLS}, ("a.py", "warn(3", "warning(3"))
    assert any(len(candidate.edits) == 3 for candidate in found if candidate.group == "name")


def test_a_newer_spelling_of_types_stays_where_no_type_is_evaluated():
    lazy = "from __future__ import annotations\n\nA = List[int]\n\n\ndef f(a: List[x], b: List[y]): ...\n"
    files = {"a.py": lazy, "b.py": lazy.partition("\n")[2], "c.py": lazy}
    found = _candidates(files, ("a.py", "List[x]", "list[x]"))
    places = {(edit.path, edit.new) for candidate in found for edit in candidate.edits}
    assert places and {path for path, _ in places} == {"a.py", "c.py"}
    assert all(edit.start >= lazy.index("def") for candidate in found for edit in candidate.edits)


@pytest.mark.parametrize(("second", "kept"), [("note", False), ("warning", True)])
def test_a_place_of_which_something_else_was_made_speaks_against_a_pattern(second, kept):
    found = _candidates({"a.py": CALLS}, ("a.py", "warn(1", f"{second}(1"), ("a.py", "warn(2", "warning(2"))
    assert kept == bool([candidate for candidate in found if candidate.group == "name"])
    # It is another form: what is called there was no question.
    other = CALLS.replace("log.warn(1)", "log.error(1)")
    found = _candidates({"a.py": other}, ("a.py", "error(1", "note(1"), ("a.py", "warn(2", "warning(2"))
    assert [candidate for candidate in found if candidate.group == "name"]


def test_an_annotation_stays_in_heads():
    text = "def f(item): ...\n\n\ndef g(item): ...\n\n\ndef h(item): ...\n\n\nprint(item)\n"
    found = _candidates({"a.py": text}, ("a.py", "f(item)", "f(item: int)"))
    assert {3, 6} in [_lines(text, candidate) for candidate in found if candidate.group == "insertion"]


def test_imports_are_left_to_those_who_change_one():
    text = "from typing import List\n\nx: List = []\ny: List = []\nz: List = []\n"
    found = _candidates({"a.py": text}, ("a.py", "x: List", "x: list"))
    assert found and all(edit.start > 20 for candidate in found for edit in candidate.edits)


def test_a_symbol_that_is_renamed_where_it_is_bound_is_no_pattern():
    text = "def total(x): ...\n\n\ntotal(1)\ntotal(2)\n"
    found = _candidates({"a.py": text}, ("a.py", "def total", "def amount"))
    assert [candidate.group for candidate in found] == ["rename"]


def test_a_pattern_without_a_name_is_none():
    text = "x = (1,)\n\n\n@a\ndef f(): ...\n\n\n@b\ndef g(): ...\n"
    found = _candidates({"a.py": text}, ("a.py", "@a\n", "@property\n@a\n"))
    assert all("@ →" not in candidate.words for candidate in found)


def test_the_next_places_are_as_many_as_the_examples():
    once = ("a.py", "warn(1", "warning(1")
    twice = (once, ("a.py", "warn(2", "warning(2"))
    text = CALLS + "log.warn(5)\n"
    for typed, lines in (((once,), {3}), (twice, {4, 5})):
        made = _candidates({"a.py": text}, *typed)
        found = [candidate for candidate in made if "scope next" in candidate.features]
        assert found
        assert all(_lines(text, candidate) <= lines for candidate in found)


def test_places_unlike_the_examples_are_told_from_those_that_are_like_them():
    text = "f(a, old)\nf(a, old)\nf(a, old)\nif x:\n    return g(b, old)\n"
    found = _candidates({"a.py": text}, ("a.py", "f(a, old)", "f(a, new)"))
    by_count = {
        len(candidate.edits): candidate.features
        for candidate in found
        if candidate.features.get("context none")
    }
    assert by_count[3]["other indent"] == pytest.approx(1 / 3)
    assert by_count[1].get("other indent", 0) == 0 and by_count[1].get("least alike", 0) == 0
    assert by_count[3]["least alike"] > 0.3
