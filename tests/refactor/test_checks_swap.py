# ruff: noqa: E501 - tables of instructions read better unbroken
"""Exceptions that are there become others, and nothing else changes."""

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
import json


class Busy(Exception):
    pass


def load(path):
    try:
        return json.loads(path)
    except KeyError:
        return None


def save(path):
    if not path:
        raise ValueError("no path")
    try:
        path.write()
    except (OSError, TypeError) as error:
        raise Busy("busy")


def clean(rows):
    try:
        rows.sort()
    except:
        pass
"""


def turned(instruction: str) -> tuple[str, str] | None:
    """The line that changed, before and after."""
    lines = CODE.split("\n")[:-1]
    found = known(lines, instruction)
    if not found or found[0].plain != PLAIN:
        return None
    hunks = found[0].hunks
    assert len(hunks) == 1 and hunks[0].last - hunks[0].first == len(hunks[0].new) == 1
    return lines[hunks[0].first].strip(), hunks[0].new[0].strip()


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("catch ValueError instead of KeyError in load", "except KeyError:", "except ValueError:"),
        ("KeyError -> ValueError in load", "except KeyError:", "except ValueError:"),
        ("also catch ValueError in load", "except KeyError:", "except (KeyError, ValueError):"),
        ("load should catch TypeError and ValueError too", "except KeyError:", ""),
        ("add ValueError to the except in save", "except (OSError, TypeError) as error:", "except (OSError, TypeError, ValueError) as error:"),
        ("narrow the except in save to OSError", "except (OSError, TypeError) as error:", "except OSError as error:"),
        ("replace the bare except with ValueError", "except:", "except ValueError:"),
        ("the bare except should be (TypeError, ValueError)", "except:", "except (TypeError, ValueError):"),
        ("don't use a bare except", "except:", "except Exception:"),
        ("raise TypeError instead of ValueError", 'raise ValueError("no path")', 'raise TypeError("no path")'),
        ("save should raise a KeyError, not a ValueError", 'raise ValueError("no path")', 'raise KeyError("no path")'),
        ("change the ValueError to `Busy`", 'raise ValueError("no path")', 'raise Busy("no path")'),
        ("raise Busy from error", 'raise Busy("busy")', 'raise Busy("busy") from error'),
        ('the message of the ValueError should be "path is empty"', 'raise ValueError("no path")', 'raise ValueError("path is empty")'),
        ("raise ValueError instead of NameError", "", ""),
        ("catch everything", "", ""),
    ],
)  # fmt: skip
def test_an_exception_becomes_another(instruction: str, old: str, new: str) -> None:
    assert turned(instruction) == ((old, new) if new else None)


def edited(code: str, instruction: str) -> str | None:
    lines = code.split("\n")[:-1]
    found = known(lines, instruction)
    if not found or found[0].plain != PLAIN:
        return None
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


def test_what_only_told_raises() -> None:
    code = 'def take(amount, left):\n    if amount > left:\n        print("too much")\n        return\n    return left - amount\n'
    new = 'def take(amount, left):\n    if amount > left:\n        raise ValueError("too much")\n    return left - amount\n'
    assert edited(code, "raise ValueError instead of printing in take") == new
    assert edited(code, "take should raise a ValueError instead of printing") == new


def test_what_gave_nothing_back_raises() -> None:
    code = "def find(rows):\n    for row in rows:\n        return row\n    return None\n"
    new = 'def find(rows):\n    for row in rows:\n        return row\n    raise LookupError("no row")\n'
    assert edited(code, 'raise LookupError("no row") instead of returning None in find') == new
