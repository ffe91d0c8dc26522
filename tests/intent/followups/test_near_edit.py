"""Orders after an edit that name no subject."""

from __future__ import annotations

from intent.following import answer_behind, situation_behind

from spark_tui.codemods.registry import from_json
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.followups.orders.near_edit import near_edit
from spark_tui.intent.words.readings import Reading, Span

CODE = """import logging

log = logging.getLogger(__name__)


def ask(player, tries):
    if not tries:
        print(player.name)
    return player


def load(path):
    open(path)
    return path
"""
MINUS = CODE.replace("        print", "        player.score -= 5\n        print")
TRIED = CODE.replace(
    "    open(path)\n", "    try:\n        open(path)\n    except OSError:\n        return None\n"
)


def test_what_was_set_is_the_subject() -> None:
    _, made = answer_behind(CODE, MINUS, "but never below zero", "limit_value", minimum="zero")
    assert "player.score = max(0, player.score - 5)" in made


def test_another_place_counts_less() -> None:
    def insert(line: int) -> Candidate:
        row = {"op": "insert_statements", "place": f"shop.py:{line}", "code": "log.info(path)"}
        return Candidate((from_json({**row, "side": "before"}),), Reading("add_log", 0.9, {}))

    now = situation_behind(CODE, TRIED, "log it")
    here, there = insert(TRIED.split("\n").index("        return None") + 1), insert(7)
    assert near_edit([(0.5, there), (0.4, here)], now) == [(0.2, there), (0.4, here)]
    assert near_edit([(0.5, there)], now) == [(0.5, there)]
    named = Candidate(there.calls, Reading("add_log", 0.9, {"function": (Span(0, 3, "ask"),)}))
    assert near_edit([(0.5, named), (0.4, here)], now) == [(0.5, named), (0.4, here)]


def test_the_function_of_the_edit_is_meant_where_no_other_is_named() -> None:
    def rewrite(symbol: str) -> Candidate:
        row = {"op": "to_f_string", "place": f"in {symbol}"}
        return Candidate((from_json(row),), Reading("to_f_string", 0.9, {}))

    now = situation_behind(CODE, TRIED, "f-strings")
    here, there = rewrite("shop.py::load"), rewrite("shop.py")
    ((weight, _), kept) = near_edit([(0.5, there), (0.4, here)], now)
    assert weight < 0.1
    assert kept == (0.4, here)
    whole = Candidate(there.calls, Reading("to_f_string", 0.9, {}, everywhere=True))
    assert near_edit([(0.5, whole), (0.4, here)], now) == [(0.5, whole), (0.4, here)]
