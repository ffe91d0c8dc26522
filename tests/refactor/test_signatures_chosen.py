# ruff: noqa: E501 - cases read better unbroken
"""A fixed value becomes a parameter where its name and its value are said, and defaults are said as people say them."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known, with_hunks

CODE = '''class Mailer:
    """Sends."""

    def __init__(self, host, retries):
        self.host = host
        self.retries = retries

    def send(self, text):
        for chunk in split(text, 512):
            self.push(chunk, timeout=30)
        return self.host


def table(rows):
    out = []
    for row in rows:
        out.append(", ".join(row))
    return "\\n".join(out)


def waits(first=0.5):
    pause = first
    while True:
        yield pause
        pause *= 2


def fetch(url, timeout_ms, wait_s=3):
    return get(url, limit=timeout_ms)


def page(items, size):
    return items[:size]
'''


def _plain(order: str, code: str = CODE) -> str | None:
    lines = code.split("\n")[:-1]
    found = known(lines, order)
    if not found or found[0].plain != PLAIN:
        return None
    return "\n".join(with_hunks(lines, found[0].hunks)) + "\n"


@pytest.mark.parametrize(
    ("order", "head", "use"),
    [
        ('let me choose the separator, parameter sep, default ", "', 'table(rows, sep=", "):', "out.append(sep.join(row))"),
        ('make the separator in table configurable: keyword sep=", "', 'table(rows, sep=", "):', "out.append(sep.join(row))"),
        ("let callers choose the string between rows, parameter end, default a newline", 'table(rows, end="\\n"):', "return end.join(out)"),
        ("make the 512 configurable: constructor arg chunk=512, stored on self", "retries, chunk=512):\n        self.chunk = chunk\n", "split(text, self.chunk)"),
        ("the chunk size should be configurable, init param size, default 512", "retries, size=512):\n        self.size = size\n", "split(text, self.size)"),
        ("let me pick the timeout, arg timeout=30", "send(self, text, timeout=30):", "self.push(chunk, timeout=timeout)"),
        ("cap the pause, add a most=60 kwarg to waits", "waits(first=0.5, most=60):", "yield min(pause, most)"),
        ("limit the pause, add a parameter longest=10", "waits(first=0.5, longest=10):", "yield min(pause, longest)"),
        ("floor the pause, with a kwarg least=1", "waits(first=0.5, least=1):", "yield max(pause, least)"),
        ("add an end parameter to table for the string between rows, a newline by default", 'table(rows, end="\\n"):', "return end.join(out)"),
        ('table should take the separator as sep=", "', 'table(rows, sep=", "):', "out.append(sep.join(row))"),
        ("make size a constructor parameter (default 512) instead of the hard coded 512", "size=512):\n        self.size = size\n", "split(text, self.size)"),
        ("Mailer should take size=512 and use it instead of 512", "size=512):\n        self.size = size\n", "split(text, self.size)"),
        ("let size default to ten", "page(items, size=10):", "items[:size]"),
        ("let retries default to three", "retries=3):", ""),
        ("wait_s should default to half a minute", "wait_s=30):", ""),
        ("the default of wait_s should be 2 minutes", "wait_s=120):", ""),
        ("add a parameter sep to table, default a comma", 'table(rows, sep=","):', ""),
    ],
)  # fmt: skip
def test_a_value_is_chosen_by_callers(order: str, head: str, use: str) -> None:
    new = _plain(order) or ""
    assert head in new and use in new


@pytest.mark.parametrize(
    "order",
    [
        "make the size configurable: parameter size=10",
        "let me choose the separator, parameter sep, default a dash",
        'make the separator configurable: parameter rows=", "',
        "make the 99 configurable: constructor arg n=99, stored on self",
        "cap the first, add a pause=60 kwarg to waits",
        "let colour default to one minute",
    ],
)
def test_a_value_that_is_not_there_and_a_name_that_is_taken_are_left(order: str) -> None:
    assert _plain(order) is None
