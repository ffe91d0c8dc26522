"""Whether a statement that is shown is the one that is to be tried."""

from __future__ import annotations

import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases


def is_wrapped(context: Context) -> bool:
    """Whether the code is what is to be tried: `wrap x() in a try/finally`."""
    span, text = context.span("code"), context.situation.instruction
    before = re.findall(r"[^\W\d_]+", text[: span.start] if span is not None else "")
    idle = {*phrases.words("articles"), *phrases.words("kinds")}
    return any(phrases.mentions("wraps", word) for word in [item for item in before if item not in idle][-1:])
