"""Parameters that are all meant, objects that a call keeps, and what is no context manager."""

from __future__ import annotations

import pytest
from codemods.repositories import refusal
from intent.asking import answer_to, changed

TRIGGER = """class Trigger:
    def __init__(self, days=0, hours=0):
        self.days = days

    def next(self, now):
        return now


made = Trigger(1)
"""
LOGGED = """class Runner:
    def run(self, job):
        try:
            job()
        except ValueError:
            self._logger.error("failed")
"""


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("make all arguments of the constructor keyword only", {"parameter": "all arguments"}),
        ("every parameter of __init__ by name", {"parameter": "every parameter", "function": "__init__"}),
    ],
)
def test_all_parameters_of_a_function_have_to_be_named(text: str, slots: dict[str, str]) -> None:
    made = changed(TRIGGER, text, "make_keyword_only", **slots)
    assert made == TRIGGER.replace("self, days", "self, *, days").replace("Trigger(1)", "Trigger(days=1)")


def test_another_method_is_called_on_the_object_that_is_there() -> None:
    text = "use logger.exception instead of logger.error"
    made = changed(LOGGED, text, "replace_call", new="logger.exception", old="logger.error")
    assert made == LOGGED.replace("_logger.error", "_logger.exception")


def test_a_function_with_all_types_is_told_so() -> None:
    typed = "def f(x: int) -> int:\n    return x\n"
    assert answer_to(typed, "add type hints to everything", "annotate_all").kind == "nothing"


def test_a_dataclass_gets_slots_by_its_option() -> None:
    code = "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n"
    made = changed(code, "add __slots__ to P", "add_slots", **{"class": "P"})
    assert made == code.replace("@dataclass\n", "@dataclass(slots=True)\n")


def test_a_text_is_no_context_manager() -> None:
    assert "no context manager" in str(refusal("wrap_in_with m.py:1 '\"lock\"'", {"m.py": "x = 1\n"}))


def test_a_span_of_time_is_compared_with_one() -> None:
    code = "from datetime import timedelta\n\n\ndef f(n, gap=timedelta(hours=1)):\n    return n * gap\n"
    slots = {"condition": "gap is negative", "exception": "ValueError"}
    made = changed(code, "raise ValueError if gap is negative", "guard_raise", **slots)
    assert '    if gap < timedelta(0):\n        raise ValueError("gap must not be negative")\n' in made


def test_a_return_of_what_a_function_sets_leaves_what_sets_it() -> None:
    code = "def f(a):\n    if a:\n        return a[:3]\n    rows = list(a)\n    return rows\n"
    slots = {"function": "f", "result": "rows[:3]"}
    made = changed(code, "in f return rows[:3]", "set_return", **slots)
    assert made == code.replace("return rows", "return rows[:3]")
