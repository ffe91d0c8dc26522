"""Clauses that turn what an order means: what it keeps out, what it only asks, what it forbids.

Comes in: an order on one line. Goes out: the order without the places that it spares, and those places; whether
something in it turns it. Must not know: files, code, rules.
"""

from __future__ import annotations

import re

_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_SPARED = re.compile(
    r"(?<!\bthe)(?<!\ban)(?<!\bbare)[\s,;(–-]+(?:(?:everywhere|but|and)\s+)?(?:(?:(?:except(?:ing)?|apart from|other than|excluding)(?: for)?|(?:(?<=but )|(?<=and )|(?<=, ))not) (?:in|inside|within)|except for|outside(?: of)?) "
    r"(?P<place>[\w.`'\"() ]+?)\)?\s*$",
    re.I,
)
_ONLY_IN = re.compile(r"(?<!keyword)(?<!positional)(?<!read)[\s,]+(?:but |and )?only(?= (?:in|inside|within) )", re.I)
_IN_ONLY = re.compile(r"(?<= )((?:in|inside|within) (?:the )?[\w.`'\"()]+(?: (?:function|method|class))?) only$", re.I)
_TURNED = re.compile(
    r"\bbut (?:not(?! (?:import|impor|defin|declar))|only|keep|leave|don'?t|do not|without|never|no|let|skip|if|when|unless)\b|(?<!\bthe )(?<!\ban )(?<!\bbare )(?<!\bthis )(?<!\bthat )\bexcept(?:ing)? (?:for|in|from|the|on|when|where|if|of|those|one|that|this|it|its)\b"
    r"|\bonly (?:when|if) (?:an?|the) (?:new )?(?:flag|option|switch|argument|parameter|keyword)\b|\bapart from\b|\bother than\b|\bexcluding\b|\boutside of\b|, not (?:in|for) |\bno need (?:to|for) (?:chang|touch|renam|updat|modif|mov)"
    r"|\b(?:do not|don'?t|dont|never|needn'?t|not to|without) (?:ever )?(?:touch|chang|renam|updat|modif|replac|mov|set)(?:e|ing|ying)?\b|\bunless (?:it|that|this|there|someone|we|you)\b"
    r"|\b(?:where|if|when) (?:needed|necessary|unused|possible)\b|\bif (?:it|they|that|this)(?:'s| is| are) (?:not|un\w+|still)\b|\b(?:parameter|param|argument|arg)\b.*\band (?:then )?use (?:it|them)\b|\b(?:was|were) too\b|\bin tests\b",
    re.I,
)
_ASKED = re.compile(
    r"(?:why|who|whose|what (?:is|are|was|were|does|do|did|happens|would|will)(?! in\b)|when (?:was|did|does|do|will)|how (?!about))\b|i wonder\b|(?:someone|somebody) (?:changed|set|renamed)\b",
    re.I,
)
_ASKED_WITH_MARK = re.compile(
    r"(?:is|are|was|were|does|do|did|has|have|should (?!we not|it not)|would|am i|if|suppose|imagine|what if)\b.*\?",
    re.I,
)
_POLITE = re.compile(
    r"why (?:don'?t|not|can'?t)\b|why .*\bgrows?\b|(?:is it|would it be) (?:possible|ok)\b|would you\b", re.I
)
_OPEN = re.compile(r"\b(?:of|for|with|by|to|from) what\W*$", re.I)
_BEHIND = re.compile(r"\?\W*(?!(?:please|pls|plz|no|right|thanks?|thx|or not|ok)\b)\w|[;:]\s+\w", re.I)


def spared(order: str) -> tuple[str, str]:
    """The order without the clause that takes places out of it, and what that clause names."""
    found = _SPARED.search(order)
    if found is None or any(one.start() <= found.start() < one.end() for one in _QUOTED.finditer(order)):
        return order, ""
    return order[: found.start()].rstrip(" ,;("), found["place"]


def narrowed(order: str) -> str:
    """*Only* where it stands with a place says no more than the place."""
    return _IN_ONLY.sub(r"\1", _ONLY_IN.sub("", order))


def turned(order: str) -> bool:
    """Whether a clause of it says the contrary, or makes it depend on something."""
    return _TURNED.search(_QUOTED.sub(" ", order)) is not None


def asked(instruction: str) -> bool:
    """Whether it asks or tells, and orders nothing behind that."""
    said = instruction.strip()
    if _POLITE.match(said) or _BEHIND.search(said):
        return False
    return _OPEN.search(said) is not None or _ASKED.match(said) is not None or _ASKED_WITH_MARK.match(said) is not None
