"""What is complete without the edit before it is as sure as a first message."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.support import PATH
from support.fake_reader import FakeReader

from spark_tui.intent.answering.complete_messages import answer_behind_edit
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import FOLLOW_UP, UNSURE, Answer
from spark_tui.intent.reading.symbol_roles import RepositoryRoles
from spark_tui.intent.words.readings import Order, SymbolRoles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "LIMIT = 3\nRATE = 1\n\n\ndef load(path):\n    return path\n"
CODE += "\n\nclass Tin:\n    def __init__(self, size=3):\n        self.size = size\n"
CODE += "\n    def peek(self):\n        return self.size\n"
SIZES = "".join(f"\n\nclass A{at}:\n    def size(self, path):\n        return path\n" for at in range(6))
FIRST, WHOLE, PART = "set LIMIT to 4", "set RATE to 2", "no, 5"
OTHER = "no, set RATE to 2"
ALL, BUILT = "rename peek to look everywhere", "set the default of size in Tin to 9"
ANNOTATE = "annotate it"
DOCUMENT, STATIC = "add the docstring 'Count.' to A3.size", "make size static"
MEANS = {
    FIRST: (("set_value", {"variable": "LIMIT", "value": "4"}, 0.99),),
    WHOLE: (("set_value", {"variable": "RATE", "value": "2"}, 0.99),),
    OTHER: (("set_value", {"variable": "RATE", "value": "2"}, 0.99),),
    "rename load to read": (("rename", {"symbol": "load", "new": "read"}, 0.99),),
    "likewise for RATE": (("amend.also", {"variable": "RATE"}, 0.6),),
    "same for save": (("amend.also", {"function": "save"}, 0.99),),
    PART: (("amend.value", {"value": "5"}, 0.99),),
    ALL: (("rename", {"symbol": "peek", "new": "look"}, 0.99),),
    BUILT: (("set_default", {"function": "Tin", "parameter": "size", "default": "9"}, 0.99),),
    DOCUMENT: (("set_docstring", {"function": "A3.size", "text": "Count."}, 0.99),),
    ANNOTATE: (("annotate_all", {}, 0.97),),
    STATIC: (("make_static", {"function": "size"}, 0.97),),
}


class UnsureAlone(FakeReader):
    """Less sure of everything where nothing was done before."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        if not earlier:
            intent, words, _ = self.means[instruction][0]
            return FakeReader({instruction: ((intent, words, 0.4),)}).read(instruction, symbols)
        return super().read(instruction, symbols, earlier)


class EverywhereAlone(FakeReader):
    """Hears *everywhere* only where nothing was done before."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        (order,) = super().read(instruction, symbols, earlier)
        heard = (replace(reading, everywhere=not earlier) for reading in order.readings)
        return (replace(order, readings=tuple(heard)),)


class UnsureBehind(FakeReader):
    """Less sure of what amends an edit."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        intent, words, sure = self.means[instruction][0]
        return FakeReader({instruction: ((intent, words, 0.5 if earlier else sure),)}).read(
            instruction, symbols
        )


def behind_edit(first: str, message: str, reader: FakeReader, code: str = CODE) -> Answer:
    before = Repository(DictTree({PATH: code}))
    symbols = RepositoryRoles().of(before.index, ())
    done = answer_behind_edit(first, FakeReader(MEANS), Situation(before, PATH), symbols).ways[0]
    assert done.marked == ()
    after = before.with_changes(done.plan.texts(before))
    now = Situation(after, PATH, earlier=done.done, before=before)
    return answer_behind_edit(message, reader, now, symbols)


def marks_behind_edit(message: str, reader: FakeReader) -> tuple[str, ...]:
    return behind_edit(FIRST, message, reader).ways[0].marked


def test_a_complete_message_has_no_mark_behind_an_edit() -> None:
    assert marks_behind_edit(WHOLE, FakeReader(MEANS)) == ()


def test_a_message_that_corrects_an_edit_is_not_a_first_one() -> None:
    assert marks_behind_edit(OTHER, FakeReader(MEANS)) == (FOLLOW_UP,)


def test_a_clear_amendment_has_no_mark() -> None:
    assert marks_behind_edit(PART, FakeReader(MEANS)) == ()


def test_an_amendment_that_is_not_sure_is_marked() -> None:
    assert marks_behind_edit(PART, UnsureBehind(MEANS)) == (FOLLOW_UP,)


