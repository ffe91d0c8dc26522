"""Estimates the chance that a completion of a line is exactly right.

The estimate uses more than the token probabilities: also the text around the cursor and the competing
candidates (`confidence.toml`).
"""

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
from spark_tui.edits.indentation import depth_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = re.compile(r"\w+|[^\w\s]")
_HEAD = re.compile(r"\s*(?:def|class|async def)\b")
_IMPORT = re.compile(r"\s*(?:from|import)\b")
_ONCE = re.compile(r"\s*(?:def|class|from|import|self\.\w+ = )")
"""Lines that seldom occur twice."""
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
    def logprob(self) -> float:
        return sum(self.logprobs)


class LineContext:
    """The text around the line that is being typed."""

    def __init__(self, above: Sequence[str], below: Sequence[str], typed: str) -> None:
        lines = [*above, *below]
        self.typed = typed
        found = re.search(r"\w*$", typed)
        self.begun = found[0] if found else ""
        self.lines = {line.strip() for line in lines}
        self.names = {*_KNOWN, *_NAME.findall("\n".join([*lines, re.sub(r"\w+$", "", typed)]))}
        self.pairs: set[tuple[str, str]] = set()
        for line in lines:
            self.pairs.update(pairwise(_WORDS.findall(line[:MOST_CHARS])))
        self.next = next((line for line in below if line.strip()), "")
        self.last = next((line for line in reversed(above) if line.strip()), "")
        self.prose = "#" in typed or len(re.findall(r'"""|\'\'\'', "\n".join(above))) % 2 == 1
        self.prose = self.prose or '"""' in typed or "'''" in typed


def candidate_confidences(candidates: Sequence[LineCandidate], context: LineContext) -> list[float]:
    """The chance of each to be right."""
    found = []
    for at, candidate in enumerate(candidates):
        others = max(
            (other.logprob for number, other in enumerate(candidates) if number != at), default=_LEAST
        )
        seen = candidate_features(candidate, others, context)
        found.append(1 / (1 + math.exp(-BIAS - sum(weight * seen[name] for name, weight in WEIGHTS.items()))))
    return found


def candidate_features(candidate: LineCandidate, others: float, context: LineContext) -> dict[str, float]:
    """The value of each feature that has a weight. `others`: the best log-probability of the others."""
    text, logprob = candidate.text, max(candidate.logprob, _LEAST)
    line = context.typed + text
    end = line.rstrip()
    unknown = _unknown(text, context)
    before = max(1, len(_WORDS.findall(context.typed)) - 1)
    words = _WORDS.findall(line)
    pairs = list(pairwise(words[before - 1 :]))
    new_pairs = sum(pair not in context.pairs for pair in pairs)
    again = line.strip() in context.lines
    open_brackets = _open_brackets(line)
    next_is_deeper = bool(context.next) and depth_of(context.next) > depth_of(line)
    return {
        "likely": logprob,
        "lead": max(-6.0, min(6.0, logprob - others)),
        "tokens": math.log(len(candidate.logprobs)),
        "characters": math.log(len(text)),
        "first attempt": candidate.first,
        "likely, suggested": logprob if candidate.by else 0.0,
        "likely, unknown": logprob if unknown else 0.0,
        "after alike": AFTER_ALIKE in candidate.by,
        "like": LIKE in candidate.by,
        "same words": SAME_WORDS in candidate.by,
        "suggested often": min(candidate.count, 3),
        "unknown": min(unknown, 3),
        "known pairs": (len(pairs) - new_pairs) / max(1, len(pairs)),
        "again": again,
        "again what stands once": again and bool(_ONCE.match(line)),
        "again beside": line.strip() in (context.next.strip(), context.last.strip()),
        "a head": bool(_HEAD.match(line)),
        "an import": bool(_IMPORT.match(line)),
        "prose": context.prose,
        "closes": end[-1] in ")]}:",
        "opens": min(open_brackets, 2),
        "colon": end.endswith(":"),
        "comma": end.endswith(","),
        "block without a head": next_is_deeper and not (end.endswith((":", ",", "\\")) or open_brackets > 0),
        "head without a block": end.endswith(":")
        and not open_brackets
        and not next_is_deeper
        and bool(context.next),
        "opens a block": next_is_deeper and open_brackets > 0,
    }


def _unknown(text: str, context: LineContext) -> int:
    """How many names in the new text occur nowhere else."""
    return sum(name not in context.names for name in _NAME.findall(context.begun + text))


def _open_brackets(line: str) -> int:
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
