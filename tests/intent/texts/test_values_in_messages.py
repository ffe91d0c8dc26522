"""Values that messages are to show: which they are, where they may stand, and after which edits."""

from __future__ import annotations

import ast

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, spans

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.facts.unset_names import bound_at
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

GARDEN = """import logging

log = logging.getLogger(__name__)
MOST_BEDS = 6
KINDS = {"herb", "root"}


class Garden:
    def __init__(self, owner):
        self.owner = owner
        self.beds = {}

    def plant(self, bed_id, plant, depth=1):
        bed = self.beds.get(bed_id)
        if not bed:
            raise LookupError("no such bed")
        if plant.kind not in KINDS:
            raise ValueError("wrong kind!")
        if len(bed) > MOST_BEDS:
            log.warning("bed is full: %s", bed_id)
        bed.append(plant)

    def water(self, names, tries):
        for name in names:
            for turn in range(tries):
                try:
                    self.open(name)
                except OSError:
                    print("cannot open")
        raise TimeoutError("nothing left")
"""


@pytest.mark.parametrize(
    ("text", "slots", "old", "new"),
    [
        ("which bed was it", {"value": "which bed"}, '"no such bed"', 'f"no such bed: {bed_id}"'),
        (
            "no such bed: say which one",
            {"value": "which one", "message": "no such bed"},
            '"no such bed"',
            'f"no such bed: {bed_id}"',
        ),
        (
            "wrong kind needs the kind",
            {"value": "the kind", "message": "wrong kind"},
            '"wrong kind!"',
            'f"wrong kind: {plant.kind}!"',
        ),
        (
            "cannot open: which name",
            {"value": "which name", "message": "cannot open"},
            '"cannot open"',
            'f"cannot open: {name}"',
        ),
        (
            "nothing left: how many tries",
            {"value": "how many tries", "message": "nothing left"},
            '"nothing left"',
            'f"nothing left: {tries}"',
        ),
        (
            "wrong kind: the owner in front",
            {"value": "the owner", "message": "wrong kind"},
            '"wrong kind!"',
            'f"{self.owner}: wrong kind!"',
        ),
    ],
)
def test_what_is_named_comes_into_the_message(text: str, slots: dict[str, str], old: str, new: str) -> None:
    assert changed(GARDEN, text, "say_value", **slots) == GARDEN.replace(old, new)


def test_what_a_message_says_is_not_said_again() -> None:
    found = answer_to(
        GARDEN, "the full line with the bed id", "say_value", value="the bed id", message="full line"
    )
    assert found.kind == "nothing"


def test_the_error_gets_a_name_to_be_shown() -> None:
    new = changed(GARDEN, "cannot open should say why", "say_value", value="why", message="cannot open")
    assert 'except OSError as e:\n                    print(f"cannot open: {e}")' in new


@pytest.mark.parametrize("said", ["which one", "the bed id", "with the bed id"])
def test_words_that_name_a_value_are_no_new_text_behind_an_edit(said: str) -> None:
    before = GARDEN.replace(
        '        if not bed:\n            raise LookupError("no such bed")\n        if plant',
        "        if plant",
    )
    text, slots = spans({"message": said})
    told = Situation(
        Repository(DictTree({PATH: GARDEN})),
        PATH,
        earlier=Done("write", {}, ()),
        before=Repository(DictTree({PATH: before})),
        instruction=text,
    )
    found = answer_orders([Order(0, len(text), (Reading("amend.message", 0.95, slots),))], told)
    new = found.ways[0].plan.texts(told.repo).get(PATH)
    assert new == GARDEN.replace('"no such bed"', 'f"no such bed: {bed_id}"')


def test_a_text_without_quotes_stays_a_text() -> None:
    text = "no such bed -> bed is missing"
    new = changed(GARDEN, text, "replace_message", old="no such bed", message="bed is missing")
    assert '"bed is missing"' in new


def test_only_what_has_a_value_on_every_way_is_bound() -> None:
    code = """
def f(a, *rest):
    if a:
        b = 1
    else:
        return
    if b:
        c = 2
    for d in rest:
        e = d
    try:
        g = a()
    except KeyError as h:
        pass
    here
"""
    source = Source(code)
    assert source.tree is not None
    here = next(node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "here")
    assert bound_at(source, here) == {"a", "rest", "b"}
