"""A message that begins with a line of the file is about the calls in it."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """def fail(text):
    raise SystemExit(text)


def run(job, error):
    error(job)
    print("run")


class Parser:
    def parse(self, line, error):
        self.error("no =")
        error("no end")
        print("parse")
        return sum(one.size for one in line)

    def lost(self, text):
        print(text)
"""
SLOTS = {"new": "lost", "old": "error"}


@pytest.mark.parametrize(
    ("text", "intent", "slots", "line"),
    [
        ('`self.error("no =")`: call lost instead of error', "replace_call", SLOTS, 'self.lost("no =")'),
        (
            "`error(job)`: call fail instead of error",
            "rename",
            {"new": "fail", "symbol": "error"},
            "fail(job)",
        ),
        ('`print("run")`: log it', "print_to_logging", {}, 'logger.info("run")'),
    ],
)
def test_the_shown_call_alone_is_changed(text: str, intent: str, slots: dict[str, str], line: str) -> None:
    at = {slot: text.rindex(said) for slot, said in slots.items()}
    spans = {slot: (Span(at[slot], at[slot] + len(said), said),) for slot, said in slots.items()}
    order = Order(0, len(text), (Reading(intent, 0.95, spans),))
    new = result(answer_orders([order], situation({PATH: CODE}, instruction=text)), {PATH: CODE})
    lines = list(map(str.strip, new.splitlines()))
    assert line in lines
    assert sum(one.strip() not in lines for one in CODE.splitlines()) == 1


def test_a_function_that_the_shown_line_calls_is_no_place() -> None:
    text = "`error(job)`: call fail instead of error"
    spans = {
        "function": (Span(1, 6, "error"),),
        "new": (Span(18, 22, "fail"),),
        "old": (Span(34, 39, "error"),),
    }
    order = Order(0, len(text), (Reading("replace_call", 0.95, spans),))
    answer = answer_orders([order], situation({PATH: CODE}, instruction=text))
    assert "    fail(job)" in result(answer, {PATH: CODE}).splitlines()
    assert not any("outside" in reason for reason in answer.ways[0].marked)
