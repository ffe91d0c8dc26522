"""Every intent becomes a call with the result that is wanted, given what the reader would say."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from intent.support import PATH, answered, result, situation
from support.named_cases import case_named

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.conditions.assertions import as_failing
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.readings import Order, Reading, Span

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = [
    case
    for name in ("code", "definitions", "patterns", "programs", "messages")
    for case in tomllib.loads((HERE / f"cases_{name}.toml").read_text("utf-8"))["case"]
]


NO_EDITS = ("write", "question", "chat", "impossible")


def test_every_intent_that_edits_has_a_case() -> None:
    wanted = {name for name, one in intents().items() if not one.amends and name not in NO_EDITS}
    assert wanted == {case["intent"] for case in CASES}


@pytest.mark.parametrize("intent", sorted({case["intent"] for case in CASES}))
def test_an_intent_with_its_words_gives_the_wanted_text(intent: str) -> None:
    for case in CASES:
        if case["intent"] == intent:
            with case_named(case["slots"]):
                check(case)


def check(case: dict[str, Any]) -> None:
    files = case.get("files") or {PATH: case["code"]}
    answer = answered(files, (case["intent"], case["slots"]), path=case.get("path", PATH))
    if not answer.ways and answer.best is not None:
        # Words without a sentence around them may be too unlikely to be offered.
        answer = replace(answer, ways=(answer.best,))
    assert answer.ways, answer.reason
    changed = result(answer, files, case.get("changed", PATH))
    if "contains" in case:
        assert case["contains"] in changed
    else:
        assert changed == case["result"]
    assert all(way.title for way in answer.ways)


@pytest.mark.parametrize(
    ("said", "code", "wanted"),
    [
        ("{} should be off", "DEBUG = False\n", None),
        ("turn {} off", "DEBUG = True\n", "DEBUG = False\n"),
        ("disable {}", "def run(debug=False):\n    return debug\n", None),
        ("{} should not be on", "DEBUG = True\n", "DEBUG = False\n"),
        ("please switch {} on", "DEBUG = True\n", None),
        ("{} einschalten", "DEBUG = False\n", "DEBUG = True\n"),
        ("toggle {}", "DEBUG = False\n", "DEBUG = True\n"),
        ("{} is off and must be on", "DEBUG = False\n", "DEBUG = True\n"),
    ],
)
def test_a_flag_that_is_as_the_words_around_it_want_it_stays(
    said: str, code: str, wanted: str | None
) -> None:
    start = said.index("{")
    text = said.format("debug")
    span = Span(start, start + len("debug"), "debug", False)
    order = Order(0, len(text), (Reading("flip_flag", 0.95, {"variable": (span,)}),))
    found = answer_orders([order], situation({PATH: code}, instruction=text))
    if wanted is None:
        assert (found.kind, "already" in found.reason) == ("nothing", True)
    else:
        assert result(found, {PATH: code}) == wanted


@pytest.mark.parametrize("path", [PATH, "other.py", ""])
def test_a_parameter_that_is_named_with_its_function_is_renamed_from_anywhere(path: str) -> None:
    files = {PATH: "def total(value):\n    return value\n", "other.py": "x = 1\n"}
    found = answered(files, ("rename", {"symbol": ["value", "total"], "new": "number"}), path=path)
    assert result(found, files) == "def total(number):\n    return number\n"


def raised_in_load(text: str, **words: str) -> str:
    """The file after a guard whose slots are words of an instruction."""
    slots = {
        name: (Span(text.index(word), text.index(word) + len(word), word),) for name, word in words.items()
    }
    files = {PATH: "def load(path):\n    return path\n"}
    order = Order(0, len(text), (Reading("guard_raise", 0.95, slots),))
    found = answer_orders([order], situation(files, instruction=text))
    way = found.ways[0] if found.ways else found.best
    assert way is not None
    return way.plan.texts(situation(files).repo)[PATH] or ""


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("check in load that path is not None, raise ValueError", "path is None"),
        ("load: path is not None, sonst ValueError", "path is None"),
        ("if path is not None, load should raise ValueError", "path is not None"),
    ],
)
def test_what_is_to_hold_is_not_what_raises(said: str, condition: str) -> None:
    text = raised_in_load(said, function="load", condition="path is not None", exception="ValueError")
    assert f"    if {condition}:\n        raise ValueError(" in text


def test_an_exception_is_raised_with_the_arguments_that_stand_behind_it() -> None:
    said = "in load, when path is empty raise FileNotFoundError(path)"
    words = {"function": "load", "condition": "path is empty", "exception": "FileNotFoundError"}
    assert "raise FileNotFoundError(path)" in raised_in_load(said, **words)


@pytest.mark.parametrize(("shown", "wanted"), [("(path)", "(path)"), ("(other)", '("other")')])
def test_a_message_shown_as_an_argument_is_code_if_its_names_are_seen(shown: str, wanted: str) -> None:
    said = f"load: FileNotFoundError{shown} when not path"
    words = {"function": "load", "condition": "not path", "exception": "FileNotFoundError"}
    assert f"raise FileNotFoundError{wanted}" in raised_in_load(said, **words, message=shown[1:-1])


def test_what_is_to_hold_stays_so_behind_an_answer() -> None:
    said = "check in load that path is not None, raise ValueError"
    at = said.index("path is")
    condition = Span(at, at + len("path is not None"), "path is not None")
    kept = as_failing(Reading("guard_raise", 0.95, {"condition": (condition,)}), said)
    assert kept.text("condition") == "unless path is not None"
    assert as_failing(kept, "KeyError instead") == kept
