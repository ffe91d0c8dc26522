# ruff: noqa: E501 - tables read better unbroken
"""What a message wants put in the place of what an answer brought: values, names, errors, and what it leaves alone."""

from __future__ import annotations

import pytest

from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.steers.slot_words import read
from spark_tui.steers.slots import Slots
from spark_tui.steers.slotted import slotted
from spark_tui.steers.stands import Stands

SHOP = """\
import logging
from enum import Enum

log = logging.getLogger(__name__)


class State(Enum):
    NEW = 1
    PAID = 2
    SENT = 3


def fetch(client, path):
    response = client.get(path)
    return response.json()


def label(order):
    return f"{len(order.lines)} items, {order.total():.2f} EUR"


def first(rows):
    return rows
"""
TIMEOUT = ("give the call a timeout of 20 seconds", ("client.get(path)", "client.get(path, timeout=20)"))
RETRIED = (
    "retry 503s, 3 tries, half a second in between",
    (
        "    response = client.get(path)\n",
        "    for _ in range(3):\n        response = client.get(path)\n        if response.status_code != 503:\n            break\n        time.sleep(0.5)\n",
    ),
)
FULL = (
    "at most 50 lines, ValueError in label",
    ('    return f"', '    if len(order.lines) > 50:\n        raise ValueError("order is full")\n    return f"'),
)
HELPER = ("move the label to a helper called tag", ("def label(order):\n    return f", "def tag(order):\n    return f"))
MINUTE = ("let ttl default to one minute", ("def first(rows):", "def first(rows, ttl=60):"))
LOGGED = (
    "log the path at info",
    ("    return response.json()", '    log.info("got %s", path)\n    return response.json()'),
)
STATE = ("orders start as new", ("def first(rows):\n", "def first(rows, state=State.NEW):\n"))
OPTION = (
    "add a --max option, default 10, say so in the help",
    (
        "def first(rows):\n",
        'def first(rows, ap):\n    ap.add_argument("--max", type=int, default=10, help="how many (default 10)")\n    print(ap.parse_args().max)\n',
    ),
)
SIZED = ("reject more than 5 MB", ("def first(rows):\n", "LIMIT = 5 * 1024 * 1024\n\n\ndef first(rows):\n"))
DECIMAL = ("three digits in label", (":.2f", ":.3f"))
BOUND = ("from 18 on", ("    return rows", "    return [row for row in rows if row > 18]"))
KEPT = (
    "only paths below /static",
    ("    response =", '    if not path.startswith("/static"):\n        return None\n    response ='),
)


def put(asked_and_change, said):
    asked, (old, new) = asked_and_change
    assert SHOP.count(old) == 1
    before, after = SHOP.split("\n")[:-1], SHOP.replace(old, new).split("\n")[:-1]
    hunks = [WindowHunk(one.first, one.last, one.new) for one in between(before, after)]
    made = slotted(Stands(before, hunks), asked, said)
    return None if made is None else (made, "\n".join([*after, ""]))


@pytest.mark.parametrize(
    ("answer", "said", "old", "new"),
    [
        # Numbers, among reasons and old ones.
        (TIMEOUT, "3, not 20. this sits in the request path", "timeout=20", "timeout=3"),
        (TIMEOUT, "20 is longer than the gateway waits. 4 secs", "timeout=20", "timeout=4"),
        (TIMEOUT, "ops configured 45 on the relay, so 45", "timeout=20", "timeout=45"),
        (TIMEOUT, "one minute rather, the relay is slow", "timeout=20", "timeout=60"),
        (TIMEOUT, "double that", "timeout=20", "timeout=40"),
        (MINUTE, "make that five minutes actually", "ttl=60", "ttl=300"),
        (MINUTE, "an hour", "ttl=60", "ttl=3600"),
        (SIZED, "25 mb, people send scans", "5 * 1024", "25 * 1024"),
        (FULL, "50 was the old limit. it's 75 now", "> 50", "> 75"),
        (DECIMAL, "4 are plenty", ":.3f", ":.4f"),
        (RETRIED, "5 tries", "range(3)", "range(5)"),
        (RETRIED, "429 not 503", "503", "429"),
        (RETRIED, "two seconds between them, the backend needs a while", "sleep(0.5)", "sleep(2.0)"),
        (TIMEOUT, "None for the timeout, big downloads", "timeout=20", "timeout=None"),
        # Errors, levels, members, operators, texts, calls.
        (FULL, "RuntimeError fits better", "ValueError", "RuntimeError"),
        (LOGGED, "info is too loud there, debug", "log.info", "log.debug"),
        (STATE, "rather sent than new", "State.NEW", "State.SENT"),
        (BOUND, "or equal", "> 18", ">= 18"),
        (FULL, "say \"too many lines\" there", "order is full", "too many lines"),
        (FULL, "\"{len(order.lines)} of {order}\" as the message", "\"order is full\"", "f\"{len(order.lines)} of {order}\""),
        (KEPT, "assets, not static", "/static", "/assets"),
        (KEPT, 'turn "/static" into "/assets"', "/static", "/assets"),
        (KEPT, "endswith", "startswith", "endswith"),
        # Names.
        (HELPER, "caption reads better than tag", "def tag", "def caption"),
        (HELPER, "spell it out, price_tag", "def tag", "def price_tag"),
        (HELPER, "we use badge for that. call it badge", "def tag", "def badge"),
    ],
)  # fmt: skip
def test_one_thing_takes_the_place_of_one(answer, said, old, new):
    made, stood = put(answer, said)
    assert stood.count(old) == 1
    assert made == stood.replace(old, new)


