"""A message names a part of an edit: that goes, or it is all that stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.following import answer_behind, situation_behind
from intent.support import PATH

from spark_tui.codemods.families.classes.method_kinds import MakeProperty
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

RENAMED = (
    "def mean(xs):\n    s = sum(xs)\n    n = len(xs)\n    return s / n\n",
    "def mean(xs):\n    total = sum(xs)\n    count = len(xs)\n    return total / count\n",
)
RANGE = (
    "def inside(xs, low, high):\n    return [x for x in xs if x > low and x < high]\n",
    "def inside(xs, low, high):\n    return [x for x in xs if x >= low and x <= high]\n",
)
COLORS = ('COLORS = ["red"]\n', 'COLORS = ["red", "blue", "green"]\n')
LOGGED = (
    "def read(name):\n    try:\n        return open(name)\n    except OSError as error:\n"
    '        log.info("no %s", name)\n',
    "def read(name):\n    try:\n        return open(name)\n    except OSError as error:\n"
    '        log.warning("no %s: %s", name, error)\n',
)
TOLD = (
    "def area(a, b):\n    return a * b\n",
    'def area(a, b) -> int:\n    """The area."""\n    return a * b\n',
)
CHECKED = (
    "def drop(rows, key):\n    del rows[key]\n",
    "import logging\n\nlogger = logging.getLogger(__name__)\n\ndef drop(rows, key):\n"
    '    logger.info("drop key=%s", key)\n    if rows is None:\n        raise KeyError("rows")\n'
    "    del rows[key]\n",
)
LOG_ONLY = (
    "import logging\n\nlogger = logging.getLogger(__name__)\n\ndef drop(rows, key):\n"
    '    logger.info("drop key=%s", key)\n    del rows[key]\n'
)
CHECK_ONLY = 'def drop(rows, key):\n    if rows is None:\n        raise KeyError("rows")\n    del rows[key]\n'


@pytest.mark.parametrize(
    ("message", "intent", "left"),
    [
        ("no logging", "amend.undo", CHECK_ONLY),
        ("ohne das Log", "amend.value", CHECK_ONLY),
        ("only the guard", "amend.only_here", CHECK_ONLY),
        ("drop the guard", "amend.except", LOG_ONLY),
        ("the check was too much", "amend.undo", LOG_ONLY),
    ],
)
def test_each_added_statement_goes_alone_with_what_only_it_uses(message: str, intent: str, left: str) -> None:
    found, text = answer_behind(*CHECKED, message, intent)
    assert text == left
    assert found.ways[0].marked


@pytest.mark.parametrize(
    ("edit", "message", "intent", "line"),
    [
        (RENAMED, "leave n alone", "amend.except", "return total / n\n"),
        (RENAMED, "just count, s was fine", "amend.only_here", "return s / count\n"),
        (RANGE, "only for low", "amend.only_here", "if x >= low and x < high]"),
        (RANGE, "the second comparison stays strict", "amend.except", "if x >= low and x < high]"),
        (COLORS, "not green after all", "amend.except", '["red", "blue"]'),
        (LOGGED, "keep the level", "amend.undo", 'log.info("no %s: %s", name, error)'),
        (LOGGED, "without the error", "amend.except", 'log.warning("no %s", name)'),
        (TOLD, "hints only", "amend.only_here", "def area(a, b) -> int:\n    return"),
        (TOLD, "put the docstring back out, leave the rest", "amend.except", "-> int:\n    return"),
    ],
)
def test_only_the_named_part_is_taken_back(
    edit: tuple[str, str], message: str, intent: str, line: str
) -> None:
    found, text = answer_behind(*edit, message, intent)
    assert found.ways[0].from_before
    assert line in text


@pytest.mark.parametrize("message", ["undo that, the total is read by others", "put it back please"])
def test_words_that_name_no_part_take_all_back(message: str) -> None:
    found, _ = answer_behind(*RENAMED, message, "amend.undo")
    assert found.kind == "undo"


def test_no_part_is_left_that_needs_another_one() -> None:
    was = "def show(xs):\n    for at in range(len(xs)):\n        print(xs[at])\n"
    now = "def show(xs):\n    for one in xs:\n        print(one)\n"
    _, text = answer_behind(was, now, "leave range in", "amend.except")
    assert text in ("", was)


def test_a_part_that_is_not_named_by_its_own_words_is_marked() -> None:
    found, _ = answer_behind(*RANGE, "only for low", "amend.only_here")
    assert any("from the words around" in item for item in found.ways[0].marked)


def test_what_a_call_was_done_to_is_left_with_all_that_came_of_it() -> None:
    was = "class A:\n    def x(self):\n        return 1\n\n    def y(self):\n        return self.x() + 1\n"
    before = Repository(DictTree({PATH: was}))
    calls = tuple(MakeProperty(Symbol(f"A.{name}", PATH)) for name in "xy")
    plan = plan_of(calls, before)
    assert isinstance(plan, Plan)
    earlier = Done("make_property", {}, calls)
    told = Situation(before.with_changes(plan.texts(before)), PATH, earlier=earlier, before=before)
    told = replace(told, instruction="not x", changed=(PATH,))
    found = answer_orders([Order(0, 5, (Reading("amend.except", 0.95, {}),))], told)
    text = found.ways[0].plan.texts(before)[PATH] or ""
    assert text.count("@property") == 1
    assert "return self.x() + 1" in text


@pytest.mark.parametrize(
    ("message", "slots", "places"),
    [
        ("not in tests", {}, "tests"),
        ("but not in the tests please", {"file": "the tests"}, "the tests"),
        ("not in api", {}, "api"),
        ("not in area", {"function": "area"}, "area"),
    ],
)
def test_an_edit_stays_that_has_nothing_in_the_place_that_is_left_out(
    message: str, slots: dict[str, str], places: str
) -> None:
    files = {
        PATH: f"{RENAMED[0]}\n\n{TOLD[0]}",
        "tests/test_shop.py": "import shop\n",
        "api.py": "import shop\n",
    }
    before = Repository(DictTree(files))
    now = before.with_changes({PATH: files[PATH].replace(*RENAMED)})
    told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction=message)
    starts = {slot: message.index(words) for slot, words in slots.items()}
    spans = {slot: (Span(at, at + len(slots[slot]), slots[slot]),) for slot, at in starts.items()}
    order = Order(0, len(message), (Reading("amend.except", 0.6, spans),))
    found = answer_orders([order], replace(told, changed=(PATH,)))
    assert (found.kind, found.reason) == (
        "nothing",
        f"The last edit changes nothing in {places}; it stays as it is.",
    )


def test_leaving_alone_what_nothing_is_called_takes_nothing_back() -> None:
    found, text = answer_behind(*CHECKED, "leave the other one alone", "amend.except", function="other")
    assert found.kind != "undo"
    assert not text


@pytest.mark.parametrize(("message", "undone"), [("no limit", False), ("no, not that", True)])
def test_an_unlikely_undo_that_names_something_else_takes_nothing_back(message: str, undone: bool) -> None:
    readings = (Reading("amend.undo", 0.3, {}), Reading("chat", 0.2, {}))
    told = situation_behind(*RANGE, message)
    settled_order = settled(Order(0, len(message), readings), told)
    assert (settled_order.readings[0].intent == "amend.undo") is undone


def test_a_place_after_not_in_is_left_out_whatever_it_was_read_as() -> None:
    guard = "    if a is None:\n        raise ValueError\n"
    first, second = "def f(a):\n", "def g(a):\n"
    body = "    return a\n\n\n"
    edit = (first + body + second + body, first + guard + body + second + guard + body)
    _, text = answer_behind(*edit, "pas dans g", "amend.place", function="g")
    assert text == first + guard + body + second + body
