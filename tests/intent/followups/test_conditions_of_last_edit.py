"""Messages about a condition, an exit or a text that an edit wrote, which leave out what stands there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.following import answer_behind, situation_behind
from intent.support import PATH

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading

CODE = """import logging

log = logging.getLogger("basket")


class Basket:
    def __init__(self, owner, code, strict=False):
        self.owner = owner
        self.code = code
        self.goods = []
        self.strict = strict

    def take(self, index, dry_run=False):
        return self.goods[index]

    def has(self, word):
        return word in self.owner

    def add(self, name, price, dry_run=False):
        self.goods.append((name, price))
        log.info("added %s", name)


def read(lines):
    for line in lines:
        name, price = line.split(";")
        print(name, price)
"""
TAKE = "        return self.goods[index]\n"
RAISES = 'if index >= len(self.goods):\n            raise IndexError("no such good")'
TELLS = 'if index >= len(self.goods):\n            print("no such good")\n            return None'
EMPTY = "if not self.goods:\n            return None"
LINE = '        name, price = line.split(";")\n'
BLANK = "if not line.strip():\n            continue"
LOGS = ('log.info("added %s", name)', 'log.info("%s was added\\n", name)')


def behind(old: str, new: str, text: str, intent: str, /, **slots: str) -> str:
    """The text of the file after a message to an edit."""
    assert old in CODE
    now = CODE.replace(old, new)
    return answer_behind(CODE, now, text, intent, **slots)[1]


def guarded(guard: str, text: str, intent: str, /, **slots: str) -> str:
    line = LINE if guard == BLANK or "line" in guard else TAKE
    return behind(line, f"        {guard}\n{line}", text, intent, **slots)


@pytest.mark.parametrize(
    ("guard", "message", "condition", "wanted"),
    [
        (RAISES, "< 0 only", "< 0", "index < 0"),
        (EMPTY, "as soon as fewer than 3 are in it", "fewer than 3 are in it", "len(self.goods) < 3"),
        (EMPTY, "bei weniger als 3", "weniger als 3", "len(self.goods) < 3"),
    ],
)
def test_another_condition_is_about_what_the_written_one_looks_at(
    guard: str, message: str, condition: str, wanted: str
) -> None:
    assert f"if {wanted}:" in guarded(guard, message, "amend.condition", condition=condition)


@pytest.mark.parametrize(
    ("intent", "message", "condition", "wanted"),
    [
        ("also_allow", "or when it is negative", "it is negative", "or index < 0"),
        ("also_require", "but not on a dry run", "on a dry run", "and not dry_run"),
    ],
)
def test_one_more_condition_stands_beside_the_written_one(
    intent: str, message: str, condition: str, wanted: str
) -> None:
    assert f"if index >= len(self.goods) {wanted}:" in guarded(RAISES, message, intent, condition=condition)


def test_what_looks_at_the_same_is_exchanged_in_a_joined_condition() -> None:
    joined = "if self.strict and index > 3:\n            return None"
    assert "if self.strict and index >= 3:" in guarded(
        joined, "index >= 3", "amend.condition", condition="index >= 3"
    )


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("don't raise, print it and return", '            print("no such good")\n            return\n'),
        ("log it and go on instead of raising", '            log.warning("no such good")\n        return'),
        ("no printing, only return", ":\n            return\n"),
    ],
)
def test_a_return_tells_why_where_the_message_says_so(message: str, wanted: str) -> None:
    assert wanted in guarded(RAISES, message, "amend.return_instead")


def test_in_a_loop_it_goes_on_with_the_next_round() -> None:
    raises = 'if not line.strip():\n            raise ValueError("blank")'
    after = guarded(raises, "just log it and continue", "amend.return_instead")
    assert '            log.warning("blank")\n            continue\n' in after


def test_a_raise_takes_the_text_of_the_line_that_told_why() -> None:
    after = guarded(TELLS, "raise a LookupError instead", "amend.raise_instead", exception="LookupError")
    assert ':\n            raise LookupError("no such good")\n        return' in after


@pytest.mark.parametrize(
    ("message", "slot", "wanted"),
    [
        ('"new: 3" is better', "new: 3", '"new: %s\\n"'),
        ('"%s is new"', "%s is new", '"%s is new\\n"'),
        ("all in capitals", "all in capitals", '"%s WAS ADDED\\n"'),
        ("put it in quotes", "in quotes", '"%r was added\\n"'),
    ],
)
def test_another_text_keeps_its_value_and_its_ends(message: str, slot: str, wanted: str) -> None:
    assert f"log.info({wanted}, name)" in behind(*LOGS, message, "amend.message", message=slot)


def test_a_text_that_would_lose_its_value_is_not_written() -> None:
    assert behind(*LOGS, '"it is in"', "amend.message", message="it is in") == ""


def test_what_is_not_done_except_under_a_condition_is_done_under_it() -> None:
    after = behind(*LOGS, "no log except on a dry run", "run_only_if", code="log", condition="on a dry run")
    assert "        if dry_run:\n            log.info(" in after


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("or if it is negative, please", "index >= len(self.goods) or index < 0"),
        ("but not on a dry run", "index >= len(self.goods)"),
        ("but not if strict is on", "index >= len(self.goods) and not self.strict"),
    ],
)
def test_a_message_that_begins_as_a_condition_is_one_unless_another_reading_is_sure(
    message: str, wanted: str
) -> None:
    now = CODE.replace(TAKE, f"        {RAISES}\n{TAKE}")
    order = Order(0, len(message), (Reading("amend.undo", 0.3, {}), Reading("question", 0.2, {})))
    told = situation_behind(CODE, now, message)
    answer = answer_orders([order], told)
    shown = answer.ways[0].plan.texts(told.before)[PATH] if answer.kind == "edit" and told.before else now
    assert f"if {wanted}:" in shown
    sure = replace(order, readings=(Reading("question", 0.9, {}),))
    assert answer_orders([sure], told).kind == "question"


def test_the_same_test_of_something_else() -> None:
    said = ("check self.owner instead of self.goods", "amend.condition")
    text = guarded(EMPTY, *said, condition="self.owner", old="self.goods")
    assert "if not self.owner:\n            return None" in text


def test_a_message_is_an_f_string_where_it_is_shown_as_one() -> None:
    said = ('say f"no {index}"', "amend.message")
    for raised in ("raise IndexError", 'raise IndexError("no such good")'):
        text = guarded(f"if index > 9:\n            {raised}", *said, message="no {index}")
        assert 'raise IndexError(f"no {index}")' in text
