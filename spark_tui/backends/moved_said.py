# ruff: noqa: E501 - tables of forms read better unbroken
"""What a message says about where something belongs: a relation, and the words for what it lies to.

Comes in: a message. Goes out: relations and phrases. Must not know: code, hunks, engines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.backends.clauses import clauses, is_remark
from spark_tui.backends.correction_words import OPENERS

_LEAD = r"(?:(?:and|but|so|no|well|rather|better|please|only|just|instead|maybe|actually|i'?d|we|you|should|must|has to|have to|needs? to|would|prefer|like|want|it|that|this|them|those|these|thing|one|line|guard|check|call|the|put|move|place|do|have|add|insert|keep|write|import|print|log|stick|pull|push|shift|go|goes|belongs?|be|is|comes?|happens?|up|down|over|further|right|directly|immediately|straight|make|plain|module|level|function|a|an|as|class|attribute|constant|method|local|variable|shuffle|\w+ing)\s+)*?"
_RELATIONS = (
    ("each", r"(?:after|at the end of|for|per|on|in|inside) (?:every|each)(?: single)?|per"),
    ("each_first", r"before (?:every|each)(?: single)?"),
    (
        "top",
        r"(?:(?:at|to|on) )?(?:the )?(?:very )?(?:top|start|beginning) of|(?:as )?(?:the )?first (?:thing|line|statement) (?:in|of)",
    ),
    (
        "end",
        r"(?:(?:at|to) )?(?:the )?(?:very )?(?:end|bottom) of|(?:as )?(?:the )?last (?:thing|line|statement) (?:in|of)",
    ),
    ("out", r"(?:out of|outside(?: of)?|not (?:in|inside)(?= the (?:loop|for|while|with|try|if)\b))"),
    ("before", r"before|above|ahead of|in front of|prior to|on top of"),
    ("after", r"after|below|behind|under(?:neath)?|beneath|following|once|next to"),
    ("in", r"in|into|inside(?: of)?|within|on|to"),
)
_RELATION = re.compile(
    "^" + _LEAD + "(?:" + "|".join(rf"(?P<{name}>(?:{form}))(?!\w)" for name, form in _RELATIONS) + r")\s+(?P<x>.+)$",
    re.I,
)
TAIL = re.compile(
    r"\s+(?:so (?:that )?\w+|because|since|as (?:it|that|they|we|i|well)|instead|please|otherwise|then|too)\b.*$", re.I
)
NOT = re.compile(r"^(?:and |but )?(?:not|no)\s+(?P<x>.+)$", re.I)
_DEEPER = re.compile(
    r"one (?:level )?(?:deeper|further in|level in|more level)|(?:that'?s )?(?:the )?wrong (?:place|spot|line)", re.I
)


@dataclass(frozen=True)
class Told:
    """Where it is wanted: how it lies to what."""

    relation: str
    phrase: str


def read(message: str) -> Iterator[Told | None]:
    """What its clauses say; None for one that says something else."""
    for clause in clauses(message):
        text = clause
        for _ in range(3):
            text = OPENERS.sub("", text, count=1)
        text = TAIL.sub("", text).strip(" .,!?")
        match = _RELATION.match(text)
        if match is not None and not re.search(r"\b(?:rename|call it|return|raise)\b|=", text):
            relation = next(name for name, _ in _RELATIONS if match[name])
            yield Told(relation, match["x"])
        elif NOT.match(text) or is_remark(clause) or _DEEPER.fullmatch(text):
            continue
        elif re.fullmatch(r"one level (?:up|out|less)|dedent(?: it| that)?(?: once)?", text, re.I):
            yield Told("out", "")
        else:
            yield None
