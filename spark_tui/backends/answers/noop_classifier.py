"""Estimate the chance that an instruction needs no edit, from its words and the edit that would answer it.

A model that is asked for something already present writes it a second time, or rewrites lines unchanged; a
model that is asked about names that the file lacks changes something else. Five observations detect this.
Their weights, and the weights of the model's own first token and confidence, were fitted on one half of a
development set's files and checked on the other (docs/LOG.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from spark_tui.engine.token_layout import WindowHunk

WEIGHTS = {"known": -1.7, "brings": -1.5, "has": 1.8, "twice": 1.7, "as_it_was": 1.9}
_BASE, _SAID, _SURE = -1.0, 0.68, 1.0
_LEAST = WEIGHTS["known"] + WEIGHTS["brings"]
_LEAST_SURE = 0.01
"""An edit that is less sure speaks no more for there being none: it is hard, or out of reach."""
_NONE_SURE = 0.05
"""Where no edit holds together, it is as likely that there is none as where one is so sure."""
_TOLD = -2.5
"""In log-odds: below it an edit is only unsure, and nobody said that there is nothing to do."""
_DOUBTED, _UNDOUBTED = 0.3, -4.0
"""By how much an edit is less sure, and from which log-odds on."""
_SMALLEST = 1e-6
_WORD = re.compile(r"[A-Za-z_]\w*")
_LITERAL = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|#.*')
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")
_CAMEL = re.compile(r"[a-z][A-Z]")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_VALUE = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])|\b(?:None|True|False)\b")
_TOKEN = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|\w+|[^\w\s]')
_QUOTES = ('"""', "'''", 'r"""', "r'''")
_BINDS = re.compile(r"\s*(?:@|import\s|from\s|(?:async\s+)?def\s|class\s|(?:self\.)?\w+\s*(?::[^=]+)?=(?!=))")
_DECORATORS = 4
"""So many lines around a decorator may be others of the same function."""


def noop_probability(said: float, sure: float, signs: float) -> float:
    """How likely it is that there is nothing to do: the model `said` so before it wrote an edit of which it
    is so `sure` (0: none holds together), and what is seen of both."""
    sure = min(sure or _NONE_SURE, 1 - said)
    odds = _BASE + _SAID * _log_odds(said) - _SURE * math.log(max(sure, _LEAST_SURE)) + signs
    return 1 / (1 + math.exp(-odds))


def noop_lower_bound(said: float) -> float:
    """The chance whatever edit comes."""
    return noop_probability(said, 1 - said, _LEAST)


def is_noop(said: float, signs: float) -> bool:
    """Whether what the model said, or what is seen, tells that there is nothing to do: where an edit is not
    offered and neither does, it is out of reach."""
    return _SAID * _log_odds(said) + signs > _TOLD


def discounted_confidence(sure: float, none: float) -> float:
    """How sure an edit is where none may be wanted: what is seen of an idle one is seen of a wrong one as
    well."""
    return sure * math.exp(-_DOUBTED * max(0.0, _log_odds(none) - _UNDOUBTED))


def _log_odds(likely: float) -> float:
    return math.log(likely + _SMALLEST) - math.log(1 - likely + _SMALLEST)


