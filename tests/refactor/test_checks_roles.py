# ruff: noqa: E501 - tables of instructions read better unbroken
"""Errors are caught by what they are about, and what must run in the end does."""

from __future__ import annotations

import pytest
from checks_texts import CLEAN, SCRAPE, changed

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
