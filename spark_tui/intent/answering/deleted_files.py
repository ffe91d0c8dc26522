"""Messages that only say that files go: *delete the file utils.py*. The network was trained on none."""

from __future__ import annotations

import re

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_LIKELY = 0.95
_FILE = re.compile(r"(?<![\w./\\-])[\w./\\-]*\w\.py\b")
_IDLE = ("module", "modules", "script", "scripts", "get", "of", "and", "both", "und", "et", "y")


def with_deleted_files(text: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """An order with such a reading alone for each file, where no word says more."""
    files = list(_FILE.finditer(text))
    idle = {*phrases.words("articles"), *phrases.words("files"), *_IDLE}
    words = set(re.findall(r"\w+", _FILE.sub(" ", text).lower())) - idle
    if not files or not words or not words <= {*phrases.words("deleting")}:
        return orders
    return tuple(_deleted(*file.span(), file[0]) for file in files)


def _deleted(start: int, end: int, path: str) -> Order:
    gone = Reading("remove_definition", _LIKELY, {"file": (Span(start, end, path),)})
    return Order(start, end, (gone,))
