# ruff: noqa: E501 - a table of orders reads better unbroken
"""Two or three orders in one instruction: all are made where each is plain by itself, and a list is no two orders."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known, with_hunks

CODE = """\
import json
import time

SENSORS = ["kitchen", "bath"]
COLD_LIMIT = 17
MAX_TRIES = 4
POLL_SECONDS = 300
PORT = 5000


def too_cold(value):
    return value < COLD_LIMIT


def store(rows, path):
    with open(path, "w") as f:
        json.dump(rows, f)


def ask(name):
    answer = input("New target? ")
    return float(answer)


def summary(values):
    seen = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return seen


def main():
    while True:
        for name in SENSORS:
            if too_cold(ask(name)):
                print("heating on in", name)
        time.sleep(POLL_SECONDS)
"""


def made(said: str) -> tuple[str, int]:
    lines = tuple(CODE.split("\n")[:-1])
    found = known(lines, said)
    return ("\n".join(with_hunks(lines, found[0].hunks)) + "\n", found[0].plain) if found else ("", 0)


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("rename COLD_LIMIT to FREEZING and poll every 10 minutes", [("COLD_LIMIT", "FREEZING"), ("= 300", "= 600")]),
        ("PORT 8000, more sensors: attic and hall", [("5000", "8000"), ('"bath"]', '"bath", "attic", "hall"]')]),
        ("set the port to 8000 and rename summary to distinct", [("5000", "8000"), ("summary", "distinct")]),
        ("poll every 10 minutes. also open the json file as utf-8", [("300", "600"), ('"w")', '"w", encoding="utf-8")')]),
        (
            "add attic to the sensors, set MAX_TRIES to 3 and rename too_cold to is_cold",
            [('"bath"]', '"bath", "attic"]'), ("MAX_TRIES = 4", "MAX_TRIES = 3"), ("too_cold", "is_cold")],
        ),
        ("the prompt should end with a colon; indent the json with 2 spaces", [("target? ", "target: "), ("s, f)", "s, f, indent=2)")]),
    ],
)  # fmt: skip
def test_each_part_is_made(said: str, changes: list[tuple[str, str]]) -> None:
    wanted = CODE
    for old, new in changes:
        assert old in wanted
        wanted = wanted.replace(old, new)
    assert made(said) == (wanted, PLAIN)


def test_a_list_in_one_order_is_not_torn() -> None:
    assert made("add attic and hall to the sensors") == (CODE.replace('"bath"]', '"bath", "attic", "hall"]'), PLAIN)
    assert made('the prompt should say "a and b"') == (CODE.replace("New target? ", "a and b"), PLAIN)


@pytest.mark.parametrize(
    "said",
    [
        "set the port to 8000 and feed the cat",  # nothing that is known
        "set the port to 8000 and rewrite it as a service",
        "set PORT to 8000 and MAX_TRIES to 5 in ask",  # neither stands there
        "poll every 10 minutes and why is it slow?",
        "add a comment that says be careful and set the port to 8000",
    ],
)
def test_where_one_part_is_not_plain_nothing_is(said: str) -> None:
    assert made(said)[1] != PLAIN
