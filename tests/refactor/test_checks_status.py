# ruff: noqa: E501 - tables of instructions read better unbroken
"""What was answered is looked at, and what is taken apart is made clean."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

SCRAPE = """\
import csv
import time

import requests

BASE = "https://shop.example.com"
API_KEY = "abc123"
OUT = "out"


def get_page(url):
    response = requests.get(url)
    return response.text


def download(name, tries=3):
    for attempt in range(tries):
        try:
            r = requests.get(BASE + "/" + name, timeout=5)
            return r.content
        except Exception as e:
            print("try", attempt, "failed")
    return None


def save(rows, path):
    f = open(path, "w")
    writer = csv.writer(f)
    for row in rows:
        writer.writerow(row)
    f.close()


def prices(items):
    result = []
    for item in items:
        price = float(item["price"].strip("$"))
        result.append(price)
    return result


def main():
    for page in range(1, 10):
        text = get_page(f"{BASE}/?page={page}")
        print(len(text))
"""

CLEAN = """\
import os
import shutil
import sys
import logging

logger = logging.getLogger("clean")
LIMIT = 30


def old_files(folder, days):
    out = []
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.getmtime(path) < days:
            out.append(path)
    return out


def clean(folder, days=LIMIT):
    for path in old_files(folder, days):
        os.remove(path)
    print("done")


def backup(src, dst):
    os.mkdir(dst)
    shutil.copy(src, dst)


def write_report(lines, path):
    with open(path, "w") as f:
        for line in lines:
            f.write(line + "\\n")


def read_config(path):
    cfg = {}
    with open(path) as f:
        for line in f:
            key, value = line.split("=")
            cfg[key] = value
    return cfg


def main():
    folder = sys.argv[1]
    try:
        clean(folder)
    except PermissionError:
        print("no access")


if __name__ == "__main__":
    main()
"""


def changed(code: str, said: str) -> tuple[str, str] | None:
    """What goes and what comes with the one edit that is plainly meant."""
    found = known(code.split("\n")[:-1], said)
    if not found or found[0].plain != PLAIN:
        return None
    lines = code.split("\n")
    gone = [line for hunk in found[0].hunks for line in lines[hunk.first : hunk.last]]
    come = [line for hunk in found[0].hunks for line in hunk.new]
    return "\n".join(gone), "\n".join(come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('get_page: raise_for_status after the request', '', '    response.raise_for_status()'),
        ('check the status of the response in get_page', '', '    response.raise_for_status()'),
        ('get_page should raise for a bad status', '', '    response.raise_for_status()'),
    ],
)  # fmt: skip
def test_scrape(said: str, gone: str, come: str) -> None:
    assert changed(SCRAPE, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('strip the value in read_config', '', '            value = value.strip()'),
        ('strip key and value', '', '            key = key.strip()\n            value = value.strip()'),
        ('read_config crashes on empty lines, skip them', '', '            if not line.strip():\n                continue'),
        ("don't crash if dst already exists", '    os.mkdir(dst)', '    os.makedirs(dst, exist_ok=True)'),
        ('LIMIT from env CLEAN_DAYS', 'LIMIT = 30', 'LIMIT = int(os.environ.get("CLEAN_DAYS", "30"))'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (CLEAN, "check the status of the response in clean"),
        (SCRAPE, "strip key and value"),
        (SCRAPE, "remove raise_for_status in get_page"),
    ],
)
def test_what_has_no_place_is_left(code: str, said: str) -> None:
    assert changed(code, said) is None
