"""Several orders in one instruction, each plain by itself: *rename a to b and set the timeout to 5*.

Comes in: the lines, what is said, and something that makes what is plainly asked for. Goes out: the lines after all of
them. Must not know: rules, which edits there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

Make = Callable[[tuple[str, ...], str], tuple[str, ...] | None]
"""The lines after one order, or None where it is not plain."""
MOST_PARTS = 3
_MOST_PLACES = 5
_BETWEEN = re.compile(
    r"\s*(?:;|\.(?=\s+[^\W\d_])|,(?=\s))\s*(?:(?:and|also|then|plus)\b\s*)*|\s+(?:and|plus|then)\s+(?:(?:also|then)\s+)?",
    re.I,
)
_HELD_TOGETHER = re.compile(r"\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w)|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_LEANS = re.compile(
    r"^(?:if|when|unless|because|so|but|not|or|which|that|who|otherwise|else|instead|as|for|with|to|in|of|than|while|until|before|after|where|only|even)\b"
    r"|\b(?:it|its|them|they|that|this|there|both|same|those|these|again|too|as well|former|latter|accordingly|respectively|here)\b",
    re.I,
)
"""What needs the part before it to be understood."""
_OPEN = re.compile(
    r"\b(?:comment|todo|note|say|says|saying|reads?|called|between|either|both|swap\w*|exchange\w*|merge\w*|combine\w*|join\w*)\b|:\s",
    re.I,
)
"""What may go on behind an *and*: words that are written, one of two."""
_MAY_GO_ON = re.compile(r"\b(?:docstring|docs|message|text|title|help|if|when|unless|while|from)\b", re.I)
"""A condition, or words: not where an order begins that changes a name or a value."""
_BEGINS = re.compile(
    r"^(?:set|rename|add|remove|delete|drop|change|move|import|make|get rid|bump|increase|lower)\b", re.I
)
_PLACE_ONLY = re.compile(r"^(?:in|inside|within|for|at|on|from|of|first|second|hi|hey|well)\b", re.I)
_LOOKS_BACK = re.compile(r"^(?:delete|remove|drop|fix|change|correct|kill)\s+(?:the|that)\s+\w+$", re.I)
_EMPTY = re.compile(r"\"\"|''|\[\]|\{\}")
_LINE = re.compile(r"\b(?:lines?|ln|l)\.?\s*#?\d+\b", re.I)
_PLACE = re.compile(
    r"\b(?:in|of|inside|within) (?:the )?`?(?P<name>[^\W\d]\w*)(?:\(\))?`?(?: (?:function|method|class))?\W*$"
)


def parted(lines: tuple[str, ...], said: str, make: Make, most: int = MOST_PARTS) -> tuple[str, ...] | None:
    """The lines after each part was made on what the part before it left; None where that is not clear."""
    results: set[tuple[str, ...]] = set()
    for first, rest in list(_splits(said))[:_MOST_PLACES]:
        one = _written(make, lines, first)
        if one is None or one == lines or (len(one) != len(lines) and _LINE.search(rest)):
            continue
        if not _within(lines, one, rest, first):
            continue
        two = _written(make, one, rest)
        if two is None and most > 2:
            two = parted(one, rest, make, most - 1)
        if two is not None and two not in (one, lines):
            results.add(two)
    return results.pop() if len(results) == 1 else None


def _written(make: Make, lines: tuple[str, ...], said: str) -> tuple[str, ...] | None:
    """What is made, where an empty value that is said stands in it: no word accounts for that."""
    made = make(lines, said)
    before, after = "".join(lines), "".join(made or ())
    return made if all(after.count(one) > before.count(one) for one in _EMPTY.findall(said)) else None


def _splits(said: str) -> Iterator[tuple[str, str]]:
    """The first order and the rest, at every place where one may end."""
    held = [match.span() for match in _HELD_TOGETHER.finditer(said)]
    for match in _BETWEEN.finditer(said):
        first, rest = said[: match.start()].strip(), said[match.end() :].strip()
        if any(start < match.end() and match.start() < end for start, end in held):
            continue
        if len(first.split()) < 2 or len(rest.split()) < 2 or _LEANS.search(rest) or rest[:1].isdigit():
            continue
        if _PLACE_ONLY.search(first) or _LOOKS_BACK.search(rest):
            continue
        goes_on = _OPEN.search(first) or (_MAY_GO_ON.search(first) and not _BEGINS.search(rest))
        if goes_on and match[0].lstrip()[:1] not in (";", ".") and first[-1:] not in "\"'`":
            continue
        yield first, rest


def _within(old: Sequence[str], new: Sequence[str], rest: str, first: str) -> bool:
    """Where only the last part says a place, the others are for it too: what was made there has to stand in it."""
    place = _PLACE.search(rest)
    if place is None or re.search(r"\b(?:in|of|inside|within|to|from)\b", first):
        return True
    heads = [at for at, line in enumerate(old) if re.match(rf"\s*(?:async )?(?:def|class) {place['name']}\b", line)]
    if not heads:
        return True
    head = heads[0]
    indent = len(old[head]) - len(old[head].lstrip())
    tail = next(
        (
            at
            for at in range(head + 1, len(old))
            if old[at].strip()
            and len(old[at]) - len(old[at].lstrip()) <= indent
            and not old[at].lstrip().startswith(")")
        ),
        len(old),
    )
    changed = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return head <= changed < tail
