# ruff: noqa: E501 - cases read better unbroken
"""One more of what is there already: fields, settings, decorators on all of a kind."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known, with_hunks

CODE = """import enum
import os
from dataclasses import dataclass, field

RETRIES = int(os.environ.get("APP_RETRIES", 3))


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


@dataclass
class Conf:
    host: str = field(default_factory=lambda: os.environ.get("APP_HOST", "x"))
    tries: int = field(default_factory=lambda: _int("APP_TRIES", 3))


@dataclass
class Job:
    title: str
    done: bool = False


def guarded(fn):
    return fn


def index(request):
    return 1


def show(request, key):
    return key


def command_add(a):
    return a


def command_drop(a):
    return a
"""


def _plain(order: str) -> str | None:
    lines = CODE.split("\n")[:-1]
    found = known(lines, order)
    if not found or found[0].plain != PLAIN:
        return None
    return "\n".join(with_hunks(lines, found[0].hunks)) + "\n"


_DONE = "    done: bool = False\n    {}\n"
_PORT = '    tries: int = field(default_factory=lambda: _int("APP_TRIES", 3))\n    port: int = field(default_factory=lambda: _int("APP_PORT", 80))\n'


@pytest.mark.parametrize(
    ("order", "made"),
    [
        ("Job needs a level field at the end, Level.LOW by default", _DONE.format("level: Level = Level.LOW")),
        ("add a field owner to Job, str, default \"me\", after done", _DONE.format('owner: str = "me"')),
        ("Job gets a new field size, int, after title", "    title: str\n    size: int\n    done"),
        ("new field size for Job, int, as the first field", "class Job:\n    size: int\n    title"),
        ("Job should have a field score, default 1.5, at the end", _DONE.format("score: float = 1.5")),
        ("new setting port in Conf, int, from APP_PORT, default 80, after tries", _PORT),
        ("Conf needs another setting port, int, read from APP_PORT, 80 by default", _PORT),
        ("add a setting user to Conf, str, from APP_USER, default \"me\", after host", '"x"))\n    user: str = field(default_factory=lambda: os.environ.get("APP_USER", "me"))\n'),
        ("add a level field to Job, default Level.LOW", _DONE.format("level: Level = Level.LOW")),
        ("give Job a level: Level = Level.LOW at the end", _DONE.format("level: Level = Level.LOW")),
        ("add port to Conf (int, APP_PORT, default 80) after tries", _PORT),
        ("both handlers need guarded", "@guarded\ndef show(request, key):"),
        ("put guarded on both handlers", "@guarded\ndef show(request, key):"),
        ("decorate both commands with guarded", "@guarded\ndef command_drop(a):"),
        ("freeze Job", "@dataclass(frozen=True)\nclass Job:"),
    ],
)  # fmt: skip
def test_one_more_has_the_form_of_those_beside_it(order: str, made: str) -> None:
    assert made in (_plain(order) or "")


@pytest.mark.parametrize(
    "order",
    [
        "Job needs a level field after colour, Level.LOW by default",
        "Job gets a new field size, int, at the end",
        "new setting port in Conf, int, from APP_PORT, default \"x\", after tries",
        "put guarded on all three handlers",
        "put unknown on both handlers",
    ],
)  # fmt: skip
def test_what_does_not_fit_there_is_left(order: str) -> None:
    assert _plain(order) is None
