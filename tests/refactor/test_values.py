"""Values, operators, items and calls: what people type, and the one edit that is meant."""

from __future__ import annotations

import pytest

from spark_tui.refactor import known as all_of_them
from spark_tui.refactor import values
from spark_tui.refactor.known import PLAIN, known

CODE = """\
import json
import os
import subprocess
import time

import requests

TIMEOUT = 30
MAX_RETRIES = 3
POLL_SECS = 5
CACHE_MS = 500
DEBUG = True
BATCH_SIZE = 1_000
RATE = 0.5
GREETING = "Hello!"
MAX_UPLOAD = 5 * 1024 * 1024
ALLOWED_EXTENSIONS = {".png", ".jpg"}
COLORS = ["red", "green"]
STOP_WORDS = (
    "the",
    "a",  # both are short
    "an",
)
LIMITS = {"free": 10, "pro": 100}
VERBOSE = False
PREFIX = None


class Client:
    retries = 2

    def __init__(self, host="localhost", port=80, verify=True):
        self.host = host
        self.port = port
        self.verify = verify
        self.delay = 1.5

    def fetch(self, path, timeout=10):
        reply = requests.get(self.host + path, timeout=timeout)
        if reply.status_code > 400:
            raise ValueError("request failed")
        return reply.json()

    def is_open(self, level):
        if level > 3 and self.verify:
            return False
        return True


def save(data, name):
    with open(name, "w") as f:
        json.dump(data, f)
    print("saved")


def load(name):
    with open(name, encoding="latin-1") as f:
        return json.load(f)


def score(points, bonus=2):
    total = points * 10
    total += 5
    if total >= 100:
        total = 100
    for i in range(len(points) - 1):
        total -= i
    return total


def clamp(low, high):
    return max(low, min(high, 255))


def ask():
    answer = input("Name? ")
    while not answer:
        answer = input("Name? ")
    subprocess.run(["ls", answer])
    return answer


def wait():
    time.sleep(2)


def main():
    app.run(host="0.0.0.0", port=5000, debug=True)
    root.title("Timer")
    copy(destination, origin)
    open_door(speed=3, slowly=True)
"""

