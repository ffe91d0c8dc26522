"""What a message says about where something belongs: a relation, and the words for what it lies to.

Comes in: a message. Goes out: relations and phrases. Must not know: code, hunks, engines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.steers.clauses import clauses, is_aside
from spark_tui.steers.correction_words import OPENERS

_LEAD = r"(?P<lead>(?:[\w.'`()]+\s+){0,7}?)"
MOVES = frozenset(
    re.findall(
        r"[\w']+",
        "rather better please only just instead maybe actually i'd we you should must would prefer like want thing one line guard check call put move place do have add insert keep write stick pull push shift go goes belong belongs be is come comes happen happens up down over further right directly immediately straight make plain module level function class attribute constant method local variable field parameter key",
    )
)
"""What is said before a place, and names nothing."""
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
    ("between", r"between"),
    ("out", r"(?:out of|outside(?: of)?|not (?:in|inside)(?= the (?:loop|for|while|with|try|if)\b))"),
    ("before", r"before|above|ahead of|in front of|prior to|on top of"),
    ("after", r"after|below|behind|under(?:neath)?|beneath|following|once|next to"),
    ("in", r"in|into|inside(?: of)?|within|on|(?<!want )(?<!need )(?<!like )(?<!have )to"),
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
    lead: str = ""
    """The words before, which may say what is moved."""


_SECOND = re.compile(
    r"^(?P<x>[\w.`()]+(?: \w+)?),? (?:and |but )?(?P<y>(?:right |just |directly )?(?:before|after|above|below|behind|at the (?:very )?(?:top|start|end|bottom|beginning))\b.*)$",
    re.I,
)
_THING = r"(?: (?:thing|line|statement|field|member|item|key|entry|element|parameter|param|argument|arg|column|constant|position|method|one))?(?: there)?"
_OF_ALL = r"(?: of (?:the )?(?:parameters?|params|args|arguments|list|fields|keys|file|module|dict|class|function|method|body))?"
_ENDS = (
    (
        "top",
        re.compile(
            rf"(?:(?:at|to|on) the (?:very )?(?:top|start|beginning)|(?:as )?(?:the )?(?:very )?first{_THING}){_OF_ALL}",
            re.I,
        ),
    ),
    (
        "end",
        re.compile(
            rf"(?:(?:at|to) the (?:very )?(?:end|bottom)|(?:as )?(?:the )?(?:very )?last{_THING}){_OF_ALL}", re.I
        ),
    ),
    ("down", re.compile(r"(?:one|a) (?:line|statement) (?:further )?(?:down|below|lower|later)", re.I)),
    ("up", re.compile(r"(?:one|a) (?:line|statement) (?:further )?(?:up|above|higher|earlier)", re.I)),
)
_HERE = re.compile(
    r"(?:(?:please|rather|better|only|just|do|make|put|move|add|and|so|that|it|this|the|thing|\w+ing|function|method|helper|field|constant|parameter|param|line|check|key|goes|comes|should|must|go|come|be|is)\b ?)*",
    re.I,
)
_MANNER = re.compile(
    r"(?:alphabetical(?:ly)?|sorted|in order|like the others?|for consistency|once is enough|that'?s enough)", re.I
)


def read(message: str) -> Iterator[Told | None]:
    """What its clauses say; None for one that says something else."""
    for clause in clauses(message):
        text = clause
        for _ in range(3):
            text = OPENERS.sub("", text, count=1)
        text = TAIL.sub("", text).strip(" .,!?")
        match = _RELATION.match(text)
        at_once = next(
            (name for name, form in _ENDS if form.search(text) and _HERE.fullmatch(form.sub("", text).strip())), ""
        )
        if (at_once or match is not None) and re.search(r"\b(?:also|as well|too|both)\b", text):
            # There as well.
            yield None
        elif at_once:
            yield Told(at_once, "")
        elif match is not None and not re.search(r"(?<!the )(?<!that )\b(?:rename|call it|return|raise)\b|=", text):
            relation = next(name for name, _ in _RELATIONS if match[name])
            second = _SECOND.match(match["x"])
            yield Told(relation, second["x"] if second is not None else match["x"], match["lead"])
            if second is not None:
                yield from read(second["y"])
        elif NOT.match(text) or is_aside(clause) or _MANNER.fullmatch(text) or _DEEPER.fullmatch(text):
            continue
        elif re.fullmatch(r"one level (?:up|out|less)|dedent(?: it| that)?(?: once)?", text, re.I):
            yield Told("out", "")
        else:
            yield None
