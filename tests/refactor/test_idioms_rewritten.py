# ruff: noqa: E501 - cases read better unbroken
"""Code comes under another construct where an order names it in its own words, and stays where it would do something else."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known, with_hunks

CODE = """import asyncio
import logging


async def load_all(urls):
    pages = []
    for url in urls:
        page = await fetch(url)
        pages.append(page)
    return pages


async def sizes(urls):
    return [await size_of(url) for url in urls]


def tally(words):
    seen = {}
    for word in words:
        low = word.lower()
        if low not in seen:
            seen[low] = 1
        else:
            seen[low] += 1
    return seen


def code_of(kind):
    if kind == "a":
        return 1
    elif kind in ("b", "c"):
        return 2
    else:
        return 0


def drain(handle):
    out = b""
    while True:
        block = handle.read(512)
        if block == b"":
            break
        out += block
    return out


class Pool:
    def __init__(self):
        self.waiting = []

    def put(self, job):
        self.waiting.append(job)
        logging.info("queued %s", job)

    def take(self):
        return self.waiting.pop(0)

    def is_full(self, limit):
        full = len(self.waiting) >= limit and limit > 0
        return "full" if full else "open"


def label(order):
    text = f"{order.name.title()} ({order.total:.2f})"
    return text + "!"


def window(now):
    return now - timedelta(hours=6), now + timedelta(hours=6)
"""


def _plain(code: str, order: str) -> str | None:
    lines = code.split("\n")[:-1]
    found = known(lines, order)
    if not found or found[0].plain != PLAIN:
        return None
    return "\n".join(with_hunks(lines, found[0].hunks)) + "\n"


_GATHERED = "    return await asyncio.gather(*(fetch(url) for url in urls))\n"
_COUNTED = "        seen[low] = seen.get(low, 0) + 1\n"
_MATCHED = '    match kind:\n        case "a":\n            return 1\n        case "b" | "c":\n            return 2\n        case _:\n            return 0\n'
_TABLE = 'CODES = {"a": 1, "b": 2, "c": 2}\n\n\n'
_WALRUS = "    while block := handle.read(512):\n        out += block\n"
_TEXT = "    text = {}\n    return text"


@pytest.mark.parametrize(
    ("order", "made"),
    [
        ("load the pages concurrently with asyncio.gather in load_all", _GATHERED),
        ("fetch the urls in load_all in parallel", _GATHERED),
        ("make load_all concurrent using asyncio.gather", _GATHERED),
        ("use gather in sizes instead of awaiting one after another", "gather(*(size_of(url) for url in urls))"),
        ("gather the sizes concurrently", "gather(*(size_of(url) for url in urls))"),
        ("condense the if/else in tally using dict.get", _COUNTED),
        ("use seen.get for the counting in tally", _COUNTED),
        ("simplify the counting in tally with .get", _COUNTED),
        ("replace the if/else in tally with a defaultdict", "        low = word.lower()\n        seen[low] += 1\n"),
        ("use a match statement in code_of", _MATCHED),
        ("rewrite the if/elif chain in code_of as a match", _MATCHED),
        ("replace the ifs in code_of with a lookup table CODES", _TABLE),
        ("turn code_of into a dict lookup, CODES", _TABLE),
        ("use a dict CODES in code_of instead of the elif chain", "    return CODES.get(kind, 0)\n"),
        ("use the walrus operator in the read loop of drain", _WALRUS),
        ("walrus in drain please", _WALRUS),
        ("rewrite the while True in drain with a walrus", _WALRUS),
        ("use a deque for waiting in Pool, pop(0) is linear", "self.waiting.popleft()"),
        ("turn the waiting list into a collections.deque", "from collections import deque\n"),
        ("use bisect.insort in put", "        bisect.insort(self.waiting, job)\n"),
        ("use a module level logger instead of logging directly", '        logger.info("queued %s", job)\n'),
        ("switch to a module logger called log", "log = logging.getLogger(__name__)\n"),
        ("extract the text line in label into a helper describe(order)", _TEXT.format("describe(order)")),
        ("pull the text building out of label into a function format_order(name, total)", _TEXT.format("format_order(order.name, order.total)")),
        ("extract the full check from is_full into a staticmethod over(waiting, limit)", 'return "full" if self.over(self.waiting, limit) else "open"'),
        ("add a helper describe(order) for the text and use it", _TEXT.format("describe(order)")),
        ("factor the text in label out into describe(order)", _TEXT.format("describe(order)")),
        ("give the text its own function describe(order)", _TEXT.format("describe(order)")),
        ("load_all: all items at once via gather instead of one by one", _GATHERED),
        ("name the 512 in drain BLOCK", "BLOCK = 512\n"),
        ("use log = logging.getLogger(__name__) instead of the logging module directly", '        log.info("queued %s", job)\n'),
        ("the 6 hour timedelta is repeated, make it a constant SPAN", "now - SPAN, now + SPAN"),
        ("make the 512 in drain a constant BLOCK", "BLOCK = 512\n"),
    ],
)  # fmt: skip
def test_what_is_named_is_rewritten(order: str, made: str) -> None:
    assert made in (_plain(CODE, order) or "")


@pytest.mark.parametrize(
    ("order", "old", "new"),
    [
        ("load the pages concurrently in load_all", "pages.append(page)", "pages.append(page)\n        log(page)"),
        ("condense the if/else in tally using dict.get", "seen[low] = 1", "seen[low] = 2"),
        ("use a match statement in code_of", 'kind == "a"', 'kind.lower() == "a"'),
        ("turn code_of into a dict lookup, CODES", "return 1", "return start()"),
        ("rewrite the while True in drain with a walrus", 'block == b"":', 'len(block) < 512:'),
        ("turn the waiting list into a collections.deque", "job)\n        logging", "job)\n        self.waiting[:] = []\n        logging"),
        ("switch to a module logger called log", "tally(words)", "log(words)"),
        ("extract the text line in label into a helper describe(order)", "{order.total:.2f}", "{await order.total}"),
        ("pull the text building out of label into a function format_order(name)", "!", "?"),
    ],
)  # fmt: skip
def test_where_it_would_not_be_the_same_nothing_is_made(order: str, old: str, new: str) -> None:
    code = CODE.replace("return [await size_of(url) for url in urls]", "return await size_of(urls)").replace(old, new)
    assert _plain(code, order) is None
