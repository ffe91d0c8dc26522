"""The lines that an edit changed, whoever made it, and calls that change them differently."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from spark_tui.codemods.families.files import DeleteLines, ReplaceLines
from spark_tui.codemods.hunks import bare_lines
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place, Text
from spark_tui.edits.diff import diff
from spark_tui.intent.context.situation import Situation
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.shared_ends import same_at_end, same_at_start

Lines = tuple[str, ...]
STRING = r"[rbfuRBFU]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
_MOST_FOCUSED = 40
_TOKEN = re.compile(rf"{STRING}|\d[\w.]*|\w+|[^\w\s]")


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


@lru_cache(maxsize=16)
def texts_of_tokens(text: str) -> frozenset[str]:
    """The different tokens of a text; that of a whole file is asked for more than once in a message."""
    return frozenset(_TOKEN.findall(text))


@dataclass(frozen=True)
class LineChange:
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

    def offset(self, at: int, source: Source) -> int:
        """Where a character of the new lines stands in the file, whose lines may end in another way."""
        rows = self.text[:at].split("\n")
        return source.starts[self.at + len(rows) - 1] + len(rows[-1])

    def exchanged(self) -> Iterator[tuple[list[Token], list[Token]]]:
        """The tokens that are not the same, of the old lines and of the new ones."""
        for was, now in _exchanged("\n".join(self.old), self.text):
            yield was[:], now[:]

    def written(self) -> Iterator[Token]:
        """The tokens of the new lines that were not in the old ones."""
        for _, now in self.exchanged():
            yield from now


@lru_cache(maxsize=1024)
def _exchanged(old: str, new: str) -> list[tuple[list[Token], list[Token]]]:
    was, now = tokens_of(old), tokens_of(new)
    texts = [[token.text for token in tokens] for tokens in (was, now)]
    codes = SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_opcodes()
    return [(was[first:last], now[low:high]) for tag, first, last, low, high in codes if tag != "equal"]


def changes_of_edit(situation: Situation) -> list[LineChange]:
    if situation.before is None:
        return []
    paths = situation.changed or ((situation.path,) if situation.path else ())
    return [change for path in paths for change in _of_file(path, situation.before, situation.behind)]


def changes_between(before: Repository, texts: Mapping[str, str | None]) -> list[LineChange]:
    """How texts differ from a repository."""
    after = before.with_changes(texts)
    return [change for path in texts for change in _of_file(path, before, after)]


def _of_file(path: str, before: Repository, after: Repository) -> tuple[LineChange, ...]:
    was, now = before.index.text(path), after.index.text(path)
    return () if was is None or now is None or was == now else _of_texts(path, was, now)


@lru_cache(maxsize=128)
def _of_texts(path: str, was: str, now: str) -> tuple[LineChange, ...]:
    old, new = bare_lines(was), bare_lines(now)
    out: list[LineChange] = []
    for a0, a1, b0, b1 in diff(old, new):
        if a1 - a0 == b1 - b0:
            for at in range(a1 - a0):
                out.append(LineChange(path, a0 + at, a0 + at + 1, b0 + at, (old[a0 + at],), (new[b0 + at],)))
        else:
            out.append(LineChange(path, a0, a1, b0, old[a0:a1], new[b0:b1]))
    return tuple(out)


def functions_around(change: LineChange, after: Repository) -> list[str]:
    """The names of the functions and classes in which lines were changed."""
    source = after.index.parsed(change.path)
    at = change.at + bool(change.new) - 1
    above = bisect_right(source.definitions, at, key=source.first_line)
    if not above:
        return []
    nearest = source.definitions[above - 1]  # what holds the line is it, or holds it
    around = [one for one in (nearest, *source.ancestors(nearest)) if isinstance(one, Definition)]
    return [one.name for one in reversed(around) if at < source.last_line(one)]


def functions_changed(situation: Situation) -> set[str]:
    """The names of the functions and classes in which the last edit changed lines."""
    changes = changes_of_edit(situation)
    return {name for change in changes for name in functions_around(change, situation.behind)}


def definitions_changed(before: Repository, texts: Mapping[str, str | None]) -> dict[tuple[str, ...], int]:
    """The functions and classes, each after its file, in which texts differ from a repository, with the
    first line of each; what is written outside of all only comes with it, as long as there are others."""
    after, found = before.with_changes(texts), changes_between(before, texts)
    out = {(change.path, *functions_around(change, after)): change.first for change in reversed(found)}
    return {one: first for one, first in out.items() if len(one) > 1} or out


def lines_of(path: str, repo: Repository) -> Lines:
    """The lines of a file; none where there is no such file."""
    return bare_lines(repo.index.text(path))


def calls_for(
    found: Sequence[LineChange], otherwise: Mapping[LineChange, Lines | None], before: Repository
) -> tuple[Operation, ...]:
    """Calls that make the changes on the files before them, some with other lines; None leaves one out."""
    return calls_to(texts_for(found, otherwise, before), before)


def texts_for(
    found: Sequence[LineChange], otherwise: Mapping[LineChange, Lines | None], before: Repository
) -> dict[str, str | None]:
    """The files with the changes, some with other lines or left out."""
    texts: dict[str, str | None] = {}
    for path in dict.fromkeys(change.path for change in found):
        new = list(lines_of(path, before))
        for item in sorted((change for change in found if change.path == path), key=lambda each: -each.first):
            lines = otherwise.get(item, item.new)
            if lines is not None:
                new[item.first : item.last] = lines
        texts[path] = "".join(f"{line}\n" for line in new)
    return texts


def texts_after(situation: Situation) -> dict[str, str | None]:
    """The files that the earlier edit changed, as it left them."""
    return {change.path: situation.behind.index.text(change.path) for change in changes_of_edit(situation)}


def calls_with(texts: Mapping[str, str | None], situation: Situation) -> tuple[Operation, ...]:
    """Calls for the repository before the earlier edit that make it with other text in some files."""
    before = situation.before
    return calls_to({**texts_after(situation), **texts}, before) if before is not None else ()


def calls_to(texts: Mapping[str, str | None], before: Repository) -> tuple[Operation, ...]:
    """Calls that make files have these lines. One for a file: a name that is changed in two places must not
    be undefined between them."""
    out: list[Operation] = []
    for path, wanted in texts.items():
        old, new = lines_of(path, before), bare_lines(wanted)
        if new == old or not old:
            continue
        first = min(same_at_start(old, new), len(old) - 1)
        last = min(same_at_end(old, new, first), len(old) - first - 1)
        text = "\n".join(new[first : len(new) - last])
        text += "\n" * text.endswith("\n")  # the last line break of a replacement does not count
        place = Place(path, first + 1, len(old) - last)
        out.append(ReplaceLines(place, Text(text)) if first < len(new) - last else DeleteLines(place))
    return tuple(out)


def select_written_lines(situation: Situation) -> Situation:
    """With the lines that were written selected, where they stand together and nobody selected others."""
    found = changes_of_edit(situation) if situation.selection is None and situation.written is None else []
    if not found or len({change.path for change in found}) > 1:
        return situation
    first, last = found[0].at + 1, max(found[-1].at + len(found[-1].new), found[-1].at + 1)
    if last - first > _MOST_FOCUSED:
        last = first
    return replace(situation, path=found[0].path, selection=(first, last), focused=True)
