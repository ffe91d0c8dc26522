"""A name that is to be spelled in another style: `snake_case please`, `like PEP 8 wants it`."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says


def hidden_name(name: str, instruction: str) -> str:
    """A name as it is inside of its module or class, or, where that is said, open to others."""
    shown = re.search(rf"(?<!\w)_{re.escape(name)}(?!\w)", instruction) is not None
    hides = not name.startswith("_") and (shown or says("visibility", "hidden", instruction))
    if says("visibility", "public", instruction) and not hides and not _not_public().search(instruction):
        return name.lstrip("_") or name
    return name if name.startswith("_") else f"_{name}"


@lru_cache(maxsize=1)
def _not_public() -> re.Pattern[str]:
    """That something is to be public no longer."""
    kinds = (phrases.words("negations"), phrases.table()["visibility"]["public"])
    denied, public = ("|".join(map(re.escape, sorted(kind, key=len, reverse=True))) for kind in kinds)
    return re.compile(rf"(?:{denied})\W*(?:\w+\W+){{0,5}}(?:{public})", re.IGNORECASE)


def in_style(text: str, like: str) -> str:
    """An old name in the style that words say; empty where they say none."""
    plain = re.sub(r"[\s_-]+", " ", text.strip("`'\"").lower()).strip()
    styles = phrases.table()["name_styles"]
    style = next((one for one, known in styles.items() if plain in known), "")
    if not style or not like or (style in ("snake", "capitals") and re.search(r"[a-z][A-Z]", text)):
        return ""  # `UpperCase` is a name itself
    if style == "underscore":
        return "_"
    lead = like[: len(like) - len(like.lstrip("_"))]
    parts = [word.lower() for word in split_name(like)]
    if style == "usual":
        style = "capitals" if like.isupper() else "pascal" if like.lstrip("_")[:1].isupper() else "snake"
    first, rest = (parts[0], parts[1:]) if parts else ("", [])
    spelled = {
        "snake": "_".join(parts),
        "capitals": "_".join(parts).upper(),
        "pascal": "".join(part.capitalize() for part in parts),
        "camel": first + "".join(item.capitalize() for item in rest),
    }
    return lead + spelled[style]
