"""What hunks brought into the text that they change: terms, names that they make, single differences.

Comes in: the lines that were shown, hunks. Goes out: what is new in them. Must not know: messages, engines, ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from spark_tui.engine.layout import WindowHunk
from spark_tui.steers.terms import LEVELS, NUMBERS, bare, sort_of, terms

PARTS = {
    "docstring": r"^\s*[rR]?(?:\"\"\"|''')|\"\"\"\s*$", "comment": r"#",
    "import": r"^\s*(?:import|from)\b", "print": r"^\s*print\(",
    "log": r"^\s*log\w*\.", "logging": r"^\s*log\w*\.", "default": r"=", "message": r"\braise\b", "text": r"\braise\b",
}  # fmt: skip
"""Parts of code by what people call them, and how a line of one looks."""
_MADE = re.compile(
    r"^\s*(?:self\.)?(\w+)\s*(?::[^=\n]+)?=[^=]|\b(?:def|class|as|for)\s+(\w+)|[(,]\s*(\w+)\s*(?:=[^=]|[,):])|\"(\w+)\":",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Lines `first..last-1` became `new`; as few as it can be told apart by."""

    first: int
    last: int
    new: tuple[str, ...]


def differences(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> Iterator[Difference]:
    """Hunks in their smallest parts."""
    for hunk in hunks:
        old = list(lines[hunk.first : hunk.last])
        for code, a, b, c, d in SequenceMatcher(None, old, list(hunk.new), autojunk=False).get_opcodes():
            if code == "equal":
                continue
            if b - a == d - c:
                for step in range(b - a):
                    yield Difference(hunk.first + a + step, hunk.first + a + step + 1, (hunk.new[c + step],))
            else:
                yield Difference(hunk.first + a, hunk.first + b, tuple(hunk.new[c:d]))


@dataclass
class Written:
    """Of one answer."""

    lines: Sequence[str]
    standing: Sequence[WindowHunk]

    def brings(self, term: str) -> bool:
        text = NUMBERS.get(bare(term).lower(), bare(term))
        return bool(text) and (
            any(text == bare(one) or text in re.split(r"\W+", one) for one in self._brought)
            or (" " in text and text in self.text)
        )

    def lost(self, looks: str) -> bool:
        """Whether lines of this look are gone, and none came."""
        gone = [line for one in self.differences for line in self.lines[one.first : one.last]]
        came = [line for one in self.differences for line in one.new]
        return any(re.search(looks, line) for line in gone) and not any(re.search(looks, line) for line in came)

    def mentions(self, word: str) -> bool:
        """Whether a difference has to do with it."""
        if len(word) < 2 or not re.search(r"\w", word):
            return False
        found = re.compile(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", re.IGNORECASE)
        return any(
            found.search(line) for one in self.differences for line in (*self.lines[one.first : one.last], *one.new)
        )

    def mentions_all(self, word: str) -> bool:
        """Whether every difference has to do with it."""
        found = re.compile(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", re.IGNORECASE)
        return all(found.search("\n".join([*self.lines[one.first : one.last], *one.new])) for one in self.differences)

    def level(self) -> str:
        """The level at which something is logged that was not."""
        found = {last for term in self._brought if (last := term.rpartition(".")[2]) in LEVELS and "." in term}
        return found.pop() if len(found) == 1 else ""

    def alone(self, new: str, sort: str) -> str:
        """The only term that the hunks brought that may be meant by another of this sort."""
        if sort == "name":
            made = [name for name in self._made if _shape(name) == _shape(new)] or list(self._made)
            if len(made) == 1:
                return made[0]
            literals = [
                term for term in dict.fromkeys(self._brought) if sort_of(term) in ("number", "text", "constant")
            ]
            return literals[0] if len(literals) == 1 and ("." in new or new in self._words) else ""
        found = [term for term in dict.fromkeys(self._brought) if sort_of(term) == sort and bare(term) != bare(new)]
        return found[0] if len(found) == 1 else ""

    @cached_property
    def text(self) -> str:
        return "\n".join(line for hunk in self.standing for line in hunk.new)

    @cached_property
    def differences(self) -> list[Difference]:
        return list(differences(self.lines, self.standing))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", "\n".join(self.lines)))

    @cached_property
    def _made(self) -> list[str]:
        """Names that the hunks make and the text did not have."""
        found = [next(filter(None, match.groups())) for match in _MADE.finditer(self.text)]
        return [name for name in dict.fromkeys(found) if name not in self._words and not name.isdigit()]

    @cached_property
    def _brought(self) -> list[str]:
        """Terms that the hunks have and the lines that they replace do not have as often."""
        out: list[str] = []
        for hunk in self.standing:
            old = list(terms("\n".join(self.lines[hunk.first : hunk.last])))
            for term in terms("\n".join(hunk.new)):
                if term in old:
                    old.remove(term)
                else:
                    out.append(term)
        return out


def _shape(name: str) -> str:
    return "upper" if name.isupper() else "camel" if name[:1].isupper() else "plain"
