"""The lines that an edit changed, whoever wrote it, and edits that change them otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from spark_tui.codemods.families.lines import DeleteLines, ReplaceLines
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place, Text
from spark_tui.intent.situation import Situation
from spark_tui.pysource.repository import Repository

Lines = tuple[str, ...]
_STRING = r"[rbfuRBFU]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
_MOST_FOCUSED = 40
_TOKEN = re.compile(rf"{_STRING}|\d[\w.]*|\w+|[^\w\s]")


@dataclass(frozen=True)
class Token:
    """A token of code; `start` counts characters of the text that it is in."""

    text: str
    start: int
    before: str = ""
    """The token before it."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens_of(text: str) -> list[Token]:
    out: list[Token] = []
    for found in _TOKEN.finditer(text):
        out.append(Token(found[0], found.start(), out[-1].text if out else ""))
    return out


@dataclass(frozen=True)
class Change:
    """Lines `first` to `last` (from 0, half-open) of a file, and what they became, from line `at` on."""

    path: str
    first: int
    last: int
    at: int
    old: Lines
    new: Lines

    @property
    def text(self) -> str:
        """The new lines, each with its end."""
        return "".join(f"{line}\n" for line in self.new)

    def written(self) -> Iterator[Token]:
        """The tokens of the new lines that were not in the old ones."""
        was = [one.text for one in tokens_of("\n".join(self.old))]
        now = tokens_of(self.text)
        matcher = SequenceMatcher(None, was, [one.text for one in now], autojunk=False)
        for tag, _, _, low, high in matcher.get_opcodes():
            if tag != "equal":
                yield from now[low:high]


def changes(situation: Situation) -> list[Change]:
    """What the earlier edit changed."""
    if situation.before is None:
        return []
    paths = situation.changed or ((situation.path,) if situation.path else ())
    return [one for path in paths for one in _of_file(path, situation.before, situation.repo)]


def _of_file(path: str, before: Repository, after: Repository) -> Iterator[Change]:
    was, now = before.index.text(path), after.index.text(path)
    if was is None or now is None or was == now:
        return
    old, new = was.splitlines(), now.splitlines()
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if a1 - a0 == b1 - b0:
            for at in range(a1 - a0):
                yield Change(path, a0 + at, a0 + at + 1, b0 + at, (old[a0 + at],), (new[b0 + at],))
        else:
            yield Change(path, a0, a1, b0, tuple(old[a0:a1]), tuple(new[b0:b1]))


def calls_for(
    found: Sequence[Change], otherwise: Mapping[Change, Lines | None], before: Repository
) -> tuple[Operation, ...]:
    """Calls that make the changes on the files before them, some with other lines; None leaves one out."""
    out: list[Operation] = []
    # From the end of a file on: the lines above keep their numbers.
    for one in sorted(found, key=lambda each: (each.path, -each.first)):
        new = otherwise.get(one, one.new)
        if new is None or new == one.old:
            continue
        if one.first < one.last:
            place = Place(one.path, one.first + 1, one.last)
            out.append(ReplaceLines(place, Text("\n".join(new))) if new else DeleteLines(place))
            continue
        lines = (before.index.text(one.path) or "").splitlines()
        if not lines:
            continue
        at = min(one.first, len(lines) - 1)
        both = (*new, lines[at]) if one.first <= at else (lines[at], *new)
        out.append(ReplaceLines(Place(one.path, at + 1, at + 1), Text("\n".join(both))))
    return tuple(out)


def focused(situation: Situation) -> Situation:
    """With the lines that were written selected, where they stand together and nobody selected others."""
    found = changes(situation) if situation.selection is None else []
    if not found or len({one.path for one in found}) > 1:
        return situation
    first, last = found[0].at + 1, max(found[-1].at + len(found[-1].new), found[-1].at + 1)
    if last - first > _MOST_FOCUSED:
        last = first
    return replace(situation, path=found[0].path, selection=(first, last), focused=True)
