"""Calls, keys and numbers that are not named by an instruction but are what it means."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """import json
import re
import time


class Job:
    def __init__(self, name, late=False):
        self.name = name
        self.late = late
        self.tries = 0


def run(jobs, path, spot):
    begun = time.time()
    time.sleep(1)
    with open(path) as f:
        seen = f.read()
    with open(path, "w", encoding="utf-8") as f:
        json.dump(seen, f)
    return time.time() - begun


def board(jobs):
    return sorted(jobs, key=lambda j: j.name)


def listed(prices):
    for name, amount in prices:
        print("%6.1f of %6.1f" % (amount, sum(prices)))


def names(state):
    for name in state["all"]:
        print(name)


def slug(text):
    return re.sub(r"\\s+", "-", text)


def at(rows, share):
    spot = int(9 * share)
    return rows[spot]
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "wanted"),
    [
        (
            "run should use time.monotonic",
            "replace_call",
            {"new": "time.monotonic", "function": "run"},
            "begun = time.monotonic()",
        ),
        (
            "the json in run needs an Einzug of 2",
            "set_argument",
            {"argument": "Einzug", "value": "2", "function": "run"},
            "json.dump(seen, f, indent=2)",
        ),
        (
            "read as utf-8 in run",
            "set_argument",
            {"call": "read", "value": "utf-8", "function": "run"},
            'open(path, encoding="utf-8")',
        ),
        (
            "expand ~ in run: os.path.expanduser",
            "apply_function",
            {"transform": "os.path.expanduser", "function": "run"},
            "open(os.path.expanduser(path))",
        ),
        ("names by name", "sort_loop", {"key": "name", "function": "names"}, 'in sorted(state["all"]):'),
        (
            "two decimals in listed",
            "format_number",
            {"count": "two", "function": "listed"},
            '"%6.2f of %6.2f"',
        ),
        (
            "case must not matter in slug",
            "ignore_case",
            {"function": "slug"},
            're.sub(r"\\s+", "-", text).lower()',
        ),
        (
            "strip the dashes in slug",
            "apply_function",
            {"transform": "strip the dashes", "function": "slug"},
            '.strip("-")',
        ),
        (
            "tries 0 by default in Job",
            "add_parameter",
            {"name": "tries", "default": "0", "function": "Job"},
            "self.tries = tries",
        ),
    ],
)
def test_what_is_meant_is_found(text: str, intent: str, slots: dict[str, str], wanted: str) -> None:
    assert wanted in changed(CODE, text, intent, **slots)
