"""Conditions in the word order of another language, put into the English one: *der Name mit 'x' beginnt*."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.words.phrases import words
from spark_tui.tables import read_table


@lru_cache(maxsize=1)
def _orders() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = read_table(__file__, "word_orders.toml")
    articles = "|".join(sorted(map(re.escape, words("articles")), key=len, reverse=True))
    word = rf"(?P<x>(?:(?:{articles})\s+)?[\w.]+)"
    out = []
    for order, form in table["orders"]:
        pattern = order.replace("{w}", word).replace("{x}", "(?P<x>.+?)").replace("{n}", "(?P<n>.+?)")
        out.append((re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), form))
    return tuple(out)


def in_english_order(text: str) -> str:
    """The condition in words that stand as in English; the text itself where they do."""
    for pattern, form in _orders():
        if (found := pattern.fullmatch(text)) is not None:
            return str(form.format(**found.groupdict()))
    return text
