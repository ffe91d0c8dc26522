"""What an option of a command line loses if a message takes a part of it away: *remove the help of --out*."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases

_NEAR = 24
"""How many characters in front of a part say whether it is a place."""


def lost_parts(context: Context, node: ast.Call) -> list[str]:
    """The keywords that a message takes from the call that makes an option, whether it has them or not."""
    text, beside = context.situation.instruction, context.beside_slots().lower()
    table = phrases.table()
    removing = (*table["config_lists"]["removing"], *phrases.words("denying"))
    if not phrases.any_stands_in(removing, beside) or any(map(context.has, ("default", "type", "text"))):
        return []
    known = {one: tuple(words) for one, words in table["option_parts"].items()}
    own = [keyword.arg for keyword in node.keywords if keyword.arg and keyword.arg != "required"]
    every = {**{one: (one,) for one in own}, **known}
    rows = (removing, phrases.words("articles"), table["options"]["required"])
    gone, only, needed = ("|".join(map(re.escape, words)) for words in rows)
    # An option may be made required where something else of it goes.
    required = re.search(rf"(?<!\w)(?:{gone})\s+(?:(?:{only})\s+)?(?:{needed})(?!\w)", text, re.IGNORECASE)
    return [
        *(["required"] if required else []),
        *(one for one, said in every.items() if _is_named(said, text)),
    ]


def _is_named(words: tuple[str, ...], text: str) -> bool:
    """Whether a part is named, and not as what something else is taken from."""
    part, place = _patterns(words)
    fronts = (text[max(0, found.start() - _NEAR) : found.start()] for found in part.finditer(text))
    return any(place.search(front) is None for front in fronts)


@lru_cache(maxsize=64)
def _patterns(words: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A part by name, in front of no word for an option, and what stands in front of a place."""
    latin = "|".join(re.escape(one) for one in words if not phrases.has_cjk(one))
    signs = "".join(f"|{re.escape(one)}" for one in words if phrases.has_cjk(one))
    places, articles, nouns = (
        "|".join(map(re.escape, phrases.words(kind)))
        for kind in ("parts_taken_from", "articles", "option_nouns")
    )
    part = rf"(?<![\w-])(?:{latin})(?![\w-])(?!\s+(?:[-`]|(?:{nouns})(?!\w))){signs}"
    place = rf"(?<!\w)(?:{places})\s+(?:(?:{articles})\s+)?\Z"
    return re.compile(part, re.IGNORECASE), re.compile(place, re.IGNORECASE)
