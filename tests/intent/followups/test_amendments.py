"""What amends the answer before is done on the text before it, or in a further place."""

from __future__ import annotations

from typing import Any

import pytest
from intent.support import PATH, answered, spans

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

GUARD = ("guard_raise", {"function": "f", "condition": "a < 0"})
CODE = {PATH: "def f(a):\n    return a\n\n\ndef g(a):\n    return a\n"}


def amended(
    files: dict[str, str], first: tuple[str, dict[str, Any]], intent: str, words: dict[str, Any]
) -> tuple[Answer, str]:
    """The answer to a follow-up, and the text of the file when it is taken."""
    earlier = answered(files, first)
    before = Repository(DictTree(files))
    way = earlier.ways[0]
    after = before.with_changes(way.plan.texts(before))
    text, slots = spans(words)
    told = Situation(after, PATH, earlier=way.done, before=before, instruction=text)
    found = answer_orders([Order(0, 1, (Reading(intent, 0.95, slots),))], told)
    if not found.ways:
        return found, ""
    base = before if found.ways[0].from_before else after
    return found, found.ways[0].plan.texts(base).get(PATH) or ""


@pytest.mark.parametrize(
    ("intent", "words", "says"),
    [
        ("amend.exception", {"exception": "TypeError"}, 'raise TypeError("a must not be negative")'),
        ("amend.message", {"message": "'too small'"}, 'raise ValueError("too small")'),
        ("amend.condition", {"condition": "a is zero"}, "if a == 0:"),
        ("amend.return_instead", {}, "        return\n"),
        ("amend.return_instead", {"result": "0"}, "        return 0\n"),
        ("amend.place", {"function": "g"}, "def f(a):\n    return a\n\n\ndef g(a):\n    if a < 0:"),
    ],
)
def test_a_part_of_the_answer_is_exchanged(intent: str, words: dict[str, str], says: str) -> None:
    found, text = amended(CODE, GUARD, intent, words)
    assert found.ways[0].from_before
    assert says in text
    assert text.count("if a ") == 1


def test_the_same_is_done_in_a_further_place() -> None:
    found, text = amended(CODE, GUARD, "amend.also", {"function": "g"})
    assert not found.ways[0].from_before
    assert text.count("if a < 0:") == 2


def test_what_was_done_to_a_statement_is_done_to_another_one_that_has_the_word() -> None:
    code = 'def run(quiet):\n    for at in range(3):\n        print("begun", at)\n    print("done")\n'
    first = ("run_only_if", {"code": "print begun", "condition": "quiet", "function": "run"})
    _, text = amended({PATH: code}, first, "amend.also", {"variable": "done"})
    assert text.endswith('    if quiet:\n        print("done")\n')


def test_a_guard_is_the_same_where_its_words_could_mean_another_one() -> None:
    load = "    def load(self, cars):\n        self.cars += cars\n"
    code = f"class Deck:\n{load}\n{load.replace('load', 'unload').replace('+', '-')}"
    first = ("guard_raise", {"function": "load", "condition": "cars is negative"})
    _, text = amended({PATH: code}, first, "amend.also", {"function": "unload"})
    assert text.count("if cars < 0:\n") == 2


def test_another_name_replaces_the_one_that_was_taken() -> None:
    _, text = amended(CODE, ("rename", {"symbol": "f", "new": "load"}), "amend.name", {"new": "read"})
    assert text.startswith("def read(a):")


def test_a_rename_in_another_place_is_one_of_what_is_named() -> None:
    _, text = amended(CODE, ("rename", {"symbol": "f", "new": "load"}), "amend.place", {"function": "g"})
    assert text == CODE[PATH].replace("def g", "def load")


@pytest.mark.parametrize(
    ("value", "decorator"), [("functools.cache", "functools.cache"), ("5", "functools.lru_cache(maxsize=5)")]
)
def test_another_decorator_keeps_no_arguments_and_a_number_is_none(value: str, decorator: str) -> None:
    files = {PATH: f"import functools\n\n\n{CODE[PATH]}"}
    first = {"decorator": "functools.lru_cache(maxsize=8)", "function": "f"}
    _, text = amended(files, ("add_decorator", first), "amend.value", {"value": value})
    assert f"\n\n@{decorator}\ndef f(a)" in text


