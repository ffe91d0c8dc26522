"""Whether an offered edit is what the next release made of that place.

An edit is right where it lies on a shortest way from the text to the one of the next release: the words that
it changes are words fewer to change; of imports the order does not matter. Where the lines are gone in the
next release, or nothing there is like them, nobody can say.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate
from typing import Literal

from spark_tui.pysource.syntax.parsing import parse
from spark_tui.shared_ends import same_ends

_WORDS = re.compile(r"\w+|[^\w\s]")
_IMPORT = re.compile(r"^\s*(?:from|import)\b", re.MULTILINE)
_MOST_WORDS = 700
_LEAST_ALIKE = 0.5
"""So much of two lines is the same where one became the other."""
Verdict = Literal["right", "wrong", "gone"]
Opcode = tuple[str, int, int, int, int]


class FileJudge:
    """Judges edits of one text of a file by its text in the next release."""

    def __init__(self, text: str, target: str) -> None:
        self.text = text
        self._lines, self._target = text.splitlines(keepends=True), target.splitlines(keepends=True)
        self._starts = [*accumulate(map(len, self._lines), initial=0)]
        self._opcodes: Sequence[Opcode] = SequenceMatcher(
            None, self._lines, self._target, autojunk=False
        ).get_opcodes()

    def verdict(self, start: int, end: int, new: str) -> Verdict:
        """Judge the edit that makes `new` of the characters `start..end-1`."""
        start, end, new = _trimmed(self.text, start, end, new)
        first, last = self._line(start), self._line(max(end - 1, start)) + 1
        if any(tag == "delete" and a <= first and last <= b for tag, a, b, _, _ in self._opcodes):
            return "gone"
        a, b, c, d = self._around(max(first - 1, 0), min(last + 1, len(self._lines)))
        low, high = self._starts[a], self._starts[b]
        old = words_of(self.text[low:high])
        made = words_of(self.text[low:start] + new + self.text[end:high])
        wanted = words_of("".join(self._target[c:d]))
        if max(len(old), len(wanted)) > _MOST_WORDS:
            return "gone"
        if distance(old, wanted) - distance(made, wanted) == distance(old, made):
            return "right"
        if self._imports_as_wanted(start, end, new):
            return "right"
        return "wrong" if self._is_there(first, last, self._target[c:d]) else "gone"

    def _imports_as_wanted(self, start: int, end: int, new: str) -> bool:
        """Whether the edit changes what is imported, and only as the next release has it."""
        line = self.text[self.text.rfind("\n", 0, start) + 1 : end] + new
        if not _IMPORT.search(line):
            return False
        was, made = imports_of(self.text), imports_of(self.text[:start] + new + self.text[end:])
        wanted = imports_of("".join(self._target))
        return was != made and made - was <= wanted and not (was - made) & wanted

    def _is_there(self, first: int, last: int, target: Sequence[str]) -> bool:
        """Whether the next release has a line like one of these."""
        old = [words for line in self._lines[first:last] if (words := words_of(line))]
        new = [words for line in target if (words := words_of(line))]
        return not old or any(
            len(item) + len(two) - distance(item, two) >= _LEAST_ALIKE * (len(item) + len(two))
            for item in old
            for two in new
        )

    def _line(self, offset: int) -> int:
        return min(bisect_right(self._starts, offset) - 1, max(len(self._lines) - 1, 0))

    def _around(self, first: int, last: int) -> tuple[int, int, int, int]:
        """Lines and what they became, to the bounds of what changed."""
        a, b, c, d = first, last, 0, 0
        for tag, i1, i2, j1, _ in self._opcodes:
            if i1 <= first <= i2 and (first < i2 or i1 == i2 or tag != "equal"):
                a, c = (first, j1 + first - i1) if tag == "equal" else (i1, j1)
                break
        for tag, i1, i2, j1, j2 in reversed(self._opcodes):
            if i1 <= last <= i2:
                b, d = (last, j1 + last - i1) if tag == "equal" else (i2, j2)
                break
        return a, b, c, d


def _trimmed(text: str, start: int, end: int, new: str) -> tuple[int, int, str]:
    """The edit without what stays the same at its ends."""
    while start < end and new and text[start] == new[0]:
        start, new = start + 1, new[1:]
    while end > start and new and text[end - 1] == new[-1]:
        end, new = end - 1, new[:-1]
    return start, end, new


@lru_cache(maxsize=256)
def imports_of(text: str) -> frozenset[tuple[str, str]]:
    """What a file imports, as (module, name); nothing where it does not parse."""
    out: set[tuple[str, str]] = set()
    tree = parse(text)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.ImportFrom):
            out |= {("." * node.level + (node.module or ""), alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            out |= {(alias.name, "") for alias in node.names}
    return frozenset(out)


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(text))


@lru_cache(maxsize=4096)
def distance(one: tuple[str, ...], two: tuple[str, ...]) -> int:
    """How many words have to go or come to make one of the other."""
    head, tail = same_ends(one, two)
    left, right = one[head : len(one) - tail], two[head : len(two) - tail]
    row = [0] * (len(right) + 1)
    for word in left:
        diagonal = 0
        for at, other in enumerate(right, 1):
            above = row[at]
            row[at] = diagonal + 1 if word == other else max(above, row[at - 1])
            diagonal = above
    return len(left) + len(right) - 2 * row[-1]
