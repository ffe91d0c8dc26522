"""Score how well an answer fits the instruction, without the model, in units of log-probability.

Six observations, each with a weight that was fitted once on the development set to tell right answers from
likelier wrong ones: names that occur nowhere else, a line more similar to one that stays than to the line it
replaces, names in the instruction that the hunks do not touch, new text in the instruction that the hunks do
not contain, hunks outside the named function, and words of a replaced line that disappear although the
instruction does not mention them.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk

WEIGHTS = {"unknown": 2.2, "elsewhere": 3.3, "untouched": 2.1, "missing": 3.2, "outside": 3.0, "dropped": 0.6}
_KNOWN = frozenset([*keyword.kwlist, *dir(builtins), "self", "cls"])
WORD = re.compile(r"[A-Za-z_]\w*")
_PIECE = re.compile(r"\w+|[^\w\s]")
_LITERAL = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|#.*')
QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")
_CAMEL = re.compile(r"[a-z][A-Z]")
_DEF = re.compile(r"(\s*)(?:async\s+)?(?:def|class)\s+(\w+)")
_SHORT = 6
"""Lines of fewer characters are alike by chance."""
_MOST_WORDS = 3


def is_compound(word: str) -> bool:
    """Whether a word is not a plain one: it is code wherever it occurs."""
    return "_" in word or _CAMEL.search(word) is not None


def without_literals(code: str) -> str:
    return _LITERAL.sub("", code)


def _pieces(line: str) -> frozenset[str]:
    return frozenset(_PIECE.findall(line))


def _alike(one: frozenset[str], two: frozenset[str]) -> float:
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 0.0


@dataclass
class AnswerFeatures:
    """For one question about one file."""

    lines: Sequence[str]
    instruction: str
    earlier: str = ""
    """What was said and written before it in the same turn: a steer says less than it means."""

    def penalty(self, hunks: Sequence[WindowHunk]) -> float:
        return sum(WEIGHTS[name] * value for name, value in self.seen(hunks).items())

    def seen(self, hunks: Sequence[WindowHunk]) -> dict[str, float]:
        """Each observation: 0 where there is nothing to object to, mostly 1 at most."""
        new = "\n".join(line for hunk in hunks for line in hunk.new)
        old = "\n".join(line for hunk in hunks for line in self.lines[hunk.first : hunk.last])
        replaced = "\n".join(
            line for hunk in hunks if hunk.new for line in self.lines[hunk.first : hunk.last]
        )
        words = frozenset(WORD.findall(new))
        code = frozenset(WORD.findall(without_literals(new)))
        touched = words | frozenset(WORD.findall(old))
        return {
            "unknown": float(min(_MOST_WORDS, len(code - self._file_words - self._said_words - _KNOWN))),
            "elsewhere": self._elsewhere(hunks),
            "untouched": self._share([word not in touched for word in self._named]),
            "missing": self._share([not _holds(new, piece) for piece in self._brought]),
            "outside": float(bool(self._named_spans) and not self._inside(hunks)),
            "dropped": float(
                min(_MOST_WORDS, len(frozenset(WORD.findall(replaced)) - words - self._said_words))
            ),
        }

    @staticmethod
    def _share(flags: list[bool]) -> float:
        return sum(flags) / len(flags) if flags else 0.0

    # -- the file and the instruction
    # ----------------------------------------------------------------------------

    @cached_property
    def _text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def _file_words(self) -> frozenset[str]:
        return frozenset(WORD.findall(self._text))

    @cached_property
    def _asked_words(self) -> frozenset[str]:
        return frozenset(WORD.findall(self.instruction))

    @cached_property
    def _said_words(self) -> frozenset[str]:
        return self._asked_words | frozenset(WORD.findall(self.earlier))

    @cached_property
    def _named(self) -> list[str]:
        """Words of the instruction that are names in the file."""
        return [word for word in self._asked_words & self._file_words if len(word) > 3 or "_" in word]

    @cached_property
    def _brought(self) -> list[str]:
        """Names and pieces of code that the instruction brings, and neither the file nor what was said before
        has."""
        quoted = {next(filter(None, groups)) for groups in QUOTED.findall(self.instruction)}
        names = {word for word in self._asked_words if is_compound(word)}
        had = f"{self._text}\n{self.earlier}"
        return [piece for piece in quoted | names if not _holds(had, piece)]

    @cached_property
    def _pieces_of(self) -> list[frozenset[str]]:
        return [_pieces(line) for line in self.lines]

    @cached_property
    def _named_spans(self) -> list[tuple[int, int]]:
        """The lines of the functions and classes that the instruction names."""
        out = []
        for number, line in enumerate(self.lines):
            found = _DEF.match(line)
            if found is None or found[2] not in self._asked_words:
                continue
            end = number + 1
            while end < len(self.lines) and (
                not self.lines[end].strip()
                or len(self.lines[end]) - len(self.lines[end].lstrip()) > len(found[1])
            ):
                end += 1
            out.append((number, end))
        return out

    # -- the hunks
    # -------------------------------------------------------------------------------------------------

    def _inside(self, hunks: Sequence[WindowHunk]) -> bool:
        """A decorator above and a line right below count as inside."""
        return any(first - 1 <= hunk.first <= end for hunk in hunks for first, end in self._named_spans)

    def _elsewhere(self, hunks: Sequence[WindowHunk]) -> float:
        """How much more a new line resembles a line that stays than the line it replaces."""
        replaced = {number for hunk in hunks for number in range(hunk.first, hunk.last)}
        worst = 0.0
        for hunk in hunks:
            for line in hunk.new:
                if len(line.strip()) < _SHORT:
                    continue
                mine = _pieces(line)
                own = max(
                    (_alike(self._pieces_of[n], mine) for n in range(hunk.first, hunk.last)), default=0.6
                )
                other = max(
                    (_alike(pieces, mine) for n, pieces in enumerate(self._pieces_of) if n not in replaced),
                    default=0.0,
                )
                worst = max(worst, other - own)
        return worst


def _holds(text: str, piece: str) -> bool:
    if piece.isidentifier():
        return re.search(rf"(?<!\w){piece}(?!\w)", text) is not None
    return piece in text
