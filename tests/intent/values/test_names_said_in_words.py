"""Names that are dictated, and parameters of new methods that are listed."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.names.names_in_words import parameters_listed
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """\
class Result:
    def __init__(self, named):
        self.named = named


class Tracer:
    def __init__(self) -> None:
        self.depth = 0


def form(depth, lines):
    return depth, lines


def _lscmp(a, b):
    return a == b
"""


def made(text: str, intent: str, **slots: str | tuple[str, ...]) -> str:
    found = {}
    for slot, words in slots.items():
        given = (words,) if isinstance(words, str) else words
        starts = [text.index(one, slot == "new" and text.index("_lscmp")) for one in given]
        found[slot] = tuple(
            Span(at, at + len(one), one, text[at - 1] == "`") for at, one in zip(starts, given, strict=True)
        )
    answer = answer_orders(
        [Order(0, len(text), (Reading(intent, 0.95, found),))], situation({PATH: CODE}, instruction=text)
    )
    assert answer.ways, answer.reason
    return result(answer, {PATH: CODE})


@pytest.mark.parametrize(
    ("text", "read", "wanted"),
    [
        ("rename _lscmp to underscore constant time equals", "underscore", "_constant_time_equals"),
        ("rename _lscmp to underscore same in shop.py", "underscore", "_same"),
        ("nenn _lscmp jetzt Unterstrich gleich", "Unterstrich", "_gleich"),
        ("rename _lscmp to underscore", "underscore", "_"),
    ],
)
def test_a_dictated_name_is_all_that_follows_its_sign(text: str, read: str, wanted: str) -> None:
    assert f"def {wanted}(a, b)" in made(text, "rename", symbol="_lscmp", new=read)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("with the parameters `name` and `default=None` that", "name, default=None"),
        ("with arguments key: str and fallback = 0, returning self", "key: str, fallback = 0"),
        ("with parameters a, b: int, c and d that", "a, b: int, c, d"),
        ("with parameters a, b, returning c", "a, b"),
        ("with the parameters of load", None),
    ],
)
def test_parameters_are_listed_behind_the_word(text: str, wanted: str | None) -> None:
    found = parameters_listed(text)
    assert (found[2] if found else None) == wanted


def test_a_new_method_has_the_listed_parameters() -> None:
    text = "Add `get` to Result, with the parameters `name` and `default=None`, "
    text += "which returns self.named.get(name, 0)"
    code = made(
        text,
        "add_method",
        name=("get", "default"),
        result="self.named.get(name, 0)",
        **{"class": "Result"},
    )
    assert "    def get(self, name, default=None):\n        return self.named.get(name, 0)\n" in code


def test_a_parameter_that_is_shown_and_not_there_is_new() -> None:
    text = "make depth default: __init__(self, depth: int = 0) in Tracer"
    code = made(text, "set_default", function=("Tracer", "__init__"), parameter="depth", default="0")
    assert "    def __init__(self, depth: int = 0) -> None:\n        self.depth = depth\n" in code
    assert "def form(depth, lines):" in code
