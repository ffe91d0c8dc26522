"""Place the parts of a snippet that define nothing, by the lines of the file that they repeat."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from spark_tui.edits.places.locate import folded
from spark_tui.edits.snippets.outline import after_docstring, end_of_text, units_of, without_blank_ends
from spark_tui.edits.snippets.run_ends import (
    MOST_GONE,
    Misplaced,
    alike,
    any_stands,
    fits_elsewhere,
    replaced_beyond,
    says_something,
    several_ways,
)


@dataclass(frozen=True, slots=True)
class LineRun:
    """`opens`, `closes`: something was left out before or after it. `first`, `last`: it begins or ends
    the enclosing body."""

    lines: list[str]
    opens: bool
    closes: bool
    first: bool
    last: bool
    bounded: bool = False
    """The body is that of one definition, in the code as in the file."""
    after: bool = False
    before: bool = False
    """A definition of the file stands directly before or after it, with nothing left out."""


def place_runs(
    lines: Sequence[str], low: int, high: int, runs: Sequence[LineRun], named: bool
) -> list[tuple[int, int, list[str]]]:
    """What the runs, in order, replace in `lines[low:high]`."""
    out: list[tuple[int, int, list[str]]] = []
    for run in runs:
        out.append(_place(lines, out[-1][1] if out else low, high, run, named))
    return out


def _place(
    lines: Sequence[str], low: int, high: int, run: LineRun, named: bool
) -> tuple[int, int, list[str]]:
    text = without_blank_ends(run.lines)
    pairs = _anchors(lines, low, high, text)
    if not pairs:
        return _without_anchor(lines, low, high, run, text, named)
    filled = sum(bool(line.strip()) for line in text)
    edges = pairs[0][1] == 0 and pairs[-1][1] == len(text) - 1 and len(pairs) > 1
    if not (run.opens or run.closes or edges) and 2 * len(pairs) < filled:
        raise Misplaced("too few lines of this code are lines of the file", expected=text[0])
    if not named and len(pairs) < 2:
        raise Misplaced("too few lines of this code are lines of the file", expected=text[0])
    _check_gaps(lines, pairs)
    start, head = pairs[0]
    end, tail = pairs[-1][0] + 1, pairs[-1][1] + 1
    shown = {folded(text[k]) for _, k in pairs}
    if (run.bounded and run.first) or (run.after and head):
        start, head = _edge(lines, after_docstring(lines, low), start, head), 0
    else:
        gone, head = replaced_beyond(text[:head][::-1], lines[low:start][::-1], shown)
        start -= gone
    if (run.bounded and run.last) or (run.before and tail < len(text)):
        _edge(lines, end, high, len(text) - tail)
        end, tail = end_of_text(lines, end, high), len(text)
    else:
        gone, new = replaced_beyond(text[tail:], lines[end:high], shown)
        end, tail = end + gone, len(text) - new
    kept = {at for at, _ in pairs}
    others = {folded(lines[at]) for at in range(low, high) if at not in kept and says_something(lines[at])}
    if any(folded(line) in others for line in (*text[:head], *text[tail:])):
        raise several_ways(text[0], start)
    begins = [start] if run.bounded and run.first else range(low, high)
    ends = [end] if run.bounded and run.last else range(low + 1, high + 1)
    if fits_elsewhere(text, lines, (start, end), begins, ends):
        raise several_ways(text[0], start)
    return start, end, text


def _edge(lines: Sequence[str], low: int, high: int, new: int) -> int:
    """Where the body begins whose lines `lines[low:high]` these new lines replace, as nothing was left out.
    Raises Misplaced where more would go than came: then something was left out after all."""
    gone = sum(bool(line.strip()) for line in lines[low:high])
    members = not new and any(unit.kind != "value" for unit in units_of(lines[low:high]))
    if gone > new and not members:
        raise Misplaced(f"lines {low + 1} to {high} of the file may have been left out here", low + 1)
    if not gone or not new:
        return high
    return next(at for at in range(low, high) if lines[at].strip())


def _anchors(lines: Sequence[str], low: int, high: int, text: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that occur once in both, in the same order, and their equal neighbours."""
    where: dict[str, list[int]] = defaultdict(list)
    for at in range(low, high):
        if says_something(lines[at]):
            where[folded(lines[at])].append(at)
    counts = Counter(map(folded, text))
    words = [(k, folded(line)) for k, line in enumerate(text)]
    unique = [(where[line][0], k) for k, line in words if counts[line] == 1 and len(where[line]) == 1]
    if any(a > b for (a, _), (b, _) in pairwise(unique)):
        raise Misplaced("the lines of this code are in another order in the file", unique[0][0] + 1)
    pairs = set(unique)
    for at, k in unique:
        for step in (-1, 1):
            a, b = at + step, k + step
            while low <= a < high and 0 <= b < len(text) and lines[a].rstrip() == text[b].rstrip():
                if text[b].strip():
                    pairs.add((a, b))
                a, b = a + step, b + step
    found = sorted(pairs)
    if any(one[1] >= two[1] for one, two in pairwise(found)):
        raise several_ways(text[0], found[0][0])
    return found


def _check_gaps(lines: Sequence[str], pairs: Sequence[tuple[int, int]]) -> None:
    """Between two anchors nothing large may go that the code does not show."""
    for (a0, b0), (a1, b1) in pairwise(pairs):
        gone, came = a1 - a0 - 1, b1 - b0 - 1
        if gone - came > MOST_GONE or (units_of(lines[a0 + 1 : a1]) and not came):
            message = f"this code leaves out lines {a0 + 2} to {a1} of the file without saying so"
            raise Misplaced(message, a0 + 2)


def _without_anchor(
    lines: Sequence[str], low: int, high: int, run: LineRun, text: list[str], named: bool
) -> tuple[int, int, list[str]]:
    """At the beginning or the end of a body whose rest was left out; else in place of lines that are alike,
    one for one."""
    same = [at for at in range(low, high) if lines[at].rstrip() == text[0].rstrip()]
    if len(text) == 1 and len(same) == 1 and not says_something(text[0]):
        return same[0], same[0] + 1, text
    if any_stands(text, lines[low:high]):
        raise several_ways(text[0], low)
    near = [at for at in range(low, high) if alike(lines[at], text[0])]
    if len(text) == 1 and len(near) == 1 and named:
        return near[0], near[0] + 1, text
    if not named:
        raise Misplaced("no line of this code is a line of the file", expected=text[0])
    if run.first and run.closes and not near:
        at = after_docstring(lines, low)
        return at, at, text
    if run.last and run.opens and not near:
        at = end_of_text(lines, low, high)
        return at, at, text
    raise Misplaced("no line of this code is a line of the file", expected=text[0])
