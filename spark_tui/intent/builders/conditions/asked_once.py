"""A value that is compared with several others is asked for once, by `in`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.builders.conditions.membership import membership
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context

_WORD = re.compile(r"(?<!\w)(?:not\s+)?in(?!\w)", re.IGNORECASE)


def asks_for_in(text: str) -> bool:
    """Whether words ask for `in` and are no condition themselves: `` `in` with a tuple``."""
    plain = text.strip()
    quoted = re.search(r"[`'\"](?:not )?in[`'\"]", plain) is not None
    begun = _WORD.match(plain.strip("`'\" ")) is not None and len(plain.split()) <= 4
    return (quoted or begun) and parsed(plain.strip("`")) is None


def asked_once(context: Context) -> Iterator[Built]:
    """The comparisons of the place, joined by `or` or `and`, as one `in`."""
    yield from membership(context)
