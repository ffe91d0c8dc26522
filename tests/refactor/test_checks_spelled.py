# ruff: noqa: E501 - tables read better unbroken
"""What is to be done in a case, said as code: *ap.error("no rows") if rows < 1*; or as a step: *subtract 12 when i > 11*."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import argparse
import sys


def wheel(size, offset):
    i = size + offset
    return i


def price(order, rebate):
    total = order.sum()
    if order.gift:
        total += 2
    return total


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int)
    ap.add_argument("--speed", type=float)
    args = ap.parse_args(argv)
    print(wheel(args.rows, 3), args.speed)
    return 0


def walk(files):
    for file in files:
        text = file.read()
        print(text)


class Tank:
    def __init__(self, level):
        self.level = level

    def fill(self, litres):
        self.level += litres
        self.report()

    def alarm(self, text):
        print(text)

    def report(self):
        print(self.level)
"""
LINES = tuple(CODE.splitlines())


def made(say: str) -> list[str] | None:
    found = known(LINES, say)
    if not found or found[0].plain != PLAIN:
        return None
    return [line.strip() for hunk in found[0].hunks for line in hunk.new]


@pytest.mark.parametrize(
    ("say", "lines"),
    [
        ('guard against rows < 1 in main, ap.error("no rows")', ["if args.rows < 1:", 'ap.error("no rows")']),
        ('in main, call ap.error("no rows") if rows < 1', ["if args.rows < 1:", 'ap.error("no rows")']),
        ('ap.error("too fast") in main when speed is negative', ["if args.speed < 0:", 'ap.error("too fast")']),
        ('if args.rows is 0, ap.error("no rows")', ["if args.rows == 0:", 'ap.error("no rows")']),
        ("subtract 12 when i >= 12 in wheel", ["if i >= 12:", "i -= 12"]),
        ("wheel runs off the end, subtract 12 when i >= 12", ["if i >= 12:", "i -= 12"]),
        ("in wheel add 12 to i if it is negative", None),
        ("add 12 if i is negative in wheel", ["if i < 0:", "i += 12"]),
        ("in wheel, subtract 360 from offset if offset > 360", ["if offset > 360:", "offset -= 360"]),
        ('in fill, self.alarm("full") when litres > 100', ["if litres > 100:", 'self.alarm("full")']),
        ('in fill: if litres is negative, call self.alarm("odd")', ["if litres < 0:", 'self.alarm("odd")']),
        ('print("big") in price if rebate > 5', ["if rebate > 5:", 'print("big")']),
    ],
)  # fmt: skip
def test_what_is_done_is_spelled(say: str, lines: list[str] | None) -> None:
    if lines is not None:
        assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        'ap.error("no rows")',
        'ap.error("no rows") if nothing works in main',
        "subtract 12 from the moon when i >= 12",
        "subtract 12 in wheel",
        'if len(files) is 0 in wheel, ap.error("no")',
        'call ap.error("no") unless the moon is full in main',
        'self.alarm("full") when it is full in nowhere',
        "add 12 rows when size grows in wheel",
        "take 3 of them if i is 4",
    ],
)
def test_what_is_not_clear_is_left_to_others(say: str) -> None:
    assert made(say) is None
