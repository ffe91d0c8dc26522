"""Comments that go: those that hold a text, or all of a place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder, call
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area


@builder("remove_comments")
def remove_comments(context: Context) -> Iterator[Built]:
    text = context.text("text").strip("`'\"# ")
    line = context.situation.line
    lines = context.situation.selection or ((line, line) if line else None)
    for area in context.areas[:3]:
        where = area.place
        if (line or not context.named) and lines and context.situation.path == area.path:
            where = f"{area.path}:{lines[0]}-{lines[1]}"
        doubts = area.doubts if text else (*area.doubts, *_named_comment(context, area))
        yield Built((call("remove_comments", place=where, text=text),), area.weight, doubts)


def _named_comment(context: Context, area: Area) -> Iterator[str]:
    """A doubt where a word of the instruction stands in one of several comments: only that may be meant."""
    texts = [one.text.lower() for one in context.source(area.path).comments]
    for said in re.findall(r"[^\W\d_]{4,}", context.beside_slots().lower()):
        if 0 < sum(re.search(rf"(?<!\w){said}(?!\w)", one) is not None for one in texts) < len(texts):
            yield f"only the comment with “{said}” may be meant"
            return