@pytest.mark.parametrize("message", [WHOLE, BUILT])
def test_a_message_about_something_else_is_not_said_to_be_about_the_last_edit(message: str) -> None:
    assert marks_behind_edit(message, UnsureAlone(MEANS)) == (UNSURE,)


def test_lines_that_are_found_without_the_last_edit_are_not_said_to_be_about_it() -> None:
    code = f"{CODE}\n\ndef pick(x):\n    if x:\n        return 1\n    else:\n        return 2\n"
    said = "invert the if in pick"
    reader = FakeReader({said: (("negate_condition", {"function": "pick"}, 0.6),)})
    way = behind_edit(FIRST, said, reader, code).ways[0]
    assert "if not x:" in str(way.plan.edits)
    assert way.marked == (UNSURE,)


def test_what_goes_on_from_the_last_edit_is_said_to_be_about_it() -> None:
    found = behind_edit("set LIMIT to 4", "likewise for RATE", FakeReader(MEANS))
    assert found.ways[0].marked == (FOLLOW_UP,)


def test_another_call_that_makes_the_same_edit_has_its_marks() -> None:
    """`rename` behind an edit, `rename_all` by itself."""
    found = behind_edit(FIRST, ALL, EverywhereAlone(MEANS)).ways[0]
    assert "RenameAll" not in str(found.calls)
    assert found.marked == ()


def test_the_same_edit_has_the_marks_that_it_has_alone() -> None:
    said = f"{WHOLE} please, now"
    less_sure = FakeReader({said: (("set_value", {"variable": "RATE", "value": "2"}, 0.921),)})
    assert marks_behind_edit(said, less_sure) == (UNSURE,)


def test_a_message_about_something_else_is_answered_as_a_first_one() -> None:
    """Behind an edit more certainty is asked for: six methods have that name."""
    reader, before = FakeReader(MEANS), Repository(DictTree({PATH: CODE + SIZES}))
    symbols = RepositoryRoles().of(before.index, ())
    alone = answer_behind_edit(STATIC, reader, Situation(before, PATH), symbols)
    found = behind_edit(FIRST, STATIC, reader, CODE + SIZES)
    assert alone.kind == found.kind == "edit"
    assert (found.ways[0].calls, found.ways[0].marked) == (alone.ways[0].calls, alone.ways[0].marked)


def test_a_message_that_names_what_was_just_edited_is_about_that() -> None:
    found = behind_edit(DOCUMENT, STATIC, FakeReader(MEANS), CODE + SIZES)
    assert "'A3.size'" in str(found.ways[0].calls)


def test_a_new_name_is_not_said_to_be_there_already_for_another_symbol() -> None:
    code = f"{CODE}\n\ndef save(path):\n    return path\n"
    found = behind_edit("rename load to read", "same for save", FakeReader(MEANS), code)
    assert found.kind != "nothing"


class ReadsNothingBehind(FakeReader):
    """Reads nothing where something was done before, or an amendment."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        if not earlier or instruction == FIRST:
            return super().read(instruction, symbols)
        amends = ("amend.value", {"value": "2"}, 0.01 if instruction == WHOLE else 0.5)
        return FakeReader({instruction: (("write", {}, 0.49), amends)}).read(instruction, symbols)


@pytest.mark.parametrize(("said", "kind"), [(WHOLE, "edit"), ("RATE may be 2", "write")])
def test_what_is_read_only_as_a_first_message_is_done_with_a_mark(said: str, kind: str) -> None:
    means = {**MEANS, said: (("set_value", {"variable": "RATE", "value": "2"}, 0.99),)}
    found = behind_edit(FIRST, said, ReadsNothingBehind(means))
    assert found.kind == kind and all(UNSURE in way.marked for way in found.ways)


def test_a_pronoun_alone_is_not_the_whole_file() -> None:
    before = Repository(DictTree({PATH: CODE}))
    symbols = RepositoryRoles().of(before.index, ())
    assert answer_behind_edit(ANNOTATE, FakeReader(MEANS), Situation(before, PATH), symbols).ways
    reader = FakeReader({**MEANS, ANNOTATE: (("annotate_all", {}, 0.97),)})
    assert not behind_edit(FIRST, ANNOTATE, reader).ways
