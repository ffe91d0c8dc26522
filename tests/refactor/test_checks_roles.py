# ruff: noqa: E501 - tables of instructions read better unbroken
"""Errors are caught by what they are about, and what must run in the end does."""

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

HOME = """\
import json
import requests
import RPi.GPIO as GPIO

HUB = "http://hub.local"
LAMP = 17
state = {"lamp": False}


def read_temp(room):
    res = requests.get(HUB + "/temp/" + room)
    data = res.json()
    return data["temp"]


def set_lamp(on):
    GPIO.output(LAMP, on)
    state["lamp"] = on


def load_rooms():
    with open("rooms.json") as f:
        return json.load(f)


def alarm(room, limit=30):
    temp = read_temp(room)
    if temp > limit:
        requests.post(HUB + "/alarm", json={"room": room})


def loop():
    GPIO.setup(LAMP, GPIO.OUT)
    while True:
        for room in load_rooms():
            alarm(room)
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
        ('catch only network errors in download', '        except Exception as e:', '        except requests.RequestException as e:'),
        ('only catch requests exceptions', '        except Exception as e:', '        except requests.RequestException as e:'),
        ('except only RequestException', '        except Exception as e:', '        except requests.RequestException as e:'),
        ('only network errors should be caught in download', '        except Exception as e:', '        except requests.RequestException as e:'),
        ('catch network errors in get_page and return None', '    response = requests.get(url)', '    try:\n        response = requests.get(url)\n    except requests.RequestException:\n        return None'),
        ('get_page should catch connection errors and return ""', '    response = requests.get(url)', '    try:\n        response = requests.get(url)\n    except requests.ConnectionError:\n        return ""'),
    ],
)  # fmt: skip
def test_scrape(said: str, gone: str, come: str) -> None:
    assert changed(SCRAPE, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('GPIO.cleanup() must run even when I hit ctrl-c', '    while True:\n        for room in load_rooms():\n            alarm(room)', '    try:\n        while True:\n            for room in load_rooms():\n                alarm(room)\n    finally:\n        GPIO.cleanup()'),
        ('call GPIO.cleanup() at the end of loop no matter what', '    while True:\n        for room in load_rooms():\n            alarm(room)', '    try:\n        while True:\n            for room in load_rooms():\n                alarm(room)\n    finally:\n        GPIO.cleanup()'),
        ('catch network errors in read_temp and return None', '    res = requests.get(HUB + "/temp/" + room)', '    try:\n        res = requests.get(HUB + "/temp/" + room)\n    except requests.RequestException:\n        return None'),
        ('catch file errors in load_rooms around json.load and return []', '        return json.load(f)', '        try:\n            return json.load(f)\n        except OSError:\n            return []'),
    ],
)  # fmt: skip
def test_home(said: str, gone: str, come: str) -> None:
    assert changed(HOME, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('catch PermissionError around os.remove and go on', '        os.remove(path)', '        try:\n            os.remove(path)\n        except PermissionError:\n            pass'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (CLEAN, "catch network errors in clean and return None"),
        (CLEAN, "fly() must run even when I hit ctrl-c"),
        (SCRAPE, "what happens on network errors in get_page?"),
    ],
)
def test_what_has_no_place_is_left(code: str, said: str) -> None:
    assert changed(code, said) is None
