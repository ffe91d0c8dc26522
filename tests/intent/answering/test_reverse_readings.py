"""Readings that do the reverse: what is to go is not put back, and what is to stay is not deleted."""

from __future__ import annotations

from intent.asking import answer_to
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span


def test_what_is_gone_already_is_not_put_back() -> None:
    text = "and the os import as well"

    def span(words: str) -> tuple[Span, ...]:
        return (Span(text.index(words), text.index(words) + len(words), words),)

    gone = Reading("remove_import", 0.9, {"module": span("os")})
    order = Order(0, len(text), (gone, Reading("add_import", 0.06, {"module": span("os")})))
    found = answer_orders([order], situation({PATH: "import sys\n\nprint(sys.argv)\n"}, instruction=text))
    assert (found.kind, found.idle) == ("nothing", "os is not imported there")


def test_what_is_to_go_does_not_come_back_where_it_is_gone() -> None:
    text = "remove Optional from the typing import"
    slots = {"module": (Span(25, 31, "typing"),), "name": (Span(7, 15, "Optional"),)}
    readings = (Reading("remove_import", 0.6, slots), Reading("add_import", 0.1, slots))
    code = "from typing import Any\n\nvalues: Any = 1\n"
    found = answer_orders([Order(0, len(text), readings)], situation({PATH: code}, instruction=text))
    assert not found.ways
    near = (readings[0], Reading("add_import", 0.4, slots))
    assert answer_orders([Order(0, len(text), near)], situation({PATH: code}, instruction=text)).ways


def test_what_is_there_as_it_is_to_be_is_not_removed() -> None:
    text = "def reload, just calls load"
    code = (
        "class Store:\n    def load(self):\n        return 1\n\n    def reload(self):\n        self.load()\n"
    )
    named = (Span(4, 10, "reload"),)
    body = Reading("replace_body", 0.36, {"function": named, "code": (Span(17, 27, "calls load"),)})
    order = Order(0, len(text), (body, Reading("remove_definition", 0.11, {"symbol": named})))
    found = answer_orders([order], situation({PATH: code}, instruction=text))
    assert (found.kind, found.reason) == ("write", "It seems to be done already: it is already there.")


def test_what_is_said_to_stay_is_not_deleted() -> None:
    text = 'and "pong" stays'
    code = 'def test_ping(out):\n    assert out == "pong"\n    return out\n'
    gone = Reading("delete_statement", 0.5, {"code": (Span(5, 9, "pong", True),)})
    found = answer_orders([Order(0, len(text), (gone,))], situation({PATH: code}, instruction=text))
    assert not found.ways
    found = answer_to(code, 'and "pong" goes', "delete_statement", code="pong")
    assert found.ways