def test_another_name_is_a_rename_again() -> None:
    files = {PATH: "class Box:\n    def a(self):\n        return 1\n\n\nbox = Box()\n"}
    found, text = amended(
        files, ("rename", {"symbol": "Box", "new": "Crate"}), "amend.name", {"new": "Chest"}
    )
    assert [type(call).__name__ for call in found.ways[0].calls] == ["Rename"]
    assert text.startswith("class Chest:") and text.endswith("box = Chest()\n")


def test_the_same_of_a_thing_that_goes_is_done() -> None:
    files = {
        PATH: "class Box:\n    def a(self):\n        pass\n\n    def b(self):\n        pass\n\n    c = 1\n"
    }
    _, text = amended(files, ("remove_definition", {"symbol": "a"}), "amend.also", {"function": "b"})
    assert text.split() == ["class", "Box:", "c", "=", "1"]


def test_another_name_that_is_taken_is_refused_as_in_a_first_instruction() -> None:
    files = {
        PATH: "class Box:\n    def a(self):\n        return 1\n\n    def b(self):\n        return self.a()\n"
    }
    found, _ = amended(files, ("rename", {"symbol": "a", "new": "c"}), "amend.name", {"new": "b"})
    fresh = answered(files, ("rename", {"symbol": "a", "new": "b"}))
    assert (found.kind, found.ways, found.reason) == (fresh.kind, (), fresh.reason)
    assert "already has a member b" in found.reason


def test_another_value_replaces_the_one_that_was_taken() -> None:
    files = {PATH: "LIMIT = 3\n"}
    _, text = amended(
        files, ("set_value", {"variable": "LIMIT", "value": "4"}), "amend.value", {"value": "5", "old": "4"}
    )
    assert text == "LIMIT = 5\n"


@pytest.mark.parametrize(("first", "given", "value"), [("2 minutes", "3", "180"), ("30%", "40", "0.4")])
def test_a_number_alone_counts_in_the_unit_of_the_one_before(first: str, given: str, value: str) -> None:
    files = {PATH: "LIMIT = 0.5\n"}
    slots = {"variable": "LIMIT", "value": first}
    _, text = amended(files, ("set_value", slots), "amend.value", {"value": given})
    assert text == f"LIMIT = {value}\n"


def test_another_type_replaces_the_one_that_was_taken() -> None:
    _, text = amended(
        CODE,
        ("annotate_parameter", {"parameter": "a", "type": "int", "function": "f"}),
        "amend.type",
        {"type": "string"},
    )
    assert text.startswith("def f(a: str):")


def test_raising_takes_the_place_of_returning() -> None:
    first = ("guard_return", {"function": "f", "condition": "a < 0", "result": "0"})
    _, text = amended(CODE, first, "amend.raise_instead", {"exception": "KeyError"})
    assert 'raise KeyError("a must not be negative")' in text and "return 0" not in text


@pytest.mark.parametrize(("exception", "kind"), [("ValueError", "nothing"), ("KeyError", "edit")])
def test_what_raises_already_raises_something_else_instead(exception: str, kind: str) -> None:
    first = ("guard_raise", {"function": "f", "condition": "a < 0"})
    found, text = amended(CODE, first, "amend.raise_instead", {"exception": exception})
    assert found.kind == kind and (kind == "nothing" or f"raise {exception}(" in text)


def test_a_place_is_left_out_afterwards() -> None:
    files = {PATH: "def f():\n    print(1)\n\n\ndef g():\n    print(2)\n"}
    _, text = amended(files, ("delete_calls", {"call": "print"}), "amend.except", {"function": "g"})
    assert "print(2)" in text and "print(1)" not in text


def test_everywhere_widens_and_only_here_narrows() -> None:
    files = {PATH: 'def f():\n    raise ValueError("a")\n\n\ndef g():\n    raise ValueError("b")\n'}
    first = ("change_raised", {"exception": "KeyError", "function": "f"})
    _, wide = amended(files, first, "amend.everywhere", {})
    assert wide.count("KeyError") == 2
    _, narrow = amended(files, first, "amend.only_here", {"function": "g"})
    assert narrow.count("KeyError") == 1 and narrow.endswith('KeyError("b")\n')


