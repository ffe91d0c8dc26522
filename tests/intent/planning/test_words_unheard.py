"""Words that limit, deny or postpone an order leave a mark on an edit that does it anyway."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """\
from dataclasses import dataclass

RATE = 5
TAGS = ["a", "b"]


@dataclass
class Bill:
    amount: float
    tip: float = 0.0


def price(kind, tip=1, rate=RATE):
    return kind * rate + tip


def show(rows, kind, sep=","):
    total = sum(rows)
    if total < 0:
        raise ValueError("negative")
    return total


def clean(row):
    row["total"] = float(row["total"])
    return row
"""
NAMED = {"symbol": "total", "new": "result", "function": "show"}


def marks(text: str, intent: str, **slots: str) -> str:
    return "; ".join(answer_to(CODE, text, intent, **slots).ways[0].marked)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("rename total to result in show on Mondays", "Mondays"),
        ("rename total to result in show for subclasses", "subclasses"),
        ("rename total to result in show behind a toggle", "toggle"),
        ("rename total to result in show asynchronously", "asynchronously"),
        ("for admins, rename total to result in show", "admins"),
        ("don't rename total to result in show", "don't"),
        ("we agreed not to rename total to result in show", "not to"),
        ("never rename total to result in show", "never"),
        ("there is no need to rename total to result in show", "no need to"),
        ("should we rename total to result in show", "should we"),
        ("rename total to result in show next week", "next week"),
        ("rename total to result in show after the release", "after the release"),
        ("the opposite of: rename total to result in show", "opposite"),
        ("write a test: rename total to result in show", "write a test:"),
        ("rename total to result in show provided that nobody minds", "provided that nobody minds"),
    ],
)
def test_what_limits_or_denies_the_order_is_marked(text: str, mark: str) -> None:
    assert f"not used: {mark}" in marks(text, "rename", **NAMED)


@pytest.mark.parametrize(
    "text",
    [
        "rename total to result in show",
        "please rename total to result in show, thanks",
        "hey, rename total to result in show because it is ugly on Mondays",
        "rename total to result in show only",
        "could you rename total to result in show? it blows up in reviews",
        "rename total to result in show (see the ticket)",
    ],
)
def test_talk_and_reasons_leave_no_mark(text: str) -> None:
    assert "not used" not in marks(text, "rename", **NAMED)


def test_a_denial_with_what_is_to_be_instead_is_an_order() -> None:
    slots = {"old": "ValueError", "exception": "TypeError", "function": "show"}
    text = "don't raise ValueError in show but TypeError"
    assert "not used" not in marks(text, "change_raised", **slots)


def test_what_is_denied_without_anything_instead_is_marked() -> None:
    slots = {"old": "ValueError", "exception": "TypeError", "function": "show"}
    text = "do not raise TypeError in place of ValueError in show"
    assert "not used: do not" in marks(text, "change_raised", **slots)


def test_words_of_the_changed_lines_are_explained() -> None:
    slots = {"old": "ValueError", "exception": "TypeError"}
    assert "not used" not in marks("TypeError instead of ValueError for negative", "change_raised", **slots)


@pytest.mark.parametrize(
    ("text", "intent", "slots", "mark"),
    [
        ("tip default 2", "set_default", {"parameter": "tip", "default": "2"}, "a field of Bill too"),
        (
            "round total to 2",
            "round_value",
            {"variable": "total", "count": "2"},
            "a key of clean too",
        ),
    ],
)
def test_something_else_of_the_name_is_marked(
    text: str, intent: str, slots: dict[str, str], mark: str
) -> None:
    assert mark in marks(text, intent, **slots)


def test_a_named_place_tells_what_is_meant() -> None:
    slots = {"parameter": "tip", "default": "2", "function": "price"}
    assert "too" not in marks("tip default 2 in price", "set_default", **slots)


@pytest.mark.parametrize(
    ("body", "marked"), [("{}.get(1)", True), ("{} in (1, 2)", False), ("{} or 1", False)]
)
def test_none_as_a_default_is_marked_where_the_parameter_is_used_as_something_else(
    body: str, marked: bool
) -> None:
    code = f"def find(names={{}}):\n    return {body.format('names')}\n"
    slots = {"parameter": "names", "default": "None", "function": "find"}
    (way, *_) = answer_to(code, "names default None in find", "set_default", **slots).ways
    assert any("compared with None" in mark for mark in way.marked) is marked


def test_a_call_that_is_written_tells_which_are_rewritten() -> None:
    code = "ONE = dict()\nTWO = tuple()\n"
    (way, *_) = answer_to(code, "{} instead of dict()", "pattern.unpack_call").ways
    assert any("no dict()" in mark for mark in way.marked)


def test_a_compound_that_is_never_said_for_the_intent_leaves_a_mark() -> None:
    slots = {"parameter": "sep", "function": "show"}
    assert "read-only" in marks("make sep read-only in show", "make_keyword_only", **slots)
    assert marks("make sep keyword-only in show", "make_keyword_only", **slots) == ""


def test_a_local_that_is_called_like_a_key_of_a_written_dictionary_leaves_a_mark() -> None:
    code = CODE + """\n\nDEFAULTS = {"total": 0, "tags": []}\n"""
    answer = answer_to(code, "rename total to result", "rename", symbol="total", new="result")
    assert "total is a key of a dictionary" in "; ".join(answer.ways[0].marked)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("stop passing key=id to sorted", "edit"),
        ("pass key=id to sorted", "nothing"),
        ("sorted gets key=id", "nothing"),
    ],
)
def test_nothing_is_claimed_where_the_words_ask_for_another_edit(text: str, kind: str) -> None:
    def span(words: str) -> tuple[Span, ...]:
        start = text.index(words)
        return (Span(start, start + len(words), words),)

    passed = Reading(
        "set_argument", 0.8, {"argument": span("key"), "value": span("id"), "call": span("sorted")}
    )
    dropped = Reading("remove_argument", 0.1, {"argument": span("key"), "call": span("sorted")})
    order = Order(0, len(text), (passed, dropped))
    found = answer_orders([order], situation({PATH: "names = sorted(users, key=id)\n"}, instruction=text))
    assert found.kind == kind


def test_nothing_is_claimed_for_a_reading_that_was_turned_into_another() -> None:
    text = "Shop.open should default to True"
    code = "class Shop:\n    def __init__(self):\n        self.open = True\n"
    slots = {"parameter": (Span(0, 9, "Shop.open"),), "default": (Span(28, 32, "True"),)}
    values = {"variable": slots["parameter"], "value": slots["default"]}
    order = Order(0, len(text), (Reading("set_default", 0.9, slots), Reading("set_value", 0.03, values)))
    found = answer_orders([order], situation({PATH: code}, instruction=text))
    assert (found.kind, found.idle) == ("nothing", "True is already there")


PARTS = """def encode(self, sep):
    first = "id: " + self.ident + sep
    second = "event: " + self.event + sep
    return first + second


