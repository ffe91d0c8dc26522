# ruff: noqa: E501 - tables of instructions read better unbroken
"""What may fail is tried as the instruction says: caught, tried again, cleaned up after."""

from __future__ import annotations

import pytest

from spark_tui.refactor import checks
from spark_tui.refactor import known as knowing
from spark_tui.refactor.known import PLAIN, known


@pytest.fixture(autouse=True)
def only_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of these instructions is their concern."""
    monkeypatch.setattr(knowing, "RULES", checks.RULES)


CODE = """\
import requests


def fetch(url, cache):
    reply = requests.get(url)
    cache[url] = parse(reply)
    return reply


def read(path):
    with open(path) as handle:
        text = handle.read()
    count = int(text)
    return count


def save(rows):
    lock.acquire()
    try:
        rows.write()
    except OSError:
        return False
"""


def edited(instruction: str) -> str | None:
    lines = CODE.split("\n")[:-1]
    found = known(lines, instruction)
    if not found or found[0].plain != PLAIN:
        return None
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


GET = "    reply = requests.get(url)\n"
INT = "    count = int(text)\n"


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("catch requests.RequestException around line 5 and return None", GET, "    try:\n        reply = requests.get(url)\n    except requests.RequestException:\n        return None\n"),
        ("wrap `count = int(text)` in a try, except ValueError return 0", INT, "    try:\n        count = int(text)\n    except ValueError:\n        return 0\n"),
        ("if the int() call fails with a ValueError, use 0", INT, "    try:\n        count = int(text)\n    except ValueError:\n        count = 0\n"),
        ("line 13 may raise a ValueError, re-raise it", INT, "    try:\n        count = int(text)\n    except ValueError:\n        raise\n"),
        ('catch KeyError on line 6 and print "not cached"', "    cache[url] = parse(reply)\n", '    try:\n        cache[url] = parse(reply)\n    except KeyError:\n        print("not cached")\n'),
        ('catch ValueError at line 13 and raise RuntimeError("bad file") from it', INT, '    try:\n        count = int(text)\n    except ValueError as error:\n        raise RuntimeError("bad file") from error\n'),
        ("return None when the file is missing in read", "    with open(path) as handle:\n        text = handle.read()\n", "    try:\n        with open(path) as handle:\n            text = handle.read()\n    except FileNotFoundError:\n        return None\n"),
        ("read should return an empty list if the file doesn't exist", "    with open(path) as handle:\n        text = handle.read()\n", "    try:\n        with open(path) as handle:\n            text = handle.read()\n    except FileNotFoundError:\n        return []\n"),
        ("wrap the request in fetch in a try and return {} on requests.RequestException", GET, "    try:\n        reply = requests.get(url)\n    except requests.RequestException:\n        return {}\n"),
        ("retry line 5 three times", GET, "    for attempt in range(3):\n        try:\n            reply = requests.get(url)\n            break\n        except Exception:\n            if attempt == 2:\n                raise\n"),
        ("retry the request up to 5 times", GET, "    for attempt in range(5):\n        try:\n            reply = requests.get(url)\n            break\n        except Exception:\n            if attempt == 4:\n                raise\n"),
        ("call lock.release() in a finally in save", "        return False\n", "        return False\n    finally:\n        lock.release()\n"),
        ("whatever happens in save, `lock.release()` must run", "        return False\n", "        return False\n    finally:\n        lock.release()\n"),
    ],
)  # fmt: skip
def test_what_may_fail_is_tried(instruction: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert edited(instruction) == CODE.replace(old, new)


def test_a_text_of_several_lines_is_not_indented() -> None:
    lines = ["def show():", '    print("""one', 'two""")']
    found = known(lines, "catch OSError at line 2 and pass")
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    assert lines[1:] == ["    try:", '        print("""one', 'two""")', "    except OSError:", "        pass"]


@pytest.mark.parametrize(
    "instruction",
    [
        "catch the bus at line 5",
        "try harder",
        "retry it",
        "wrap the text at 80 columns",
        "catch KeyError around line 5",
    ],
)
def test_what_is_not_understood_makes_no_plain_edit(instruction: str) -> None:
    assert edited(instruction) is None
