"""What calls are given, said by what it does: the one call of the file that it can be for is meant."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import csv
import json
import re
import shutil
import subprocess
import threading

import requests

NAME_RE = re.compile(r"^[a-z]+$")


def read_sensor(name):
    reply = requests.get("http://heat/" + name)
    return reply.json()["celsius"]


def store(rows, path):
    with open(path, "w") as f:
        json.dump(rows, f)


def export(rows, path):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        for row in rows:
            writer.writerow(row)


def listing(players):
    for place, player in enumerate(sorted(players)):
        print(place, player)


def clean(folder):
    shutil.rmtree(folder)
    subprocess.run(["sync"])


def start(work):
    threading.Thread(target=work).start()
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
        ("indent the json with 2 spaces", "dump(rows, f)", "dump(rows, f, indent=2)"),
        ("pretty print the json, 4 spaces", "dump(rows, f)", "dump(rows, f, indent=4)"),
        ("the json should be human readable", "dump(rows, f)", "dump(rows, f, indent=2)"),
        ("sort the keys in the json too", "dump(rows, f)", "dump(rows, f, sort_keys=True)"),
        ("keep umlauts as they are in the json", "dump(rows, f)", "dump(rows, f, ensure_ascii=False)"),
        ("open the json file as utf-8", '"w") as f', '"w", encoding="utf-8") as f'),
        ("write the file in utf8 in store", '"w") as f', '"w", encoding="utf-8") as f'),
        ("the csv should be semicolon separated", "writer(out)", 'writer(out, delimiter=";")'),
        ("use tabs in export", "writer(out)", r'writer(out, delimiter="\t")'),
        ("requests need a timeout of 5 seconds", "+ name)", "+ name, timeout=5)"),
        ("give up after 10 seconds of waiting for the sensor", "+ name)", "+ name, timeout=10)"),
        ("half a minute timeout for the request please", "+ name)", "+ name, timeout=30)"),
        ("the name regex should ignore case", '+$")', '+$", re.IGNORECASE)'),
        ("NAME_RE case insensitive", '+$")', '+$", re.IGNORECASE)'),
        ("places should start at 1", "sorted(players))", "sorted(players), 1)"),
        ("number the players from 1", "sorted(players))", "sorted(players), 1)"),
        ("sort the players in descending order", "sorted(players)", "sorted(players, reverse=True)"),
        ("ignore errors in rmtree", "rmtree(folder)", "rmtree(folder, ignore_errors=True)"),
        ("make it a daemon thread", "target=work)", "target=work, daemon=True)"),
        ("capture the output of sync", '["sync"])', '["sync"], capture_output=True)'),
    ],
)
def test_the_argument_is_given(said: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert made(said) == (CODE.replace(old, new), PLAIN)


@pytest.mark.parametrize(
    "said",
    ["open the file as utf-8", "why is the json not indented with 2 spaces?", "indent the yaml with 2 spaces"],
)
def test_what_may_be_for_two_calls_or_none_is_not_plain(said: str) -> None:
    assert made(said)[1] != PLAIN
