"""What is offered where no edit is sure enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spark_tui.evals.case_runner import CaseAnswer, with_offers
from spark_tui.evals.cases import EvalCase
from spark_tui.evals.reader_runner import CaseReader
from spark_tui.intent.answering.offering import offered
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Way
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
def load(path, retries=1):
    data = path.read_text()
    return data


def save(path):
    return load(path)
"""
SAID = "load: 3 for retries, and return 0"


def read(text: str, **slots: str) -> dict[str, tuple[Span, ...]]:
    return {slot: (Span(text.index(one), text.index(one) + len(one), one),) for slot, one in slots.items()}


class Told:
    """A reader that was told the orders."""

    def __init__(self, *orders: Order) -> None:
        self.orders = orders

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        return self.orders


REFUSED = Reading("raise_from", 0.7, read(SAID, function="load"))
DEFAULT = Reading("set_default", 0.1, read(SAID, function="load", parameter="retries", default="3"))
RETURN = Reading("set_return", 0.09, read(SAID, function="load", result="0"))


def ways(*orders: Order, doubt: float = 1.0) -> tuple[Way, ...]:
    repo = Repository(DictTree({"store.py": CODE}))
    roles = repository_roles(repo.index, ("store.py",))
    return offered(SAID, Told(*orders), Situation(repo, "store.py"), roles, doubt)


def whole(*readings: Reading) -> Order:
    return Order(0, len(SAID), readings)


def test_every_reading_that_can_be_done_is_offered_the_likeliest_first() -> None:
    assert [way.title for way in ways(whole(REFUSED, DEFAULT, RETURN))] == [
        "retries=3 in load",
        "return 0 in load",
    ]


def test_an_edit_that_is_hardly_meant_is_not_offered_beside_a_likely_one() -> None:
    unlikely = replace(RETURN, probability=0.01)
    assert [way.title for way in ways(whole(REFUSED, DEFAULT, unlikely))] == ["retries=3 in load"]


@pytest.mark.parametrize(("text", "count"), [("path is odd", 0), ("stuff is odd", 1)])
def test_an_edit_that_has_to_do_with_none_of_the_names_that_are_said_is_not_offered(
    text: str, count: int
) -> None:
    repo = Repository(DictTree({"store.py": f"# old stuff\n\n\n{CODE}"}))
    roles = repository_roles(repo.index, ("store.py",))
    told = Told(Order(0, len(text), (Reading("remove_comments", 0.3),)))
    assert len(offered(text, told, Situation(repo, "store.py"), roles)) == count


@pytest.mark.parametrize("intent", ["question", "write", "chat", "impossible"])
def test_nothing_is_offered_where_no_edit_is_asked_for(intent: str) -> None:
    assert ways(whole(Reading(intent, 0.5), DEFAULT, RETURN)) == ()


def test_nothing_is_offered_where_nothing_can_be_done_or_is_likely_enough() -> None:
    assert ways(whole(REFUSED)) == ()
    assert ways() == ()
    assert ways(whole(REFUSED, DEFAULT), doubt=0.001) == ()


def test_of_several_orders_each_is_offered_with_what_is_left() -> None:
    split = SAID.index(", and")
    first = Order(0, split, (REFUSED, DEFAULT))
    second = Order(split, len(SAID), (Reading("raise_from", 0.7, read(SAID, function="load")), RETURN))
    found = {way.title: way.marked for way in ways(first, second)}
    assert "not done: return 0" in found["retries=3 in load"]
    assert "not done: load: 3 for retries" in found["return 0 in load"]


def test_an_edit_that_would_surely_break_something_is_not_offered() -> None:
    said = "load returns dtaa"
    order = Order(
        0,
        len(said),
        (
            Reading("raise_from", 0.7, read(said, function="load")),
            Reading("set_return", 0.1, read(said, function="load", result="dtaa")),
        ),
    )
    repo = Repository(DictTree({"store.py": CODE}))
    roles = repository_roles(repo.index, ("store.py",))
    found = offered(said, Told(order), Situation(repo, "store.py"), roles)
    assert [item.title for item in found] == ['return "dtaa" in load']


def test_a_case_that_the_model_declines_has_the_choices_that_a_session_offers() -> None:
    case = EvalCase("1", "store.py", CODE, SAID)
    reader = CaseReader()
    reader.__dict__["_reader"] = Told(whole(REFUSED, DEFAULT))
    declined = CaseAnswer(CODE, "cannot", 0, 0, 0, 0.9, 0.0, 0.0)
    found = with_offers(reader, case, declined)
    assert (found.verdict, found.choices) == ("choices", (CODE.replace("retries=1", "retries=3"),))
    edited = CaseAnswer("x = 1\n", "edit", 1, 1, 0, 0.9, 0.0, 0.0)
    assert with_offers(reader, case, edited) == edited
    sure = CaseAnswer(CODE, "no-edit", 0, 0, 0, 1.0, 0.0, 0.0)
    assert with_offers(reader, case, sure) == sure


def test_nothing_else_is_offered_for_a_new_name_that_cannot_be() -> None:
    message = "rename path to sum everywhere"
    slots = {"symbol": "path", "new": "sum"}
    spans = {
        slot: (Span(message.index(one), message.index(one) + len(one), one),) for slot, one in slots.items()
    }
    reading = Reading("rename", 0.9, spans, (), True)
    swapped = Reading("replace_expression", 0.3, {"old": spans["symbol"], "new": spans["new"]})
    order = Order(0, len(message), (reading, swapped))
    repo = Repository(DictTree({"store.py": CODE}))
    roles = repository_roles(repo.index, ("store.py",))
    situation = Situation(repo, "store.py", instruction=message)
    assert offered(message, Told(order), situation, roles) == ()
