"""Where an edit gives a name that other files use another one, these are edited in the same turn.

Comes in: a file, the hunks of an edit of it that is known beforehand, the outlines of the tree. Goes out:
windows of the other files with their hunks, and what could not be followed. Must not know: backends, which
edits there are.

A rename that stops at the end of its file leaves a tree that does not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.context.shown_context import ContextLimits, CountTokens, KnownHunk, ReadLines, Section
from spark_tui.context.symbols import Outline
from spark_tui.errors import SparkError
from spark_tui.refactor.known import between
from spark_tui.refactor.rename.abroad import Followed, Renamed, followed, has, renamed
from spark_tui.refactor.rename.calls_abroad import OtherParameters, other_parameters, with_keywords
from spark_tui.refactor.source import Source
from spark_tui.session.hunk_windows import PYTHON, may_be_asked, sections

Outlines = Callable[[], Sequence[Outline]]
MOST_FILES = 200
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class CrossFileEdits:
    """What an edit of one file brings about in others."""

    sections: tuple[Section, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedNames:
    """What an edit means for other files: names that are others now, else functions with other parameters."""

    renamed: tuple[Renamed, ...] = ()
    parameters: tuple[OtherParameters, ...] = ()

    @property
    def words(self) -> set[str]:
        return {one.name for one in self.renamed} | {one.called for one in self.parameters}


def cross_file_edits(
    path: str,
    hunks: Sequence[KnownHunk],
    read_lines: ReadLines,
    limits: ContextLimits,
    count_tokens: CountTokens,
    outlines: Outlines,
) -> CrossFileEdits:
    names = _renamed(tuple(read_lines(path) or ()), tuple(hunks)) if hunks else ChangedNames()
    words = names.words
    if not words:
        return CrossFileEdits()
    tree = [one for one in outlines() if one.path != path and one.path.endswith(PYTHON)]
    using = [one.path for one in tree if words & one.names.keys()]
    texts = {other: _lines(other, read_lines) for other in using[:MOST_FILES]}
    taken = {name for lines in texts.values() for name in _has(lines, frozenset(words))}
    alone = frozenset(words - taken - _has(_after(tuple(read_lines(path) or ()), hunks), frozenset(words)))
    found: list[Section] = []
    lost: list[str] = []
    unsure: dict[str, int] = {}
    for other, lines in texts.items():
        what = _followed(lines, other, names, path, alone) if may_be_asked(lines) else None
        made = _hunks(lines, what.text) if what is not None else ()
        windows = sections(other, lines, made, limits, count_tokens) if made else ()
        found += windows
        if what is None or (made and not windows):
            lost.append(other)
        elif what.unsure:
            unsure[other] = what.unsure
    return CrossFileEdits(tuple(found), tuple(_left_out(path, names, [*lost, *using[MOST_FILES:]], unsure)))


def _left_out(
    path: str, names: ChangedNames, lost: Sequence[str], unsure: dict[str, int]
) -> Iterator[tuple[str, str]]:
    """A line a file, or one for all of many."""
    old = " and ".join(sorted(names.words))
    why = "it may be another name" if names.renamed else "its parameters changed"
    if len(lost) + len(unsure) > MOST_NAMED:
        yield path, f"{old} is in {len(lost) + len(unsure)} more files, where {why}; check them"
        return
    yield from ((other, f"may use {old} and was not edited; check it") for other in lost)
    for other, number in unsure.items():
        times = "once" if number == 1 else f"{number} times"
        yield other, f"has {old} {times}, where {why}; check it"


def _lines(path: str, read_lines: ReadLines) -> tuple[str, ...]:
    try:
        return tuple(read_lines(path) or ())
    except SparkError:
        return ()


def _hunks(lines: Sequence[str], text: str) -> tuple[KnownHunk, ...]:
    return tuple((one.first + 1, one.last + 1, one.new) for one in between(lines, text.split("\n")[:-1]))


@lru_cache(maxsize=8)
def _renamed(lines: tuple[str, ...], hunks: tuple[KnownHunk, ...]) -> ChangedNames:
    was, now = Source(lines), Source(_after(lines, hunks))
    found = renamed(was, now)
    return ChangedNames(found, () if found else other_parameters(was, now))


def _after(lines: Sequence[str], hunks: Sequence[KnownHunk]) -> tuple[str, ...]:
    now = list(lines)
    for first, last, new in sorted(hunks, reverse=True):
        now[first - 1 : last - 1] = new
    return tuple(now)


@lru_cache(maxsize=256)
def _has(lines: tuple[str, ...], names: frozenset[str]) -> set[str]:
    return has(Source(lines), names)


@lru_cache(maxsize=256)
def _followed(
    lines: tuple[str, ...], path: str, names: ChangedNames, home: str, alone: frozenset[str]
) -> Followed | None:
    """Looked for while the person types, and asked for again with the key that sends it."""
    source = Source(lines)
    if source.tree is None:
        return None
    if names.renamed:
        return followed(source, path, names.renamed, home, alone)
    unsure = 0
    for one in names.parameters:
        found = with_keywords(source, path, one, home, alone)
        source, unsure = Source(found.text.split("\n")[:-1]), unsure + found.unsure
    return Followed(source.text, unsure)
