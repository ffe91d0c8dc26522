"""Edits that do not fit any more: made from five small files by breaking the file or the edit, one way at a
time.

Everything is derived from fixed seeds, so that a case has the same name and content wherever it is made. What
a case promises is known from how it was broken, not from what our code says about it.
"""

import random
from dataclasses import dataclass
from pathlib import Path

from support.edit_writers import WRONG_BY, head_of, signed

SOURCES = Path(__file__).resolve().parent.parent / "cases" / "edits" / "sources"
QUOTING = ("search_replace", "apply_patch", "udiff", "udiff without numbers", "udiff with wrong numbers")


@dataclass(frozen=True)
class Case:
    name: str
    format: str
    path: str
    lines: tuple[str, ...]
    """The file as it is now."""
    text: str
    """The edit as it comes."""
    wanted: tuple[str, ...] | None
    """The file as it must be afterwards; None: the edit must be refused."""
    first: int = 0
    """The first line that differs (1-based), where there is one."""
    places: tuple[int, ...] = ()
    """All places that fit, where there is more than one."""


def says(name, path, lines, low, high, new, start=None):
    """An edit that quotes lines[low:high] and makes them `new`."""
    old = lines[low:high]
    if name == "search_replace":
        body = "".join(line + "\n" for line in old) + "=======\n" + "".join(line + "\n" for line in new)
        return f"{path}\n```\n<<<<<<< SEARCH\n{body}>>>>>>> REPLACE\n```\n"
    rows = "".join(row + "\n" for row in signed(old, new))
    if name == "apply_patch":
        return f"*** Begin Patch\n*** Update File: {path}\n@@\n{rows}*** End Patch\n"
    numbers = {"udiff": "true", "udiff without numbers": "none"}.get(name, "wrong")
    at = low if start is None else start
    head = head_of((at, at + len(old), at, at + len(new)), numbers)
    return f"--- a/{path}\n+++ b/{path}\n{head}\n{rows}"


def fuzzy(line):
    return line.strip()


