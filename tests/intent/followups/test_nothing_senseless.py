"""Amendments that would make no sense are another one, refused or marked: other members, constants of another
kind, lines that nothing reaches, a message that is not said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.following import answer_behind, situation_behind

from spark_tui.intent.answering.no_order import no_order

ORDER = """\
from enum import Enum

RETRIES = 3


class Status(Enum):
    PAID = "paid"
    SHIPPED = "shipped"


def fetch(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pay(status):
    return status
"""
REFUSED = ORDER.replace(
    "    return status", '    if status == Status.PAID:\n        raise ValueError("paid")\n    return status'
)


def test_another_member_goes_beside_the_one_that_was_written() -> None:
    _, made = answer_behind(ORDER, REFUSED, "shipped too", "amend.further", value="shipped")
    assert "if status in (Status.PAID, Status.SHIPPED):" in made


def test_a_constant_takes_the_place_of_the_literal_that_it_holds() -> None:
    was = 'with open(path, encoding="utf-8") as file:\n        return'
    looped = was.replace("        return", "            return")
    after = ORDER.replace(was, f"for attempt in range(3):\n        {looped}")
    _, made = answer_behind(ORDER, after, "use RETRIES", "amend.value", value="RETRIES")
    assert made == after.replace("range(3)", "range(RETRIES)")
    last = after.replace("range(3):\n", "range(3):\n        last = attempt == 2\n")
    answer, made = answer_behind(ORDER, last, "use RETRIES", "amend.value", value="RETRIES")
    assert "attempt == 2" in made
    assert "2 was assumed to stay beside RETRIES" in answer.ways[0].marked


def test_nothing_is_moved_to_where_nothing_comes() -> None:
    after = ORDER.replace("    with open", "    print(path)\n    with open")
    text = "after the read instead"
    answer, _ = answer_behind(ORDER, after, text, "amend.after", anchor="the read")
    assert answer.kind != "edit"


def test_the_word_for_a_message_is_none() -> None:
    answer, _ = answer_behind(ORDER, REFUSED, "better message", "amend.message", message="message")
    assert answer.kind != "edit"
    _, made = answer_behind(ORDER, REFUSED, "say settled", "amend.message", message="settled")
    assert 'raise ValueError("settled")' in made


def test_an_order_that_takes_the_place_of_the_edit_is_not_done_elsewhere() -> None:
    before = "def load(path):\n    return open(path)\n\n\ndef show(row):\n    print(row)\n"
    after = before.replace("open(path)", "open(path).read()")
    answer, _ = answer_behind(before, after, "log it rather", "print_to_logging")
    assert answer.kind != "edit"
    printed = before.replace("    return open", "    print(path)\n    return open")
    _, made = answer_behind(
        printed, printed.replace("path)\n    r", "path, 1)\n    r"), "log it rather", "print_to_logging"
    )
    assert "print(path" not in made


def test_an_assert_that_is_asked_for_is_no_other_reading() -> None:
    answer, made = answer_behind(ORDER, REFUSED, "use an assert instead", "amend.other_reading")
    assert 'assert status != Status.PAID, "paid"' in made
    assert len(answer.ways) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ok", "the last edit stays as it is"),
        ("Yes, looks good!", "the last edit stays as it is"),
        ("that's fine, thanks", "the last edit stays as it is"),
        ("why?", "the last edit stays as it is"),
        ("sieht gut aus", "the last edit stays as it is"),
        ("go ahead", "the last edit stays as it is"),
        ("Accept all.", "the last edit stays as it is"),
        ("好的", "the last edit stays as it is"),
        ("sounds good, thanks", "the last edit stays as it is"),
        ("in Ordnung", "the last edit stays as it is"),
        ("Und jetzt?", "the last edit stays as it is"),
        ("c'est bon !", "the last edit stays as it is"),
        ("de acuerdo", "the last edit stays as it is"),
        ("没问题，谢谢", "the last edit stays as it is"),
        ("shorter please", "not what it is to be"),
        ("a better name", "not what it is to be"),
    ],
)
def test_a_reply_is_no_other_name(text: str, why: str) -> None:
    answer = no_order(text, situation_behind(ORDER, ORDER.replace("status", "state"), text))
    assert answer is not None
    assert why in answer.reason


@pytest.mark.parametrize(("text", "marked"), [("done", True), ("call it done", False), ("finish", False)])
def test_a_name_that_may_be_a_reply_has_a_mark(text: str, marked: bool) -> None:
    now = ORDER.replace("status", "state")
    answer, made = answer_behind(ORDER, now, text, "amend.name", new=text.split()[-1])
    assert f"def pay({text.split()[-1]})" in made
    assert ("done may be meant as a reply to the edit" in answer.ways[0].marked) is marked


@pytest.mark.parametrize(("intent", "replies"), [("add_guard", True), ("rename", False)])
def test_what_agrees_takes_nothing_back(intent: str, replies: bool) -> None:
    behind = situation_behind(ORDER, ORDER.replace("status", "state"), "right")
    assert behind.earlier is not None
    answer = no_order("right", replace(behind, earlier=replace(behind.earlier, intent=intent)))
    assert (answer is not None) is replies


@pytest.mark.parametrize(
    "text", ["call it ok", "`ok`", "ok2", "best_state", "yes, in fetch too", "state", "wait, Parameter"]
)
def test_a_name_that_is_given_as_one_is(text: str) -> None:
    assert no_order(text, situation_behind(ORDER, ORDER.replace("status", "state"), text)) is None
