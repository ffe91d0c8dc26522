"""How much speaks for an order that begins at a word by what the word is."""

from __future__ import annotations

from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.tokens import Tokens

JOIN, BEHIND = 2.5, 6.0
"""How much likelier a further beginning is at a word that joins, and at one that says that more follows."""
_FOLLOWS = frozenset(words("more"))
_JOINS = _FOLLOWS | {"and", "but", "&", "+", ",", ";", "und", "et", "y", "，", "；"}


def joining_scores(tokens: Tokens) -> list[float]:
    """For each token how much likelier it begins a further order by what it is: a joining word, one that says
    that more follows, or the first one of a line or sentence."""
    text, items = tokens.text, tokens.items
    out = []
    for at, token in enumerate(items):
        two = {item.text.lower() for item in items[at : at + 2]}
        joins = token.text.lower() in _JOINS
        stops = token.text in ".。" and not text[token.end : token.end + 1].strip()
        begins = at > 0 and "\n" in text[items[at - 1].end : token.start]
        out.append(BEHIND if joins and two & _FOLLOWS else JOIN if joins or stops or begins else 0.0)
    return out
