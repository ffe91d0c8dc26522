# ruff: noqa: E501 - tables read better unbroken
"""Code that an order puts around other code: a `with` above lines, a call around an expression."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = '''\
import asyncio
import os
import threading
import unittest


class Box:
    def __init__(self):
        self._lock = threading.Lock()
        self.items = []

    def put(self, item):
        """Keep one more."""
        self.items.append(item)
        self.count = len(self.items)

    def drain(self):
        out = list(self.items)
        self.items.clear()
        return out


async def ask(client, url):
    answer = await client.fetch(url)
    return answer.text


def clean(path):
    os.remove(path)
    print("gone", path)


def names(rows):
    for row in rows:
        total = row.price()
        print(total)
    return os.listdir(".")


class BoxTest(unittest.TestCase):
    def test_many(self):
        for n in (1, 2):
            self.assertEqual(n, n)
'''
LINES = tuple(CODE.splitlines())


def made(say: str) -> list[str] | None:
    found = known(LINES, say)
    if not found or found[0].plain != PLAIN:
        return None
    return [line for hunk in found[0].hunks for line in hunk.new]


@pytest.mark.parametrize(
    ("say", "lines"),
    [
        ("wrap the assert in test_many in self.subTest(n=n)", ["            with self.subTest(n=n):", "                self.assertEqual(n, n)"]),
        ("put the assert into a with self.subTest(n=n)", ["            with self.subTest(n=n):", "                self.assertEqual(n, n)"]),
        ("put self.items.append(item) in a with self._lock block", None),
        ("wrap self.items.append(item) in with self._lock", ["        with self._lock:", "            self.items.append(item)"]),
        ("wrap the body of put in self._lock", ["        with self._lock:", "            self.items.append(item)", "            self.count = len(self.items)"]),
        ("wrap everything in drain in with self._lock", ["        with self._lock:", "            out = list(self.items)", "            self.items.clear()", "            return out"]),
        ("use with self._lock around self.items.clear()", ["        with self._lock:", "            self.items.clear()"]),
        ("use self._lock around the clear call", ["        with self._lock:", "            self.items.clear()"]),
        ("two threads may drain at once. wrap self.items.clear() in with self._lock", None),
        ("wrap os.remove(path) in contextlib.suppress(FileNotFoundError)", ["import contextlib", "    with contextlib.suppress(FileNotFoundError):", "        os.remove(path)"]),
        ("wrap the fetch call in asyncio.wait_for with timeout=5", ["    answer = await asyncio.wait_for(client.fetch(url), timeout=5)"]),
        ("the fetch can hang forever. wrap it in asyncio.wait_for with timeout=5", ["    answer = await asyncio.wait_for(client.fetch(url), timeout=5)"]),
        ("wrap client.fetch(url) in asyncio.shield", ["    answer = await asyncio.shield(client.fetch(url))"]),
        ("wrap os.listdir(\".\") in sorted()", ['    return sorted(os.listdir("."))']),
        ("wrap the os.listdir call in sorted(...)", ['    return sorted(os.listdir("."))']),
        ("put round() around row.price()", ["        total = round(row.price())"]),
        ("enclose the print in clean in with self._lock", None),
    ],
)  # fmt: skip
def test_code_that_is_put_around(say: str, lines: list[str] | None) -> None:
    if lines is not None:
        assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        "wrap the call in something",
        "wrap the text at 80 columns",
        "wrap put in self._lock",
        "wrap the missing call in asyncio.wait_for",
        "wrap os.remove(path) in asyncio.wait_for",
        "wrap the return in parens",
        "wrap lines in a paragraph",
        "put the items in self.items",
        "put a comment around drain",
        "run the tests in threading",
        "hold the items in os.environ",
        "wrap client.fetch(url) in a retry loop",
        "wrap the body of nowhere in self._lock",
        "use with care around self.items.clear()",
        "move drain into BoxTest",
        "wrap the print in a function",
        "do the append in asyncio.gather(*tasks)",
        "wrap it in self._lock",
        "don't wrap self.items.clear() in with self._lock",
        "wrap os.remove(path) in with self._lock only if it exists",
    ],
)
def test_what_nobody_puts_around(say: str) -> None:
    assert made(say) is None
