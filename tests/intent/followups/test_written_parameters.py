"""Messages about parameters: what was written becomes one, or one that was written is given a default."""

from __future__ import annotations

import pytest
from intent.following import answer_behind, situation_behind
from intent.support import PATH

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading

LOAD = "import time\n\nPAUSE = 2\n\n\ndef load(path):\n    return open(path)\n"
SLEEPS = LOAD.replace("    return", "    time.sleep(PAUSE)\n    return")
CLASS = "class Song:\n    def __init__(self, title):\n        self.title = title\n"
COUNTS = CLASS + "        self.plays = 0\n"
MODES = LOAD.replace("(path)", "(path, mode)", 1).replace("open(path)", "open(path, mode)")


@pytest.mark.parametrize(
    ("was", "now", "message", "intent", "wanted"),
    [
        (LOAD, SLEEPS, "make it a parameter", "add_parameter", "load(path, pause=PAUSE)"),
        (LOAD, SLEEPS, "let the caller choose it", "write", "load(path, pause=PAUSE)"),
        (LOAD, SLEEPS, "put it in the signature", "amend.first", "load(path, pause=PAUSE)"),
        (CLASS, COUNTS, "as a constructor argument", "add_parameter", "__init__(self, title, plays=0)"),
        (CLASS, COUNTS, "put it in the constructor", "amend.place", "__init__(self, title, plays=0)"),
        (CLASS, COUNTS, "als Parameter vom Konstruktor", "amend.type", "__init__(self, title, plays=0)"),
        (LOAD, MODES, "it must be optional", "remove_default", "load(path, mode=None)"),
        (LOAD, MODES, "soll optional sein", "set_option", "load(path, mode=None)"),
    ],
)
def test_a_parameter_is_made_or_gets_a_default(
    was: str, now: str, message: str, intent: str, wanted: str
) -> None:
    told = situation_behind(was, now, message)
    answer = answer_orders([Order(0, len(message), (Reading(intent, 0.5),))], told)
    base = told.before if answer.ways[0].from_before else told.repo
    assert base is not None
    assert f"def {wanted}:" in (answer.ways[0].plan.texts(base).get(PATH) or "")


@pytest.mark.parametrize(
    ("message", "given"),
    [("the default is r", "r"), ("optional, @ by default", "@"), ('default to "r"', "r")],
)
def test_a_default_goes_to_the_parameter_that_was_written(message: str, given: str) -> None:
    _, text = answer_behind(LOAD, MODES, message, "amend.value", value=given)
    assert f'def load(path, mode="{given}"):' in text
