"""Conditions that a sign or a quoted text is, or is not, in something, or at its beginning or end."""

from __future__ import annotations

import json
import re

from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.words import phrases

_IS_IN = re.compile(
    r"(?:there(?:['’]s|\s+is|\s+are)\s+)?(?P<no>(?:no|not\s+an?|not\s+any)\s+)?(?:(?:an?|any|one)\s+)?"
    r"(?P<sign>\"[^\"]+\"|'[^']+'|[^\w\s]{1,3}|[a-z ]+?)(?:\s+(?:sign|character|char))?"
    r"\s+(?:is\s+|are\s+)?(?P<not>not\s+)?(?:in|inside|within)\s+(?P<x>.+)",
    re.IGNORECASE,
)
_END = re.compile(r"\b((?:start|begin|end)(?:s|ing)?)\s+(?:with|in)\s+(\S.*)\Z", re.IGNORECASE)


def read_contained(text: str, expression: Expressions) -> str | None:
    """*There is no comma in the line*: the test that a sign or a quoted text is in something; None for other
    words."""
    found = _IS_IN.fullmatch(text.strip().rstrip(".,"))
    if found is None:
        return None
    quoted = found["sign"][:1] in ("'", '"')
    sign = found["sign"][1:-1] if quoted else found["sign"]
    sign = phrases.sign(sign.lower()) if not quoted and re.search(r"\w", sign) else sign
    subject = expression(phrases.without_articles(found["x"])) if sign else None
    if not sign or subject is None:
        return None
    relation = "not in" if found["no"] or found["not"] else "in"
    return f"{json.dumps(sign, ensure_ascii=False)} {relation} {subject}"


def with_quoted_end(text: str) -> str:
    """Signs with which a text begins or ends in quotes, as they stand or by name: *starting with a hash*."""
    said = _END.search(text)
    if said is None:
        return text
    plain = phrases.without_articles(said[2])
    named = phrases.sign(plain) or plain
    if named == plain and re.fullmatch(r"_*[^\W_][\w.()]*|.*['\"\s].*", plain):
        return text
    quoted = repr(named) if '"' in named else f'"{named}"'
    return f"{text[: said.start(1)]}{said[1].removesuffix('ing')} with {quoted}"
