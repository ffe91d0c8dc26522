"""Words that ask to keep something."""

from __future__ import annotations

import re

from spark_tui.intent.words import phrases


def only_keeps(text: str) -> bool:
    """Whether words ask to keep something, and none to remove anything: *keep the print too*."""
    kept = "|".join(phrases.words("leaving_alone"))
    asked = re.match(rf"\W*(?:(?:no|ok|okay|but|and|please|wait)\W+)*(?:{kept})\b", text, re.IGNORECASE)
    removing = phrases.table()["config_lists"]["removing"]
    return asked is not None and not phrases.any_stands_in(removing, text.lower())
