"""A default after another one is that of the parameter which the message names."""

from __future__ import annotations

from dataclasses import replace

from intent.following import answer_behind, situation_behind

from spark_tui.intent.followups.orders.on_written import complete_from_edit
from spark_tui.intent.words.readings import Reading, Span

BEFORE = "def pick(items, lo=1, hi=10):\n    return items[lo:hi]\n"


def test_the_parameter_of_the_function_that_is_named_gets_it() -> None:
    now = BEFORE.replace("hi=10", "hi=5")
    _, after = answer_behind(BEFORE, now, "and lo to 2", "set_default", default="2")
    assert "def pick(items, lo=2, hi=5):" in after


def test_a_default_is_that_of_the_key_that_was_looked_up() -> None:
    before = 'import os\n\n\ndef key():\n    secret = os.environ["WORD"]\n    return secret\n'
    now = before.replace('["WORD"]', '.get("WORD")')
    _, after = answer_behind(before, now, "with 'plain' as the default", "set_default", default="plain")
    assert '    secret = os.environ.get("WORD", "plain")\n' in after


def test_what_one_of_several_orders_leaves_open_is_no_literal_of_the_edit() -> None:
    said = situation_behind(BEFORE, BEFORE.replace("hi=10", "hi=5"), "pass it to pick")
    reading = Reading("add_argument", 0.9, {"call": (Span(-1, -1, "pick"),)})
    (filled,) = complete_from_edit(reading, said)
    assert filled.slots["value"][0].text == "5"
    assert complete_from_edit(reading, replace(said, several=True)) == [reading]
