"""Whether an instruction puts something at the start or at the end of a body: *first thing*, *at the end*."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases

_ARTICLE = r"(?:(?:the|a|an|each|every|its|their|la|las|los)\s+)"
_OF_A_THING = rf"\s+(?:of|der|des|de|del|vom|von)\s+{_ARTICLE}?(?!{_ARTICLE})"
_OF_A_BODY = r"(?:function|method|body|funktion|methode|fonction|méthode|función|método)\b"


def end_of_body(context: Context) -> Literal["", "start", "end"]:
    """The end that the words beside the slots name; nothing where it is that of something else, such as a
    line."""
    text = context.beside_slots()
    at_the_end, at_the_start = _ends()
    return "end" if at_the_end.search(text) else "start" if at_the_start.search(text) else ""


@lru_cache(maxsize=1)
def _ends() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(rf"(?:{'|'.join(phrases.words(kind))})(?!{_OF_A_THING}(?!{_OF_A_BODY})\w)", re.IGNORECASE)
        for kind in ("at_the_end", "at_the_start")
    )
