"""Several things are named, and with some of them there is nothing to do."""

from __future__ import annotations

from intent.asking import edited
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """def f(db, a):
    return db.execute("SELECT 1 WHERE a = '%s'" % a)


def g(db):
    return db.execute("SELECT 1")
"""


def test_what_is_done_already_in_one_of_two_does_not_hold_back_the_other() -> None:
    said = "f and g with query parameters"
    spans = (Span(0, 1, "f"), Span(6, 7, "g"))
    order = Order(0, len(said), (Reading("pattern.query_parameters", 0.95, {"function": spans}),))
    answer = answer_orders([order], situation({PATH: CODE}, instruction=said))
    assert result(answer, {PATH: CODE}) == CODE.replace("""= '%s'" % a""", """= ?", (a,)""")
    assert any("nothing was done for one of them" in mark for mark in answer.ways[0].marked)


def test_where_nothing_is_to_be_done_for_any_nothing_is_done() -> None:
    code = CODE.replace("""= '%s'" % a""", """= ?", (a,)""")
    said = "f and g with query parameters"
    assert edited(said, "pattern.query_parameters", {"function": "f + g"}, code) is None