def test_two_things_take_the_places_of_two():
    made, stood = put(RETRIED, "4 tries and 1 second")
    assert made == stood.replace("range(3)", "range(4)").replace("sleep(0.5)", "sleep(1.0)")


def test_what_was_said_of_a_value_in_its_help_goes_with_it():
    made, stood = put(OPTION, "25 fits my terminal")
    assert made == stood.replace("default=10", "default=25").replace("default 10", "default 25")


def test_an_option_is_renamed_where_it_is_read():
    made, stood = put(OPTION, "--top, max shadows the builtin")
    assert made == stood.replace("--max", "--top").replace(".max", ".top")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (TIMEOUT, "make it a parameter"),
        (TIMEOUT, "and a port of 587"),
        (TIMEOUT, "also when posting"),
        (TIMEOUT, "timeout=None should mean forever"),
        (FULL, "only for open orders"),
        (FULL, "constant for the 50 please"),
        (FULL, "return False instead"),
        (FULL, "KeyError too"),
        (FULL, "50 still stays at 50"),
        (RETRIED, "503 and 429"),
        (RETRIED, "limit it to 8 at a time with a semaphore"),
        (HELPER, "below the first function"),
        (HELPER, "as a property"),
        (LOGGED, "before the call, not after"),
        (OPTION, "-n as short form"),
        (STATE, "no default, it has to be given"),
    ],
)
def test_where_something_else_is_wanted_nothing_is_put(answer, said):
    assert put(answer, said) is None


def test_two_slots_that_fit_as_well_are_not_chosen_between():
    asked = "defaults for a and b: 3 and 4"
    before = ["def f(a, b):", "    return a + b"]
    after = WindowHunk(0, 1, ("def f(a=3, b=4):",))
    assert slotted(Stands(before, [after]), asked, "7") is None


def test_slots_say_what_was_asked_and_what_is_new():
    before = ["def f(path):", "    return open(path)"]
    found = Slots(
        Stands(before, [WindowHunk(1, 2, ('    return open(path, buffering=9, mode="r")',))]),
        "open it with a buffer of 9",
    ).every
    held = {slot.value: (slot.sort, slot.asked, slot.brought) for slot in found if slot.sort != "key"}
    assert held == {"9": ("number", True, 2), "r": ("text", False, 2)}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("20 is unplayable, 14", ["14"]),
        ("varchar(64) in the db, leave 4 for the suffix so 60", ["60"]),
        ("it's 118 here but the fixture drifts, 4", ["4"]),
        ("5 means 31s of sleeping, tries 4 is enough", ["4"]),
    ],
)
def test_what_is_wanted_is_told_from_what_is_not(said, wanted):
    assert [thing.said for thing in read(said).wanted if thing.form("number")] == wanted


def test_a_name_that_was_given_is_changed_where_it_is_used_as_well():
    before = ["class Bus:", "    pass", "", "", "def main(bus):", "    bus.start()"]
    hunks = [
        WindowHunk(1, 2, ("    def remove(self, x):", "        self.xs.drop(x)")),
        WindowHunk(6, 6, ("    bus.remove(1)",)),
    ]
    made = slotted(Stands(before, hunks), "add a remove method and call it in main", "call it discard")
    assert made is not None
    assert "def discard(self, x)" in made
    assert "bus.discard(1)" in made


@pytest.mark.parametrize("said", [".75", "no, .75"])
def test_a_number_may_begin_with_its_point(said):
    assert [thing.said for thing in read(said).wanted if thing.value is not None] == [".75"]