def test_the_other_reading_is_another_call() -> None:
    load = "def load(p):\n    total = 1\n    return total\n\n\n"
    files = {PATH: load + "def save(p):\n    total = 2\n    return total\n"}
    _, text = amended(files, ("rename", {"symbol": "total", "new": "amount"}), "amend.other_reading", {})
    assert "amount = 2" in text and "total = 1" in text


def test_without_an_earlier_answer_there_is_nothing_to_amend() -> None:
    found = answered(CODE, ("amend.value", {"value": "3"}))
    assert found.kind == "write" and "no answer yet" in found.reason


@pytest.mark.parametrize(
    ("intent", "words"),
    [("amend.type", {"type": "int"}), ("amend.value", {}), ("amend.raise_instead", {}), ("amend.place", {})],
)
def test_what_the_answer_does_not_have_cannot_be_exchanged(intent: str, words: dict[str, str]) -> None:
    found, _ = amended(CODE, ("rename", {"symbol": "f", "new": "load"}), intent, words)
    assert found.kind == "write"


@pytest.mark.parametrize(
    ("intent", "words", "sure", "marked"),
    [
        ("amend.exception", {"exception": "TypeError"}, 0.9, False),
        ("amend.exception", {"exception": "TypeError"}, 0.45, True),
        ("delete_calls", {"call": "ValueError"}, 0.9, True),
    ],
)
def test_only_a_clear_amendment_carries_no_mark(
    intent: str, words: dict[str, str], sure: float, marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: sure)
    found, _ = amended(CODE, GUARD, intent, words)
    assert bool(found.ways[0].marked) == marked


@pytest.mark.parametrize(
    ("text", "asked"), [("what is a tracer?", True), ("can you call it tracer?", False), ("a tracer", False)]
)
def test_a_question_behind_an_edit_gives_no_name(text: str, asked: bool) -> None:
    found = answered(CODE, ("rename", {"symbol": "f", "new": "h"}))
    before = Repository(DictTree(CODE))
    now = before.with_changes(found.ways[0].plan.texts(before))
    told = Situation(now, PATH, earlier=found.ways[0].done, before=before, instruction=text)
    span = (Span(text.index("tracer"), text.index("tracer") + 6, "tracer"),)
    share = 0.25 if asked else 0.05
    readings = (Reading("amend.name", 0.4, {"new": span}), Reading("question", share, {}))
    assert (settled(Order(0, len(text), readings), told).readings[0].intent == "question") is asked


@pytest.mark.parametrize(
    ("text", "undone"),
    [
        ("annule", True),
        ("Deshazlo!", True),
        ("rückgängig", True),
        ("zurücklage", False),
        ("no", True),
        ("Nicht so!", True),
        ("不。", True),
        ("notice", False),
    ],
)
def test_a_word_that_says_undo_alone_is_no_new_name(text: str, undone: bool) -> None:
    found = answered(CODE, ("rename", {"symbol": "f", "new": "h"}))
    before = Repository(DictTree(CODE))
    now = before.with_changes(found.ways[0].plan.texts(before))
    told = Situation(now, PATH, earlier=found.ways[0].done, before=before, instruction=text)
    reading = Reading("amend.name", 0.9, {"new": (Span(0, len(text), text),)})
    assert (settled(Order(0, len(text), (reading,)), told).readings[0].intent == "amend.undo") is undone


BOTH = {PATH: "LIMIT = 3\n\n\ndef f():\n    return LIMIT\n\n\nprint(f())\n"}
FIRST, SECOND = BOTH[PATH].replace("= 3", "= 4"), BOTH[PATH].replace("f()", "g()")


def behind_both(intent: str, instruction: str) -> tuple[Answer, str]:
    """The answer after two orders, of which the second is at two places, and the file when it is taken."""
    done = answered(
        BOTH, ("set_value", {"variable": "LIMIT", "value": "4"}), ("rename", {"symbol": "f", "new": "g"})
    )
    before = Repository(DictTree(BOTH))
    after = before.with_changes(done.ways[0].plan.texts(before))
    told = Situation(after, PATH, earlier=done.ways[0].done, before=before, instruction=instruction)
    found = answer_orders([Order(0, len(instruction), (Reading(intent, 0.95, {}),))], told)
    return found, str(found.ways[0].plan.texts(before)[PATH]) if found.ways else ""


