"""Numbers by what they do, and what belongs to a list: orders that name no name, on a small heating program."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import time
from datetime import datetime

SENSORS = ["kitchen", "bath"]
TARGET = {"kitchen": 21.0, "bath": 23.5}
COLD_LIMIT = 17
MAX_TRIES = 4
POLL_SECONDS = 300
SERVER = "127.0.0.1"
PORT = 5000
ADMINS = {"piet", "anna"}
SPEED = 40


def read_sensor(name, tries=MAX_TRIES):
    for attempt in range(tries):
        try:
            return fetch(name)["celsius"]
        except OSError:
            print("no answer from", name)
            time.sleep(0.5)
    return None


def too_cold(value):
    return value < COLD_LIMIT


def summary(values):
    seen = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return seen


def main():
    app.run(host=SERVER, port=PORT)
    while True:
        for name in SENSORS:
            value = read_sensor(name)
            if too_cold(value):
                print("heating on in", name)
        time.sleep(POLL_SECONDS)
"""


def made(said: str) -> tuple[str, int]:
    lines = CODE.split("\n")[:-1]
    found = known(lines, said)
    if not found:
        return "", 0
    out = list(lines)
    for hunk in reversed(found[0].hunks):
        out[hunk.first : hunk.last] = hunk.new
    return "\n".join(out) + "\n", found[0].plain


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("poll every 10 minutes", "POLL_SECONDS = 300", "POLL_SECONDS = 600"),
        ("poll once a minute please", "POLL_SECONDS = 300", "POLL_SECONDS = 60"),
        ("poll twice as often", "POLL_SECONDS = 300", "POLL_SECONDS = 150"),
        ("poll ten times as often", "POLL_SECONDS = 300", "POLL_SECONDS = 30"),
        ("half the poll interval", "POLL_SECONDS = 300", "POLL_SECONDS = 150"),
        ("half the speed", "SPEED = 40", "SPEED = 20"),
        ("wait 2 seconds between tries", "sleep(0.5)", "sleep(2)"),
        ("wait a full second between tries", "sleep(0.5)", "sleep(1)"),
        ("wait half as long between tries", "sleep(0.5)", "sleep(0.25)"),
        ("a room is cold below 18", "COLD_LIMIT = 17", "COLD_LIMIT = 18"),
        ("rooms below 18 degrees are too cold", "COLD_LIMIT = 17", "COLD_LIMIT = 18"),
        ("try 6 times at most", "MAX_TRIES = 4", "MAX_TRIES = 6"),
        ("give it 5 attempts", "MAX_TRIES = 4", "MAX_TRIES = 5"),
        ("in the kitchen 20 degrees are enough", '"kitchen": 21.0', '"kitchen": 20.0'),
        ("the server listens on 8000 now", "PORT = 5000", "PORT = 8000"),
        ("listen on all interfaces", '"127.0.0.1"', '"0.0.0.0"'),
        ("piet is no admin any more", '{"piet", "anna"}', '{"anna"}'),
        ("anna isn't an admin any more", '{"piet", "anna"}', '{"piet"}'),
        ("Tom is an admin too", '{"piet", "anna"}', '{"piet", "anna", "tom"}'),
        ("add a sensor for the attic", '"bath"]', '"bath", "attic"]'),
        ("more sensors: attic and hall", '"bath"]', '"bath", "attic", "hall"]'),
        ("there is a new sensor, attic", '"bath"]', '"bath", "attic"]'),
        ("attic should be in the sensors too", '"bath"]', '"bath", "attic"]'),
        ("drop bath from the sensors", '["kitchen", "bath"]', '["kitchen"]'),
        ("no need for bath in the sensors", '["kitchen", "bath"]', '["kitchen"]'),
        ("attic is missing in the targets, 19.5", '"bath": 23.5}', '"bath": 23.5, "attic": 19.5}'),
    ],
)
def test_what_is_meant_is_found_by_what_it_does(said: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert made(said) == (CODE.replace(old, new), PLAIN)


@pytest.mark.parametrize("said", ["seen should be a set", "make seen a set", "use a set for seen"])
def test_a_list_becomes_a_set_with_what_puts_into_it(said: str) -> None:
    assert made(said) == (CODE.replace("seen = []", "seen = set()").replace("seen.append", "seen.add"), PLAIN)


@pytest.mark.parametrize(
    "said",
    [
        "why is it polled every 10 minutes?",
        "paul is no admin any more",  # he was none
        "anna is an admin too",
        "bath is missing in the targets, 19.5",  # it is there
        "measure every 10 rows",
        "sensors are read too often",
        "listen on localhost only",
    ],
)
def test_what_is_fulfilled_or_not_clear_stays(said: str) -> None:
    assert made(said)[1] != PLAIN or made(said)[0] == CODE
