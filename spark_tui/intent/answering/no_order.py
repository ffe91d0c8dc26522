"""Messages that cannot be an order."""

from __future__ import annotations

import re

from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import decision_settings

MOST_CHARACTERS = 4_000
_FILE_OR_LINES = re.compile(r"@?(?P<path>[\w./\\-]+\.\w{1,5})(?::\d+(?:[-:]\d+)?)?")


def no_order(text: str, situation: Situation) -> Answer | None:
    """The answer to what cannot be an order: nothing, too much, a path or a name."""
    sentences = decision_settings()["sentences"]
    if not re.search(r"\w", text):
        return Answer("cannot", reason=sentences["unread"])
    if len(text) > MOST_CHARACTERS:
        return Answer("cannot", reason=sentences["long"])
    place = _FILE_OR_LINES.fullmatch(text)
    if place is not None and paths_named(situation.repo, place["path"]):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    if not situation.changed and situation.repo.index.symbols(text.removesuffix("()")):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    return None