@dataclass
class NoopClassifier:
    """For one question about one file."""

    lines: Sequence[str]
    instruction: str

    def signs(self, hunks: Sequence[WindowHunk]) -> float:
        return sum(WEIGHTS[name] for name, seen in self.seen(hunks).items() if seen)

    def seen(self, hunks: Sequence[WindowHunk]) -> dict[str, bool]:
        old = "\n".join(line for hunk in hunks for line in self.lines[hunk.first : hunk.last])
        new = "\n".join(line for hunk in hunks for line in hunk.new)
        replaced = {number for hunk in hunks for number in range(hunk.first, hunk.last)}
        after = _even("\n".join([*(line for n, line in enumerate(self.lines) if n not in replaced), new]))
        lacked = self._pieces - self._had
        brings = any(_holds(after, piece) for piece in lacked) or bool(
            (_words(_LITERAL.sub("", new)) - self._file_words) & _words(self.instruction)
        )
        again = any(_count(new, piece) > _count(old, piece) for piece in self._had)
        return {
            "known": bool(self._had),
            "brings": brings,
            "has": again and not any(_holds(after, piece) for piece in lacked),
            "twice": any(self._twice(hunk) for hunk in hunks)
            or _doubled(new) > _doubled(old)
            or _unsorted(old, new),
            "as_it_was": any(self._as_it_was(hunk) for hunk in hunks),
        }

    # -- the instruction and the file
    # -----------------------------------------------------------------------------

    @cached_property
    def _pieces(self) -> frozenset[str]:
        """What the instruction names of code: what is quoted, names that are no plain words, values."""
        said = self.instruction
        quoted = {next(filter(None, groups)) for groups in _QUOTED.findall(said)}
        names = {word for word in _words(said) if "_" in word or _CAMEL.search(word)}
        return frozenset([*quoted, *names, *_DOTTED.findall(said), *_VALUE.findall(said)])

    @cached_property
    def _had(self) -> frozenset[str]:
        text = _even("\n".join(self.lines))
        return frozenset(piece for piece in self._pieces if _holds(text, piece))

    @cached_property
    def _file_words(self) -> frozenset[str]:
        return _words("\n".join(self.lines))

    # -- the hunks
    # -------------------------------------------------------------------------------------------------

    def _as_it_was(self, hunk: WindowHunk) -> bool:
        """A hunk is as small as it can be where it is meant; one that begins or ends with a line as it stands
        is the beginning of something that did not come."""
        old = self.lines[hunk.first : hunk.last]
        return bool(old and hunk.new) and (old[0] == hunk.new[0] or old[-1] == hunk.new[-1])

    def _twice(self, hunk: WindowHunk) -> bool:
        """It adds a line that binds a name and already exists in the same block, or a second docstring."""
        old = self.lines[hunk.first : hunk.last]
        if len(hunk.new) <= len(old):
            return False
        if not old and hunk.new[0].lstrip().startswith(_QUOTES) and self._beside_docstring(hunk.first):
            return True
        return any(
            line in self._block(hunk, line) for line in hunk.new if line not in old and _BINDS.match(line)
        )

    def _block(self, hunk: WindowHunk, line: str) -> Iterator[str]:
        """The lines that stay of the block that a new line comes into."""
        first, last = max(0, hunk.first - _DECORATORS), min(len(self.lines), hunk.last + _DECORATORS)
        if not line.lstrip().startswith("@"):
            depth = _depth(line)
            first, last = hunk.first, hunk.last
            while first and not self._shallower(first - 1, depth):
                first -= 1
            while last < len(self.lines) and not self._shallower(last, depth):
                last += 1
        return (self.lines[n] for n in range(first, last) if not hunk.first <= n < hunk.last)

    def _shallower(self, number: int, depth: int) -> bool:
        return bool(self.lines[number].strip()) and _depth(self.lines[number]) < depth

    def _beside_docstring(self, at: int) -> bool:
        above = next((line.rstrip() for line in reversed(self.lines[:at]) if line.strip()), "")
        below = next((line.lstrip() for line in self.lines[at:] if line.strip()), "")
        return below.startswith(_QUOTES) or above.endswith(_QUOTES[:2])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _even(text: str) -> str:
    """One text for all ways to space, quote and capitalise it, words apart."""
    return text.lower().replace("'", '"')


def _holds(even: str, piece: str) -> bool:
    piece = _even(piece)
    if re.fullmatch(r"\w+", piece):
        return re.search(rf"(?<!\w){piece}(?!\w)", even) is not None
    return _core(piece) in re.sub(r"\s", "", even)


def _core(piece: str) -> str:
    piece = re.sub(r"\s", "", piece)
    return piece.strip('"()') or piece


def _count(text: str, piece: str) -> int:
    if re.fullmatch(r"\w+", piece):
        return len(re.findall(rf"(?<!\w){piece}(?!\w)", text))
    return re.sub(r"\s", "", text).replace("'", '"').count(_core(piece.replace("'", '"')))


def _doubled(text: str) -> int:
    """How often something is listed twice in a row: the same base class, the same argument."""
    tokens = _TOKEN.findall(text)
    return sum(
        one == two and comma == "," and one != ","
        for one, comma, two in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _unsorted(old: str, new: str) -> bool:
    """Whether the edit only reorders lines that were sorted before it."""
    before, after = old.split("\n"), new.split("\n")
    in_order = all(one <= two for one, two in pairwise(before))
    return in_order and before != after and Counter(before) == Counter(after)
