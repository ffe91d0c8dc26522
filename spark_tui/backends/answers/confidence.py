"""Estimate the chance that a completion of a line is exactly right.

The estimate uses more than the token probabilities: also the text around the cursor and the competing
candidates (`confidence.toml`).
"""

from __future__ import annotations

import builtins
import keyword
import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise
from typing import Any

from spark_tui.backends.answers.line_suggestions import AFTER_ALIKE, LIKE, MOST_CHARS, SAME_WORDS

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = re.compile(r"\w+|[^\w\s]")
_HEAD = re.compile(r"\s*(?:def|class|async def)\b")
_IMPORT = re.compile(r"\s*(?:from|import)\b")
_ONCE = re.compile(r"\s*(?:def|class|from|import|self\.\w+ = )")
"""What is seldom written twice."""
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_KNOWN = frozenset({*keyword.kwlist, *dir(builtins), "self", "cls"})
_LEAST = -9.0
_FITTED: dict[str, Any] = tomllib.loads(
    files("spark_tui.backends.answers").joinpath("confidence.toml").read_text("utf-8")
)
BIAS: float = _FITTED["bias"]
WEIGHTS: dict[str, float] = _FITTED["weights"]


@dataclass(slots=True)
class LineCandidate:
    """One completion of the line. `by` names the suggestion rules that found it, if any; `count` says how
    often.
    """

    text: str
    logprobs: list[float]
    first: bool = False
    """Whether the model wrote it on its first attempt."""
    by: set[str] = field(default_factory=set)
    count: int = 0

    @property
    def likely(self) -> float:
        return sum(self.logprobs)


class LineContext:
    """The text around the line that is being typed."""

    def __init__(self, above: Sequence[str], behind: Sequence[str], typed: str) -> None:
        lines = [*above, *behind]
        self.typed = typed
        found = re.search(r"\w*$", typed)
        self.begun = found[0] if found else ""
        self.lines = {line.strip() for line in lines}
        self.names = {*_KNOWN, *_NAME.findall("\n".join([*lines, re.sub(r"\w+$", "", typed)]))}
        self.pairs: set[tuple[str, str]] = set()
        for line in lines:
            self.pairs.update(pairwise(_WORDS.findall(line[:MOST_CHARS])))
        self.next = next((line for line in behind if line.strip()), "")
        self.last = next((line for line in reversed(above) if line.strip()), "")
        self.prose = "#" in typed or len(re.findall(r'"""|\'\'\'', "\n".join(above))) % 2 == 1
        self.prose = self.prose or '"""' in typed or "'''" in typed


def candidate_confidences(ways: Sequence[LineCandidate], around: LineContext) -> list[float]:
    """The chance of each to be right."""
    found = []
    for at, way in enumerate(ways):
        others = max((other.likely for number, other in enumerate(ways) if number != at), default=_LEAST)
        seen = candidate_features(way, others, around)
        found.append(1 / (1 + math.exp(-BIAS - sum(weight * seen[name] for name, weight in WEIGHTS.items()))))
    return found


def candidate_features(way: LineCandidate, others: float, around: LineContext) -> dict[str, float]:
    """What the weights are about. `others` is how likely the likeliest of the other ways is."""
    text, likely = way.text, max(way.likely, _LEAST)
    line = around.typed + text
    end = line.rstrip()
    unknown = _unknown(text, around)
    before = max(1, len(_WORDS.findall(around.typed)) - 1)
    words = _WORDS.findall(line)
    pairs = list(pairwise(words[before - 1 :]))
    strange = sum(pair not in around.pairs for pair in pairs)
    again = line.strip() in around.lines
    opened = _open(line)
    deeper = bool(around.next) and _indent(around.next) > _indent(line)
    return {
        "likely": likely,
        "lead": max(-6.0, min(6.0, likely - others)),
        "tokens": math.log(len(way.logprobs)),
        "characters": math.log(len(text)),
        "first attempt": way.first,
        "likely, suggested": likely if way.by else 0.0,
        "likely, unknown": likely if unknown else 0.0,
        "after alike": AFTER_ALIKE in way.by,
        "like": LIKE in way.by,
        "same words": SAME_WORDS in way.by,
        "suggested often": min(way.count, 3),
        "unknown": min(unknown, 3),
        "known pairs": (len(pairs) - strange) / max(1, len(pairs)),
        "again": again,
        "again what stands once": again and bool(_ONCE.match(line)),
        "again beside": line.strip() in (around.next.strip(), around.last.strip()),
        "a head": bool(_HEAD.match(line)),
        "an import": bool(_IMPORT.match(line)),
        "prose": around.prose,
        "closes": end[-1] in ")]}:",
        "opens": min(opened, 2),
        "colon": end.endswith(":"),
        "comma": end.endswith(","),
        "block without a head": deeper and not (end.endswith((":", ",", "\\")) or opened > 0),
        "head without a block": end.endswith(":") and not opened and not deeper and bool(around.next),
        "opens a block": deeper and opened > 0,
    }


def _unknown(text: str, around: LineContext) -> int:
    """How many names in the new text occur nowhere else."""
    return sum(name not in around.names for name in _NAME.findall(around.begun + text))


def _open(line: str) -> int:
    """How many brackets stay open."""
    held: list[str] = []
    quote = ""
    for sign in line:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            break
        elif sign in "([{":
            held.append(sign)
        elif sign in _BRACKETS and held and held[-1] == _BRACKETS[sign]:
            held.pop()
    return len(held)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