def pick(kind):
    if kind == "a":
        return 1
    elif kind == "b":
        return 2
    else:
        return 3


def store(key, value, size):
    return {key: (value, size)}
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "mark"),
    [
        ("use an f-string in encode for the event", "to_f_string", {"function": "encode"}, "not used: event"),
        ("use f-strings in encode", "to_f_string", {"function": "encode"}, ""),
        ("drop the last else in pick", "pattern.remove_else", {"function": "pick"}, "not used: last"),
        (
            "drop the else in pick when kind is odd",
            "pattern.remove_else",
            {"function": "pick"},
            "not used: when",
        ),
        ("drop the else in pick", "pattern.remove_else", {"function": "pick"}, ""),
        (
            "make value keyword-only in store",
            "make_keyword_only",
            {"parameter": "value", "function": "store"},
            "size must be named too",
        ),
        (
            "make size keyword-only in store",
            "make_keyword_only",
            {"parameter": "size", "function": "store"},
            "",
        ),
    ],
)
def test_an_edit_of_more_than_the_part_that_is_meant_is_marked(
    text: str, intent: str, slots: dict[str, str], mark: str
) -> None:
    marked = answer_to(PARTS, text, intent, **slots).ways[0].marked
    said = [one for one in marked if mark and one.startswith(mark)]
    assert said if mark else not any("not used" in one or "named too" in one for one in marked)


@pytest.mark.parametrize(
    ("said", "kind"), [("use a with in load", "nothing"), ("handle a missing file in load", "write")]
)
def test_where_it_would_be_done_does_not_say_that_it_is(said: str, kind: str) -> None:
    code = "def load(path):\n    with open(path) as f:\n        return f.read()\n"
    assert answer_to(code, said, "pattern.open_with", function="load").kind == kind


def test_a_sign_that_is_said_and_stands_nowhere_is_marked() -> None:
    code = "def load(a, b, day):\n    if a <= day < b:\n        return day\n    return None\n"
    found = answer_to(code, "use >= in load", "include_boundary", function="load")
    assert "nothing there has a >=" in found.ways[0].marked


@pytest.mark.parametrize(("said", "claims"), [("cache load", True), ("don't cache load", False)])
def test_a_denied_order_is_not_answered_with_what_is_there_already(said: str, claims: bool) -> None:
    code = "from functools import cache\n\n\n@cache\ndef load(path):\n    return open(path).read()\n"
    assert (answer_to(code, said, "cache_results", function="load").kind == "nothing") is claims


def test_what_is_there_and_should_be_otherwise_is_not_said_to_be_there() -> None:
    code = "def load(path: str):\n    return path\n"
    words = {"parameter": "path", "type": "str", "function": "load"}
    assert answer_to(code, "path of load is str", "annotate_parameter", **words).kind == "nothing"
    said = "path of load is str but should be anything"
    assert answer_to(code, said, "annotate_parameter", **words).kind != "nothing"


@pytest.mark.parametrize(("said", "kind"), [("trailing return", "write"), ("trailing branch", "nothing")])
def test_what_is_not_there_is_no_claim_about_code_that_is_named(said: str, kind: str) -> None:
    code, text = "def load(path):\n    print(path)\n    return\n", f"drop the {said}"
    span = Span(text.index(said), len(text), said)
    readings = (Reading("pattern.remove_else", 0.8), Reading("delete_statement", 0.03, {"code": (span,)}))
    found = answer_orders([Order(0, len(text), readings)], situation({PATH: code}, instruction=text))
    assert found.kind == kind