def stretch(source, lines, size):
    """A stretch that stands once and has words in its first and last line."""
    while True:
        low = source.randrange(len(lines) - size)
        part = [fuzzy(line) for line in lines[low : low + size]]
        bare = [fuzzy(line) for line in lines]
        count = sum(bare[at : at + size] == part for at in range(len(bare) - size + 1))
        if count == 1 and all(any(ch.isalnum() for ch in part[k]) for k in (0, size // 2, -1)):
            return low


def typo(source, line):
    """One letter of the line is another one."""
    places = [k for k, ch in enumerate(line) if ch.isalpha()]
    at = source.choice(places)
    other = source.choice([ch for ch in "qxzjkw" if ch != line[at].lower()])
    return line[:at] + other + line[at + 1 :]


def make():
    cases = []
    for path in sorted(SOURCES.iterdir()):
        lines = path.read_text().split("\n")[:-1]
        for name in QUOTING:
            source = random.Random(f"{path.name} {name}")
            for turn in range(2):
                cases += broken(f"{path.name}, {name}, {turn}", name, path.name, lines, source)
        cases += without_quotes(path.name, lines)
    return cases


def broken(label, name, path, lines, source):
    size = source.choice([4, 5, 6, 7])
    low = stretch(source, lines, size)
    high, middle = low + size, low + size // 2
    new = list(lines[low:high])
    new[size // 2] = new[size // 2] + " changed"
    text = says(name, path, lines, low, high, new)
    wanted = [*lines[:low], *new, *lines[high:]]
    words = [k for k in range(low, high) if any(ch.isalpha() for ch in lines[k])]

    def case(what, now, edit, result, first=0, places=()):
        kept = None if result is None else tuple(result)
        return Case(f"{label}: {what}", name.split(" ")[0], path, tuple(now), edit, kept, first, places)

    yield case("it fits", lines, text, wanted)

    at = source.choice(words)
    stale = [*lines[:at], typo(source, lines[at]), *lines[at + 1 :]]
    yield case("a line of the file changed", stale, text, None, at + 1)

    at = source.choice(words)
    misread = [*lines[:at], typo(source, lines[at]), *lines[at + 1 :]]
    yield case(
        "a line is misquoted",
        lines,
        says(name, path, misread, low, high, new_of(misread, low, high)),
        None,
        at + 1,
    )

    at = source.choice([k for k in range(low + 1, high - 1) if fuzzy(lines[k]) != fuzzy(lines[k + 1])])
    yield case("a line of the file is gone", [*lines[:at], *lines[at + 1 :]], text, None, at + 1)

    at = source.choice(range(low + 1, high))
    yield case(
        "a line came into the file", [*lines[:at], "entirely new words", *lines[at:]], text, None, at + 1
    )

    shifted = ["a new first line", "and a second", *lines]
    yield case("the file grew above", shifted, text, [*shifted[:2], *wanted])

    moved = [*lines[:low], *lines[high:], "", *lines[low:high]]
    bare = [fuzzy(line) for line in moved]
    part = [fuzzy(line) for line in lines[low:high]]
    if sum(bare[k : k + size] == part for k in range(len(bare) - size + 1)) == 1:
        yield case("the lines moved to the end", moved, text, [*lines[:low], *lines[high:], "", *new])

    # A number that is wrong in general must not be right by chance.
    gap = ["", ""] if len(lines) + 1 == low + WRONG_BY else [""]
    twice = [*lines, *gap, *lines[low:high]]
    places = (low + 1, len(lines) + len(gap) + 1)
    if name == "udiff":
        yield case(
            "the lines stand twice and the number decides", twice, text, [*wanted, *gap, *lines[low:high]]
        )
    else:
        yield case("the lines stand twice", twice, text, None, places=places)

    trailing = [line + "  " if low <= k < high and k != middle else line for k, line in enumerate(lines)]
    result = [*trailing[:middle], new[size // 2], *trailing[middle + 1 :]]
    yield case("trailing space in the file", trailing, text, result)

    deeper = ["    " + line if low <= k < high and line.strip() else line for k, line in enumerate(lines)]
    result = [*deeper[:middle], "    " + new[size // 2], *deeper[middle + 1 :]]
    yield case("all lines are indented deeper", deeper, text, result)

    uneven = list(lines)
    uneven[low] = "    " + uneven[low]
    uneven[high - 1] = "  " + uneven[high - 1]
    yield case("lines are indented unevenly", uneven, text, None, low + 1)

    yield case("the text is cut off", lines, cut_off(name, text), None)


def new_of(lines, low, high):
    new = list(lines[low:high])
    new[len(new) // 2] += " changed"
    return new


def cut_off(name, text):
    if name == "search_replace":
        return text[: text.index(">>>>>>>")]
    if name == "apply_patch":
        return text[: text.index("*** End")]
    rows = text.split("\n")
    return "```diff\n" + "\n".join(rows[:-2]) + "\n"


def without_quotes(path, lines):
    """Formats that quote nothing cannot be stale in themselves, only broken."""
    count = len(lines)
    head = f"*** {path}\n"

    def case(name, what, text, wanted=None):
        return Case(f"{path}, {name}: {what}", name, path, tuple(lines), text, wanted)

    yield case("lines", "it fits", head + "@@ 2,3\n+two\n", (lines[0], "two", *lines[2:]))
    yield case("lines", "behind the end", head + f"@@ {count},{count + 2}\n+x\n")
    yield case("lines", "line zero", head + "@@ 0,1\n+x\n")
    yield case("lines", "backwards", head + "@@ 5,3\n+x\n")
    yield case("lines", "no number", head + "@@ five,six\n+x\n")
    yield case("lines", "a body without a header", head + "+x\n")
    yield case("lines", "twice the same lines", head + "@@ 2,4\n+x\n@@ 3,5\n+y\n")
    yield case("lines", "no such file", "*** nowhere.py\n@@ 2,3\n+x\n")
    whole = "".join(line + "\n" for line in [*lines[:-1], "a new end"])
    yield case("whole", "it fits", f"{path}\n````\n{whole}````\n", (*lines[:-1], "a new end"))
    yield case("whole", "cut off", f"{path}\n````\n{whole}")
    yield case("whole", "twice", f"{path}\n````\n{whole}````\n\n{path}\n````\nother\n````\n")
