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

from spark_tui.edits.indentation import depth_of
from spark_tui.engine.text.token_layout import WindowHunk

WEIGHTS = {"known": -1.7, "brings": -1.5, "has": 1.8, "twice": 1.7, "as_it_was": 1.9}
_BASE, _MODEL_WEIGHT, _CONFIDENCE_WEIGHT = -1.0, 0.68, 1.0
_LEAST = WEIGHTS["known"] + WEIGHTS["brings"]
_LEAST_CONFIDENCE = 0.01
"""Below this confidence an edit is hard or out of reach; lower values are no more evidence of a no-op."""
_BROKEN_CONFIDENCE = 0.05
"""The confidence to assume where the model wrote no valid edit."""
_EVIDENT = -2.5
"""In log-odds: at or below it an edit is merely uncertain, without evidence of a no-op."""
_DISCOUNT, _DISCOUNT_FROM = 0.3, -4.0
"""By how much the confidence of an edit falls with the log-odds of a no-op, and from which on."""
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
"""Lines around a decorator that may be decorators of the same function."""


def noop_probability(model_chance: float, confidence: float, evidence: float) -> float:
    """The chance that there is nothing to do. `model_chance`: of *no-edit* as the model's first token;
    `confidence`: of the edit it wrote then (0: it was not valid); `evidence`: from `NoopClassifier`."""
    confidence = min(confidence or _BROKEN_CONFIDENCE, 1 - model_chance)
    unsure = -math.log(max(confidence, _LEAST_CONFIDENCE))
    odds = _BASE + _MODEL_WEIGHT * _log_odds(model_chance) + _CONFIDENCE_WEIGHT * unsure + evidence
    return 1 / (1 + math.exp(-odds))


def noop_lower_bound(model_chance: float) -> float:
    """The least value of `noop_probability`, whatever edit the model writes."""
    return noop_probability(model_chance, 1 - model_chance, _LEAST)


def is_noop(model_chance: float, evidence: float) -> bool:
    """Whether the model or the evidence says that there is nothing to do. Where neither does and no edit is
    offered, the request is out of reach."""
    return _MODEL_WEIGHT * _log_odds(model_chance) + evidence > _EVIDENT


def discounted_confidence(confidence: float, no_edit: float) -> float:
    """The confidence of an edit where none may be wanted: evidence of a no-op is evidence of a mistake."""
    return confidence * math.exp(-_DISCOUNT * max(0.0, _log_odds(no_edit) - _DISCOUNT_FROM))


def _log_odds(chance: float) -> float:
    return math.log(chance + _SMALLEST) - math.log(1 - chance + _SMALLEST)


@dataclass
class NoopClassifier:
    """Observes the edits of one instruction about one file."""

    lines: Sequence[str]
    instruction: str

    def evidence(self, hunks: Sequence[WindowHunk]) -> float:
        return sum(WEIGHTS[name] for name, holds in self.observations(hunks).items() if holds)

    def observations(self, hunks: Sequence[WindowHunk]) -> dict[str, bool]:
        old = "\n".join(line for hunk in hunks for line in self.lines[hunk.first : hunk.last])
        new = "\n".join(line for hunk in hunks for line in hunk.new)
        replaced = {number for hunk in hunks for number in range(hunk.first, hunk.last)}
        after = _normalized(
            "\n".join([*(line for n, line in enumerate(self.lines) if n not in replaced), new])
        )
        missing = self._named_code - self._present
        brings = any(_contains(after, piece) for piece in missing) or bool(
            (_words(_LITERAL.sub("", new)) - self._file_words) & _words(self.instruction)
        )
        repeats = any(_count(new, piece) > _count(old, piece) for piece in self._present)
        return {
            "known": bool(self._present),
            "brings": brings,
            "has": repeats and not any(_contains(after, piece) for piece in missing),
            "twice": any(self._repeats_line(hunk) for hunk in hunks)
            or _doubled(new) > _doubled(old)
            or _unsorted(old, new),
            "as_it_was": any(self._edge_unchanged(hunk) for hunk in hunks),
        }

    # -- the instruction and the file

    @cached_property
    def _named_code(self) -> frozenset[str]:
        """The code that the instruction names: quoted text, identifiers, values."""
        quoted = {next(filter(None, groups)) for groups in _QUOTED.findall(self.instruction)}
        names = {word for word in _words(self.instruction) if "_" in word or _CAMEL.search(word)}
        return frozenset(
            [*quoted, *names, *_DOTTED.findall(self.instruction), *_VALUE.findall(self.instruction)]
        )

    @cached_property
    def _present(self) -> frozenset[str]:
        text = _normalized("\n".join(self.lines))
        return frozenset(piece for piece in self._named_code if _contains(text, piece))

    @cached_property
    def _file_words(self) -> frozenset[str]:
        return _words("\n".join(self.lines))

    # -- the hunks

    def _edge_unchanged(self, hunk: WindowHunk) -> bool:
        """Whether the hunk begins or ends with an unchanged line: a hunk that is meant is minimal."""
        old = self.lines[hunk.first : hunk.last]
        return bool(old and hunk.new) and (old[0] == hunk.new[0] or old[-1] == hunk.new[-1])

    def _repeats_line(self, hunk: WindowHunk) -> bool:
        """Whether it adds a binding that its block already has, or a second docstring."""
        old = self.lines[hunk.first : hunk.last]
        if len(hunk.new) <= len(old):
            return False
        if not old and hunk.new[0].lstrip().startswith(_QUOTES) and self._beside_docstring(hunk.first):
            return True
        return any(
            line in self._block(hunk, line) for line in hunk.new if line not in old and _BINDS.match(line)
        )

    def _block(self, hunk: WindowHunk, line: str) -> Iterator[str]:
        """The unchanged lines of the block that a new line is added to."""
        first, last = max(0, hunk.first - _DECORATORS), min(len(self.lines), hunk.last + _DECORATORS)
        if not line.lstrip().startswith("@"):
            depth = depth_of(line)
            first, last = hunk.first, hunk.last
            while first and not self._shallower(first - 1, depth):
                first -= 1
            while last < len(self.lines) and not self._shallower(last, depth):
                last += 1
        return (self.lines[n] for n in range(first, last) if not hunk.first <= n < hunk.last)

    def _shallower(self, number: int, depth: int) -> bool:
        return bool(self.lines[number].strip()) and depth_of(self.lines[number]) < depth

    def _beside_docstring(self, at: int) -> bool:
        above = next((line.rstrip() for line in reversed(self.lines[:at]) if line.strip()), "")
        below = next((line.lstrip() for line in self.lines[at:] if line.strip()), "")
        return below.startswith(_QUOTES) or above.endswith(_QUOTES[:2])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _normalized(text: str) -> str:
    """The text without differences of quotes and capitals."""
    return text.lower().replace("'", '"')


def _contains(normalized: str, piece: str) -> bool:
    piece = _normalized(piece)
    if re.fullmatch(r"\w+", piece):
        return re.search(rf"(?<!\w){piece}(?!\w)", normalized) is not None
    return _bare(piece) in re.sub(r"\s", "", normalized)


def _bare(piece: str) -> str:
    piece = re.sub(r"\s", "", piece)
    return piece.strip('"()') or piece


def _count(text: str, piece: str) -> int:
    if re.fullmatch(r"\w+", piece):
        return len(re.findall(rf"(?<!\w){piece}(?!\w)", text))
    return re.sub(r"\s", "", text).replace("'", '"').count(_bare(piece.replace("'", '"')))


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
