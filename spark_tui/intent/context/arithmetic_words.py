"""Arithmetic in words: `BACKOFF to the power of tries`, `price times quantity`."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.words.phrases import has_cjk, table

_SIGNS = ("+", "-", "*", "/", "//", "%", "**")


@lru_cache(maxsize=1)
def operators() -> tuple[re.Pattern[str], dict[str, str]]:
    """The words of operators, and the sign of each."""
    known = {text.lower(): sign for sign in _SIGNS for text in table()["operators"][sign]}
    longest = sorted((item for item in known if not has_cjk(item)), key=len, reverse=True)
    far = "|".join(map(re.escape, longest))
    near = "|".join(re.escape(item) for item in known if has_cjk(item))
    return re.compile(rf"\s+(?:{far})\s+|\s*(?:{near})\s*", re.IGNORECASE), known
