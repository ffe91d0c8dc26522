# ruff: noqa: E501 - cases read better unbroken
"""What is left out, turned off, and where a search ends; exceptions of one's own."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known, with_hunks

CODE = """import argparse
import csv


def count_rows(fp):
    return sum(1 for _ in fp)


def names_of(users):
    return [u.name for u in users]


def totals(rows):
    return {r["id"]: r["sum"] for r in rows if r["open"]}


def prices(path):
    out = []
    with open(path) as f:
        for row in csv.DictReader(f):
            price = float(row["price"])
            out.append(price)
    return out


def ages(lines):
    total = 0
    for line in lines:
        if not line:
            raise ValueError("empty")
        total += int(line.split()[1])
    return total


def report(sizes):
    sizes.sort(reverse=True)
    for size, name in sizes:
        print(size, name)


def podium(runs):
    ranked = sorted(runs, key=lambda r: r.time)
    return [r.team for r in ranked]


def pick(items, key):
    if key is None:
        raise ValueError("no key")
    hit = None
    for item in items:
        if item.key == key:
            hit = item
    return hit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("source")
    args = ap.parse_args()
    print("reading", args.source)
    total = count_rows(open(args.source))
    print("total", total)
"""
_FLAG = '    ap.add_argument({}, action="store_true")\n    args'
_TRIED = '            try:\n                price = float(row["price"])\n            except ValueError:\n                continue\n'
_BREAK = "            hit = item\n            break\n"
_OWN = "class {}({}):\n    pass\n\n\ndef count_rows"


def _plain(order: str) -> str | None:
    lines = CODE.split("\n")[:-1]
    found = known(lines, order)
    if not found or found[0].plain != PLAIN:
        return None
    return "\n".join(with_hunks(lines, found[0].hunks)) + "\n"


@pytest.mark.parametrize(
    ("order", "made"),
    [
        ("ignore blank lines in count_rows", "sum(1 for line in fp if line.strip())"),
        ("skip empty lines in count_rows", "sum(1 for line in fp if line.strip())"),
        ("names_of should leave out users without a name", "for u in users if u.name]"),
        ("skip users whose name is empty in names_of", "for u in users if u.name]"),
        ("drop names starting with an underscore in names_of", 'for u in users if not u.name.startswith("_")]'),
        ("leave out rows with a sum of 0 in totals", 'if r["open"] and r["sum"] != 0}'),
        ('in totals, ignore rows where r["sum"] < 0', 'if r["open"] and r["sum"] >= 0}'),
        ("count_rows should not count blank lines", "sum(1 for line in fp if line.strip())"),
        ("users without a name should be left out in names_of", "for u in users if u.name]"),
        ("rows whose price isn't numeric should be skipped", _TRIED),
        ("pick should break after the first hit", _BREAK),
        ("stop the loop in pick once it's found", _BREAK),
        ("--quiet should turn off printing the total", _FLAG.format('"--quiet"')),
        ("raise a custom RowError (subclass of ValueError) instead of ValueError", _OWN.format("RowError", "ValueError")),
        ("skip rows where price isn't a number", _TRIED),
        ("ignore rows with a bad price", _TRIED),
        ("in ages, skip lines where line is not a number", "            total += int(line.split()[1])\n        except ValueError:\n            continue\n"),
        ("only print the 20 biggest sizes", "for size, name in sizes[:20]:"),
        ("show only the top ten in report", "for size, name in sizes[:10]:"),
        ("only return the first three in podium", "for r in ranked[:3]]"),
        ("cut podium to the top 3", "for r in ranked[:3]]"),
        ("add a --quiet flag that suppresses the total", _FLAG.format('"--quiet"')),
        ("add a --quiet flag that turns off printing the total", '    if not args.quiet:\n        print("total", total)\n'),
        ("add a -q/--quiet option to turn off printing the source", '    if not args.quiet:\n        print("reading", args.source)\n'),
        ("add a --silent switch that hides the total line", _FLAG.format('"--silent"')),
        ("break out of the loop in pick as soon as the item is found", _BREAK),
        ("in pick, stop looking once the item is found", _BREAK),
        ("stop the loop in pick when the hit is found", _BREAK),
        ("replace the ValueErrors with a custom RowError(ValueError)", _OWN.format("RowError", "ValueError")),
        ("define our own RowError(ValueError) at the top and raise it in both spots", 'raise RowError("no key")'),
        ("add a custom exception RowError and raise it instead of ValueError", _OWN.format("RowError", "Exception")),
        ("turn the ValueErrors into a new class Bad(ValueError)", 'raise Bad("empty")'),
        ("raise our own Bad(KeyError) instead of the ValueErrors", _OWN.format("Bad", "KeyError")),
    ],
)  # fmt: skip
def test_what_is_said_is_left_out(order: str, made: str) -> None:
    assert made in (_plain(order) or "")


@pytest.mark.parametrize(
    "order",
    [
        "skip rows where the cost isn't a number",
        "just list the 5 smallest sizes",
        "leave out the colour in totals",
        "add a --quiet flag that hides the summary",
        "add a --quiet flag that turns off the output",
        "break out of the loop in ages as soon as the item is found",
        "define our own RowError(ValueError) and raise it in all three spots",
        "replace the TypeErrors with a custom RowError(TypeError)",
    ],
)
def test_what_is_not_there_or_could_be_several_is_left(order: str) -> None:
    assert _plain(order) is None
