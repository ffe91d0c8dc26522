"""A parameter that is to be passed by its name only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder, of_table
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved

_PATTERN = re.compile(r"(?<!\w)\*\.\w")
"""A star of file names, as in `*.bak`."""


@builder("make_keyword_only")
def make_keyword_only(context: Context) -> Iterator[Built]:
    if _PATTERN.search(context.situation.instruction):
        raise Unresolved("the star stands for names of files")
    yield from of_table(context, "make_keyword_only")