EDITS = [
    ("TIMEOUT -> 60", "TIMEOUT = 30", "TIMEOUT = 60"),
    ("set MAX_RETRIES to five", "MAX_RETRIES = 3", "MAX_RETRIES = 5"),
    ("max retries 5 not 3", "MAX_RETRIES = 3", "MAX_RETRIES = 5"),
    ("poll every ten seconds", "POLL_SECS = 5", "POLL_SECS = 10"),
    ("poll once every minute", "POLL_SECS = 5", "POLL_SECS = 60"),
    ("could you double the batch size please", "BATCH_SIZE = 1_000", "BATCH_SIZE = 2000"),
    ("bump the batch size to 20000", "BATCH_SIZE = 1_000", "BATCH_SIZE = 20_000"),
    ("halve the rate", "RATE = 0.5", "RATE = 0.25"),
    ("cache for 2 seconds", "CACHE_MS = 500", "CACHE_MS = 2000"),
    ("increase the max retries by 2", "MAX_RETRIES = 3", "MAX_RETRIES = 5"),
    ("VERBOSE should be on", "VERBOSE = False", "VERBOSE = True"),
    ("enable verbose mode", "VERBOSE = False", "VERBOSE = True"),
    ("allow uploads up to 20 mb", "MAX_UPLOAD = 5 *", "MAX_UPLOAD = 20 *"),
    ('the greeting should say "Hi there!"', '"Hello!"', '"Hi there!"'),
    ('make the greeting "Moin"', '"Hello!"', '"Moin"'),
    ("change the prefix to 'x-'", "PREFIX = None", 'PREFIX = "x-"'),
    ("the delay should be 3 seconds", "self.delay = 1.5", "self.delay = 3"),
    ("use port 443 instead of 80", "port=80,", "port=443,"),
    ("port 5000 -> 8080", "port=5000", "port=8080"),
    ("port 8080 and debug off in main", "port=5000, debug=True", "port=8080, debug=False"),
    ("turn off debug in main", "debug=True", "debug=False"),
    ('window title should be "Pomodoro"', '"Timer"', '"Pomodoro"'),
    ("let bonus default to 5", "bonus=2", "bonus=5"),
    ("bonus defaults to zero", "bonus=2", "bonus=0"),
    ('the default host should be "127.0.0.1"', 'host="localhost"', 'host="127.0.0.1"'),
    ("sleep 5 seconds in wait", "time.sleep(2)", "time.sleep(5)"),
    ("wait half a second in wait", "time.sleep(2)", "time.sleep(0.5)"),
    ("the free limit should be 20", '"free": 10', '"free": 20'),
    ("raise the pro limit to 250", '"pro": 100', '"pro": 250'),
    ('the error message should read "no luck"', '"request failed"', '"no luck"'),
    ('print "done" instead of "saved"', '"saved"', '"done"'),
    ("in is_open use >= instead of >", "level > 3", "level >= 3"),
    ("is_open: or instead of and", "3 and self", "3 or self"),
    ("in score make it strictly greater than 100", "total >= 100", "total > 100"),
    ("use utf-8 as encoding in load", '"latin-1"', '"utf-8"'),
    ("load should decode as utf-8", '"latin-1"', '"utf-8"'),
    ("add gif to the allowed extensions", '".jpg"}', '".jpg", ".gif"}'),
    ('also allow ".webp" in ALLOWED_EXTENSIONS', '".jpg"}', '".jpg", ".webp"}'),
    ("add the colors blue and black", '"green"]', '"green", "blue", "black"]'),
    ("remove green from COLORS", '["red", "green"]', '["red"]'),
    ('drop "a" from STOP_WORDS', '    "a",  # both are short\n', ""),
    ("add 'of' to the stop words", '    "an",\n', '    "an",\n    "of",\n'),
    ('add "team": 50 to LIMITS', '"pro": 100}', '"pro": 100, "team": 50}'),
    ("put a 10 second timeout on subprocess.run", "answer])", "answer], timeout=10)"),
    ("pass check=True to subprocess.run", "answer])", "answer], check=True)"),
    ("indent=2 for json.dump", "data, f)", "data, f, indent=2)"),
    ("swap the arguments of copy", "copy(destination, origin)", "copy(origin, destination)"),
    ("call open_door without slowly", "speed=3, slowly=True", "speed=3"),
    ("is_open should return None instead of False", "return False", "return None"),
    ("clamp to 127 instead of 255", "255", "127"),
    ("the loop in score misses the last point", "range(len(points) - 1)", "range(len(points))"),
    ("let load return an empty dict", "return json.load(f)", "return {}"),
    ("call json.loads instead of json.load", "json.load(f)", "json.loads(f)"),
    ("ask should give its answer back stripped", "    return answer\n", "    return answer.strip()\n"),
    ("in score, multiply points by 20 instead of 10", "points * 10", "points * 20"),
    ("`reply.status_code > 400` -> `reply.status_code >= 400`", "status_code > 400", "status_code >= 400"),
    ("status code >= 400 please, not >", "status_code > 400", "status_code >= 400"),
    ("at line 8 I want 45", "TIMEOUT = 30", "TIMEOUT = 45"),
]


@pytest.fixture(autouse=True)
def only_these(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_of_them, "RULES", values.RULES)


def made(code: str, instruction: str) -> list[tuple[int, str]]:
    lines = code.split("\n")[:-1]
    out = []
    for edit in known(lines, instruction):
        new = list(lines)
        for hunk in reversed(edit.hunks):
            new[hunk.first : hunk.last] = hunk.new
        out.append((edit.plain, "".join(f"{line}\n" for line in new)))
    return out


@pytest.mark.parametrize(("instruction", "old", "new"), EDITS)
def test_what_is_asked_for_is_made(instruction: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert made(CODE, instruction) == [(PLAIN, CODE.replace(old, new))]
