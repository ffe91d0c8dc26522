"""Follow-ups whose edits may be wrong carry a mark: taken names, lost conditions, words as messages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from intent.following import answer_behind
from intent.support import PATH

from spark_tui.codemods.registry import from_json
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """import os

LIMITS = {"rows": 5, "size": 3}


class Probe:
    def __init__(self, name, values, unit):
        self.name = name
        self.values = values
        self.unit = unit

    def mean(self):
        return sum(self.values) / len(self.values)


def show(probes, limit):
    for probe in probes:
        print(probe, limit)
    return {}
"""
GUARD = (
    "        return sum",
    '        if not self.values:\n            raise ValueError("no values")\n        return sum',
)
SORTED = (
    "    for probe in probes:\n",
    "    ordered = sorted(probes)\n    for probe in ordered:\n",
)
KEY = ('"size": 3}', '"size": 3, "wait": 9}')
RETURN = ("return {}", "return []")


def marks(edit: tuple[str, str], text: str, intent: str, **slots: str) -> Sequence[str]:
    answer, _ = answer_behind(CODE, CODE.replace(*edit), text, intent, **slots)
    return answer.ways[0].marked if answer.ways else ("refused",)


@pytest.mark.parametrize("name", ["limit", "probes", "print", "sorted", "show", "os", "Probe"])
def test_a_new_name_that_something_else_has_is_doubted(name: str) -> None:
    said = marks(SORTED, f"call it {name}", "amend.name", new=name)
    assert "refused" in said or f"{name} is the name of something else" in said


def test_a_new_key_that_the_dictionary_has_is_doubted() -> None:
    assert "rows is the name of something else" in marks(KEY, "call it rows", "amend.name", new="rows")


def test_a_free_name_is_not_doubted() -> None:
    assert not any(
        "something else" in mark for mark in marks(SORTED, "call it rows", "amend.name", new="rows")
    )


def test_a_length_is_not_compared_with_none() -> None:
    answer, text = answer_behind(
        CODE, CODE.replace(*GUARD), "== None", "amend.condition", condition="== None"
    )
    assert answer.kind != "edit" or "len(self.values) == None" not in text


@pytest.mark.parametrize("words", ["with the unit in it", "without the dot", "self.unit"])
def test_words_that_tell_what_is_to_be_in_a_message_are_no_message_without_a_doubt(words: str) -> None:
    assert "words about the text were read as the text" in marks(GUARD, words, "amend.message", message=words)


def test_the_doubts_of_a_value_are_those_of_the_edit() -> None:
    assert "lower was read as a string" in marks(RETURN, "lower", "amend.value", value="lower")


LOGGED = ("        print(probe, limit)\n", '        print(probe, limit)\n        print("probe", probe)\n')
NONE = ("    return {}", "    if not probes:\n        return None\n    return {}")


def test_lines_that_are_moved_to_where_their_names_are_not_set_are_doubted() -> None:
    assert "probe is not set yet there" in marks(LOGGED, "move it to the top", "amend.first")
    loop = marks(LOGGED, "before the loop", "amend.before", anchor="the loop")
    assert "refused" in loop or "probe is not set yet there" in loop
    free = marks((LOGGED[0], LOGGED[1].replace(", probe)\n", ", limit)\n")), "first", "amend.first")
    assert not any("not set" in mark for mark in free)


def test_a_return_that_is_to_be_logged_is_not_only_written_in_another_form() -> None:
    assert "refused" in marks(NONE, "log it and return", "amend.return_instead")


@pytest.mark.parametrize(
    ("text", "left"),
    [("make it 7 on Windows", "on Windows"), ("make it 7 during shutdown", "shutdown"), ("make it 7", "")],
)
def test_an_amendment_whose_words_limit_it_is_marked(text: str, left: str) -> None:
    said = marks(KEY, text, "amend.value", value="7")
    assert [mark for mark in said if mark.startswith("not used")] == ([f"not used: {left}"] if left else [])


@pytest.mark.parametrize("done", [False, True])
def test_what_was_not_done_yet_is_not_done_there_too_without_a_mark(done: bool) -> None:
    before = Repository(DictTree({PATH: CODE}))
    now = before.with_changes({PATH: CODE.replace("def mean", "def level")} if done else {})
    calls = (from_json({"op": "rename", "target": "Probe.mean", "new": "level"}),) if done else ()
    earlier = Done("rename", {"new": (Span(0, 5, "level", True),)}, calls)
    text = "also in show"
    told = Situation(now, PATH, earlier=earlier, before=before, instruction=text)
    reading = Reading("amend.also", 1.0, {"function": (Span(8, 12, "show"),)})
    way = answer_orders([Order(0, len(text), (reading,))], told).ways[0]
    assert way.plan.texts(now)[PATH].count("def level") == 1 + done
    assert bool(way.marked) is not done


@pytest.mark.parametrize(
    ("name", "doubted"), [("log.error", True), ("self.level", False), ("Probe.level", False)]
)
def test_a_member_of_something_else_is_no_plain_name(name: str, doubted: bool) -> None:
    text = f"rename mean to {name}"
    told = Situation(Repository(DictTree({PATH: CODE})), PATH, instruction=text)
    slots = {"symbol": (Span(7, 11, "mean"),), "new": (Span(15, len(text), name),)}
    way = answer_orders([Order(0, len(text), (Reading("rename", 1.0, slots),))], told).ways[0]
    assert f"def {name.rpartition('.')[2]}(self)" in way.plan.texts(told.repo)[PATH]
    assert (f"{name} was taken for the name error" in way.marked) is doubted


def test_what_was_done_to_a_function_is_done_to_what_makes_the_objects_of_a_class() -> None:
    code = "def load(depth=3):\n    return depth\n"
    tree = "class Tree:\n    def __init__(self, depth=3):\n        self.depth = depth\n"
    before = Repository(DictTree({PATH: code, "tree.py": tree}))
    now = before.with_changes({PATH: code.replace("3", "6")})
    slots = {
        slot: (Span(-1, -1, text),)
        for slot, text in (("function", "load"), ("parameter", "depth"), ("default", "6"))
    }
    earlier = Done(
        "set_default",
        slots,
        (from_json({"op": "set_default", "target": "load", "name": "depth", "default": "6"}),),
    )
    text = "same in Tree"
    told = Situation(now, PATH, earlier=earlier, before=before, instruction=text)
    reading = Reading("amend.also", 1.0, {"class": (Span(8, 12, "Tree"),)})
    way = answer_orders([Order(0, len(text), (reading,))], told).ways[0]
    assert way.plan.texts(now) == {"tree.py": tree.replace("3", "6")}
