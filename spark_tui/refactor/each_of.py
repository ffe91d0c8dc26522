# ruff: noqa: E501 - forms read better unbroken
"""One order for several functions: *mean, spread and median: return 0 when xs is empty*, *log … at the end of start and stop*.

Comes in: what is said, and the functions of the file. Goes out: the order for each of them. Must not know: what is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST = 6
_NAME = r"`?[^\W\d]\w*`?(?:\(\))?"
_LIST = rf"(?P<list>{_NAME}(?:\s*,\s*{_NAME})*\s*,?\s+and\s+{_NAME})"
_AHEAD = re.compile(
    rf"^(?:(?:in|inside|for|let|make|have|both|functions?|methods?|the)\s+)*{_LIST}(?P<rest>\s*[:,]\s+|\s+(?:should|must|need to|have to|can|to)\s+(?:all\s+|both\s+|each\s+)?|\s+(?:all|both|each)\s+)",
    re.I,
)
_BEHIND = re.compile(
    rf"(?P<to>\b(?:in|inside|of|for|to|from|on)\s+)(?:(?:both|all of|each of|the|functions?|methods?)\s+)*{_LIST}(?:\s+(?:functions|methods))?\s*[.!]?$",
    re.I,
)
_TEXTS = re.compile(r"(?:\"[^\"]*\"|'[^']*')(?:\s*,\s*(?:\"[^\"]*\"|'[^']*'))*\s*,?\s+and\s+(?:\"[^\"]*\"|'[^']*')")
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")


_AMONG = re.compile(
    rf"^(?P<to>(?:decorate|mark|annotate|wrap|cache|memoi[sz]e|document)\s+){_LIST}(?P<rest>\s+(?:with|by|using|as)\s.+)$",
    re.I,
)
_ALL = re.compile(
    r"^(?:(?:all|both|each|every)(?:\s+of)?(?:\s+the)?(?:\s+(?P<n>two|three|four|five))?\s+functions?)\s+(?:should|must|have to|need to)\s+(?P<rest>.+)$",
    re.I,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}


def each_of(said: str, functions: Sequence[str]) -> list[str]:
    """The order for each function that is named, where several are and nothing else is in the list."""
    whole = _ALL.match(said)
    if whole is not None:
        count = _NUMBERS.get((whole["n"] or "").lower(), 2 if said[:4].lower() == "both" else len(functions))
        fits = 1 < len(functions) == count <= MOST
        return [f"in {name}, {whole['rest']}" for name in functions] if fits else []
    ahead, behind = _AHEAD.match(said), _BEHIND.search(said) or _AMONG.match(said)
    match = ahead or behind
    names = [one.strip("`()") for one in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", match["list"])] if match else []
    if match is None or not 1 < len(names) <= MOST or not set(names) <= set(functions):
        return []
    texts = _TEXTS.search(said)
    told = _TEXT.findall(texts[0]) if texts else []
    orders = []
    for at, name in enumerate(names):
        if ahead is not None:
            one = f"in {name}, {said[ahead.end() :]}"
        else:
            one = f"{said[: match.start()]}{match['to']}{name}{match.groupdict().get('rest') or ''}"
        orders.append(one.replace(texts[0], told[at]) if texts and len(told) == len(names) else one)
    return orders
