"""What is complete without the edit before it is as sure as a first message."""

from __future__ import annotations

import pytest
from intent.support import PATH
from support.fake_reader import FakeReader

from spark_tui.intent.answering.complete_messages import answer_behind_edit
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import FOLLOW_UP, UNSURE
from spark_tui.intent.reading.symbol_roles import RepositoryRoles
from spark_tui.intent.words.readings import Order, SymbolRoles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "LIMIT = 3\nRATE = 1\n\n\ndef load(path):\n    return path\n"
FIRST, WHOLE, PART = "set LIMIT to 4", "set RATE to 2", "no, 5"
MEANS = {
    FIRST: (("set_value", {"variable": "LIMIT", "value": "4"}, 0.99),),
    WHOLE: (("set_value", {"variable": "RATE", "value": "2"}, 0.99),),
    PART: (("amend.value", {"value": "5"}, 0.99),),
}


class UnsureAlone(FakeReader):
    """Less sure of everything where nothing was done before."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        if not earlier:
            intent, words, _ = self.means[instruction][0]
            return FakeReader({instruction: ((intent, words, 0.4),)}).read(instruction, symbols)
        return super().read(instruction, symbols, earlier)


class UnsureBehind(FakeReader):
    """Less sure of what amends an edit."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        intent, words, sure = self.means[instruction][0]
        return FakeReader({instruction: ((intent, words, 0.5 if earlier else sure),)}).read(
            instruction, symbols
        )


def marks_behind_edit(message: str, reader: FakeReader) -> tuple[str, ...]:
    before = Repository(DictTree({PATH: CODE}))
    symbols = RepositoryRoles().of(before.index, ())
    first = answer_behind_edit(FIRST, FakeReader(MEANS), Situation(before, PATH), symbols).ways[0]
    assert first.marked == ()
    after = before.with_changes(first.plan.texts(before))
    now = Situation(after, PATH, earlier=first.done, before=before)
    return answer_behind_edit(message, reader, now, symbols).ways[0].marked


def test_a_complete_message_has_no_mark_behind_an_edit() -> None:
    assert marks_behind_edit(WHOLE, FakeReader(MEANS)) == ()


def test_a_clear_amendment_has_no_mark() -> None:
    assert marks_behind_edit(PART, FakeReader(MEANS)) == ()


@pytest.mark.parametrize(("message", "reader"), [(PART, UnsureBehind(MEANS)), (WHOLE, UnsureAlone(MEANS))])
def test_a_message_that_is_not_sure_alone_is_marked(message: str, reader: FakeReader) -> None:
    assert marks_behind_edit(message, reader) == (FOLLOW_UP,)


def test_the_same_edit_has_the_marks_that_it_has_alone() -> None:
    said = f"{WHOLE} please, now"
    less_sure = FakeReader({said: (("set_value", {"variable": "RATE", "value": "2"}, 0.921),)})
    assert marks_behind_edit(said, less_sure) == (UNSURE,)