@pytest.mark.parametrize(
    ("intent", "instruction", "text"),
    [
        ("amend.only_here", "no, only the second", SECOND),
        ("amend.only_here", "only the last one", SECOND),
        ("amend.only_here", "only the first", FIRST),
        ("amend.except", "leave out the second", FIRST),
        ("amend.except", "not the first", SECOND),
    ],
)
def test_one_of_two_orders_is_kept_or_left_out(intent: str, instruction: str, text: str) -> None:
    found, after = behind_both(intent, instruction)
    assert (found.kind, after) == ("edit", text)


@pytest.mark.parametrize("instruction", ["only the third", "only that"])
def test_where_it_is_not_clear_which_order_stays_it_is_not_said_to_be_so_already(instruction: str) -> None:
    found, _ = behind_both("amend.only_here", instruction)
    assert found.kind == "write" and "cannot be done" in found.reason


@pytest.mark.parametrize(
    ("text", "same"), [("repeat that for g", True), ("repeat it 3 times in g", False), ("retry g", False)]
)
def test_to_repeat_what_was_done_is_no_order_to_run_code_again(text: str, same: bool) -> None:
    before = Repository(DictTree(CODE))
    way = answered(CODE, GUARD).ways[0]
    after = before.with_changes(way.plan.texts(before))
    told = Situation(after, PATH, earlier=way.done, before=before, instruction=text)
    at = text.index("g")
    read = Reading("add_retry", 0.95, {"function": (Span(at, at + 1, "g"),)})
    order = settled(Order(0, len(text), (read,)), told)
    assert (order.readings[0].intent == "amend.also") is same


def test_an_argument_that_was_shown_without_quotes_stays_code_in_further_messages() -> None:
    text = "raise KeyError(a) in f if a < 0"
    words = {"exception": "KeyError", "message": "a", "function": "f", "condition": "a < 0"}
    starts = {"exception": 6, "message": 15, "function": 21, "condition": 26}
    slots = {slot: (Span(at, at + len(words[slot]), words[slot]),) for slot, at in starts.items()}
    before = Repository(DictTree(CODE))
    order = Order(0, len(text), (Reading("guard_raise", 0.95, slots),))
    way = answer_orders([order], Situation(before, PATH, instruction=text)).ways[0]
    assert "raise KeyError(a)" in (way.plan.texts(before)[PATH] or "")
    for name in ("LookupError", "TypeError"):
        now = before.with_changes(way.plan.texts(before))
        told = Situation(now, PATH, earlier=way.done, before=before, instruction=name)
        span = (Span(0, len(name), name),)
        order = Order(0, len(name), (Reading("amend.exception", 0.95, {"exception": span}),))
        way = answer_orders([order], told).ways[0]
        assert f"raise {name}(a)" in (way.plan.texts(before)[PATH] or "")


def test_what_was_not_found_is_replaced_by_what_a_message_names() -> None:
    _, first = spans({"symbol": "foo", "new": "load"})
    repo = Repository(DictTree(CODE))
    told = Situation(repo, PATH, earlier=Done("rename", first, ()), before=repo, instruction="g, not foo")
    slots = {"new": (Span(0, 1, "g"),), "old": (Span(7, 10, "foo"),)}
    found = answer_orders([Order(0, 10, (Reading("amend.name", 0.95, slots),))], told)
    assert (found.ways[0].plan.texts(repo)[PATH] or "").endswith("def load(a):\n    return a\n")


def test_an_error_that_nothing_defines_is_taken_with_a_mark_where_it_was_typed() -> None:
    raised = {PATH: 'def f(a):\n    if not a:\n        raise RuntimeError("no a")\n    return a\n'}
    first = ("change_raised", {"old": "RuntimeError", "exception": "ValueError"})
    found, text = amended(raised, first, "amend.exception", {"exception": "ProtocolError"})
    assert 'raise ProtocolError("no a")' in text
    assert found.ways[0].marked
