# ruff: noqa: E501 - tables read better unbroken
"""Orders with something told beside them: how things are, what goes wrong, what it is for."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known
from spark_tui.refactor.order import Order
from spark_tui.refactor.source import Source
from spark_tui.refactor.told import is_told, readings

CODE = """\
import csv
import time
from dataclasses import dataclass
from pathlib import Path

CACHE = Path("cache")
LIMIT = 40


@dataclass
class Station:
    name: str
    rain: float = 0.0


class Feed:
    def __init__(self, url):
        self.url = url
        self.rows = []

    def latest(self):
        return self.rows[-1]

    def push(self, row):
        self.rows.append(row)

    def close(self):
        self.rows = []


def read(path):
    with open(path) as f:
        return list(csv.DictReader(f))


def wettest(stations, n):
    ranked = sorted(stations, key=lambda s: s.rain, reverse=True)
    return ranked[:n]


def report(stations):
    for station in stations:
        print(f"{station.name}: {station.rain:.1f} mm")
    time.sleep(2.5)


def share(part, whole):
    return part / whole


def main(argv):
    rows = read(argv[0])
    report([Station(r["name"], float(r["rain"])) for r in rows])
    return 0
"""
LINES = tuple(CODE.splitlines())


def made(say: str) -> list[str] | None:
    """Lines that came, and went with a minus before them; None where nothing is plain."""
    found = known(LINES, say)
    if not found or found[0].plain != PLAIN:
        return None
    out = []
    for hunk in found[0].hunks:
        out += [f"-{line.strip()}" for line in LINES[hunk.first : hunk.last]]
        out += [line.strip() for line in hunk.new if line.strip()]
    return out


@pytest.mark.parametrize(
    ("say", "lines"),
    [
        ("share blows up when whole is 0. return 0.0 in that case", ["if whole == 0:", "return 0.0"]),
        ("share crashes when whole is 0, return 0.0", ["if whole == 0:", "return 0.0"]),
        ("share crashes when whole is 0, return 0.0 there", ["if whole == 0:", "return 0.0"]),
        ("n 0 prints everything, return [] for n == 0", ["if n == 0:", "return []"]),
        ("2.5 is the pause in seconds, make it a module constant PAUSE", ["PAUSE = 2.5", "-time.sleep(2.5)", "time.sleep(PAUSE)"]),
        ("make Station a slots dataclass, there are millions of them", ["-@dataclass", "@dataclass(slots=True)"]),
        ("we have thousands of these, make Station frozen", ["-@dataclass", "@dataclass(frozen=True)"]),
        ("the report is slow. remove the time.sleep(2.5) in report", ["-time.sleep(2.5)"]),
        ("count rows: self.rows.append(None) at the top of push", ["self.rows.append(None)"]),
        ("create the cache folder. put CACHE.mkdir(exist_ok=True) at the start of main", ["CACHE.mkdir(exist_ok=True)"]),
        ("rows pile up otherwise: add self.rows.clear() at the start of close", None),
        ("rename n to count in wettest, n is a terrible name", ["-def wettest(stations, n):", "def wettest(stations, count):", "-return ranked[:n]", "return ranked[:count]"]),
        ("LIMIT is too low, set it to 60", ["-LIMIT = 40", "LIMIT = 60"]),
        ("the limit is way too low - set it to 60", ["-LIMIT = 40", "LIMIT = 60"]),
        ("flush the print in report, it turns up too late", ['-print(f"{station.name}: {station.rain:.1f} mm")', 'print(f"{station.name}: {station.rain:.1f} mm", flush=True)']),
        ("main returns 0 even though it crashed; print(rows) before the return in main", ["print(rows)"]),
        ("read breaks on windows, add encoding=\"utf-8\" to open", ["-with open(path) as f:", 'with open(path, encoding="utf-8") as f:']),
        ("umlauts get garbled. add encoding=\"utf-8\" to the open in read", ["-with open(path) as f:", 'with open(path, encoding="utf-8") as f:']),
        ("these are too many digits. rename wettest to top_wet", ["-def wettest(stations, n):", "def top_wet(stations, n):"]),
        ("latest dies with IndexError on an empty feed. delete latest", None),
        ("make stations light: pass slots=True to the dataclass", ["-@dataclass", "@dataclass(slots=True)"]),
    ],
)  # fmt: skip
def test_what_is_told_is_no_part_of_the_order(say: str, lines: list[str] | None) -> None:
    if lines is not None:
        assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        "share crashes sometimes. return 0.0 in that case",
        "LIMIT is 40 and PAUSE is 2.5",
        "the limit is 60, rename it to MOST",
        "LIMIT is too low, but leave it alone",
        "read breaks on windows except for ascii, add encoding=\"utf-8\" to open",
        "LIMIT should be 60, set n to 3",
        "why is LIMIT too low? set it to 60",
        "if n is 0, return nothing there",
        "rename share to ratio: self.rows.append(1) at the top of push",
        "they are never closed. set it to 60",
        "report is slow and main returns too early, set it to 60",
        "never print twice: print(rows) before the return in main",
        "push grows without end. set n to 5",
        "share crashes. return 0.0 there",
        "share and wettest crash, set it to 0",
        "it was fine when LIMIT was 40, set LIMIT to 60 only if n is set",
        "the pause is 3 seconds now, print(rows) before the return in main",
        "main needs a docstring, print(rows) before the return in main",
    ],
)  # fmt: skip
def test_what_may_be_more_than_told_is_left_to_others(say: str) -> None:
    assert made(say) is None


@pytest.mark.parametrize(
    "clause",
    [
        "author blows up when head is null (branch deleted)",
        "these fail on windows",
        "customers with a comma in the name break the export",
        "tls = Yes is read as False",
        "some of these files are huge",
        "push never drops old readings",
        "run leaks the connection when the query fails",
        "5:07 comes out as 5:7 in pace",
        "`load` is super slow",
        "pop(0) is slow",
        "nobody has ever used it",
        "we keep getting 500s from this",
        "users keep pasting urls with spaces",
        "that's a magic number",
        "python 3.12 warns about utcnow",
        "I can't tell which row failed",
        "emails arrive twice",
        "that name says nothing",
    ],
)
def test_clauses_that_only_tell(clause: str) -> None:
    assert is_told(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "digest should read in chunks",
        "the timeout is 30",
        "load returns None",
        "load tests from a file that is there",
        "only errors are logged",
        "break as soon as it is found",
        "if it is missing",
        "return what is left",
        "area needs a docstring",
        "log what is sent",
        "retries = 3",
        "the score starts at 100",
        'the greeting reads "hello"',
        "that returns the indexes",
        "the title should say hello",
        "KeyError when the config has no port",
        "rename the loop variable that is called x",
    ],
)
def test_clauses_that_may_order(clause: str) -> None:
    assert not is_told(clause)


def test_a_reading_keeps_to_what_was_told_of() -> None:
    order = Order(Source(LINES), "latest and push blow up on an empty feed. return None there")
    assert [(one.order, one.within) for one in readings(order)] == [
        ("return None on an empty feed", ("latest", "push"))
    ]


def test_where_the_words_fit_two_places_the_one_that_was_told_of_is_meant() -> None:
    assert made("close forgets the url. add self.url = None at the end") == ["self.url = None"]
    found = known(LINES, "close forgets the url. add self.url = None at the end")
    assert LINES[found[0].hunks[0].first - 1] == "        self.rows = []"
    assert found[0].hunks[0].first == 28


def test_a_text_that_is_quoted_stands_in_what_is_plain() -> None:
    said = 'whole can be zero in share. raise ValueError("no whole") when whole is 0'
    assert made(said) == ["if whole == 0:", 'raise ValueError("no whole")']


def test_code_that_goes_wrong_gives_way_to_code() -> None:
    assert made("ranked[:n] copies too much. use list(islice(ranked, n))") == [
        "-return ranked[:n]",
        "return list(islice(ranked, n))",
    ]
    assert made("time.sleep can drift, switch to time.pause") == ["-time.sleep(2.5)", "time.pause(2.5)"]
    assert made("time.wait can drift, switch to time.pause") is None


def test_code_that_is_spelled_accounts_for_itself() -> None:
    assert made("add def is_dry(self) -> bool to Station, at the bottom") is None
    order = Order(Source(LINES), "add def has(self, flag: str) -> bool to Feed, print(1, x) first")
    assert order.code == ("def has(self, flag: str) -> bool", "print(1, x)")
    head = "    def has(self, flag: str) -> bool:"
    assert order.left_over(order.edit_text(f"{CODE}{head}")) == ["add", "feed", "print", "1", "x", "first"]
    assert not order.stands_in(CODE)
    assert order.stands_in(f"{CODE}{head}")


def test_a_call_is_moved_by_its_name() -> None:
    assert made("report is slow, move the sleep above the loop") == ["time.sleep(2.5)", "-time.sleep(2.5)"]
    assert made("report is slow, move the snooze above the loop") is None


def test_long_files_are_told_of_as_well() -> None:
    long = (*LINES, *("", "", "def more():", *("    pass",) * 400))
    found = known(long, "LIMIT is too low, set it to 60")
    assert [(one.plain, one.hunks[0].new) for one in found] == [(PLAIN, ("LIMIT = 60",))]
