"""How many things there are, where one is said and the code has several: *more than one child*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.conditions.condition_phrases import relation_phrases
from spark_tui.intent.context.lookup import key
from spark_tui.intent.words import phrases

_SIGNS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<="}
_THERE = re.compile(r"^(?:there\s*(?:['’]s|is|are|was|were)|with|if|es gibt|il y a|hay)\s+", re.IGNORECASE)
_BEHIND = re.compile(r"\s+(?:is|was|are|were)(?:\s+\w+)?\Z|\s+(?:there|given|left|passed)\Z", re.IGNORECASE)
_IRREGULAR = {"child": "children", "person": "people", "man": "men", "woman": "women", "index": "indices"}
_IRREGULAR |= {"vertex": "vertices", "matrix": "matrices", "leaf": "leaves", "axis": "axes"}


def read_count(text: str, expression: Expressions) -> Iterator[str]:
    """The comparison of a length with a number, if the text is no more than that, and the name of several
    such things is known."""
    bare = _BEHIND.sub("", _THERE.sub("", text.strip()))
    found = re.fullmatch(r"(?P<order>.+?)\s+(?P<number>\w+)\s+(?P<thing>[^\W\d]\w*)", bare)
    number = phrases.number(found["number"]) if found is not None else None
    if found is None or number is None or not number.isdigit():
        return
    order = found["order"].lower()
    kinds = [one.kind for one in relation_phrases() if (hit := one.search(order)) and hit[0] == order]
    sign = next((_SIGNS[kind] for kind in kinds if kind in _SIGNS), None)
    for name in _several(found["thing"].lower()) if sign is not None else ():
        code = expression(name)
        if code is not None and key(code.rpartition(".")[2]) == key(name):
            yield f"len({code}) {sign} {number}"
            return


def _several(thing: str) -> tuple[str, ...]:
    """What several of a thing are called."""
    if thing in _IRREGULAR:
        return (_IRREGULAR[thing],)
    return (re.sub(r"(?<![aeiou])y\Z", "ie", thing) + "s", f"{thing}es", f"{thing}_list")
