"""Messages that only say that a file goes: *delete the file utils.py*. The network was trained on none."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_LIKELY = 0.9
_FILE = re.compile(r"[\w./\\-]*\w\.py\b")
_IDLE = ("module", "script", "get", "of")


def with_deleted_file(text: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """The order with such a reading alone, where no word says more."""
    files = list(_FILE.finditer(text))
    if len(orders) != 1 or len(files) != 1:
        return orders
    start, end = files[0].span()
    idle = {*phrases.words("articles"), *phrases.words("files"), *_IDLE}
    words = {word for word in re.findall(r"\w+", f"{text[:start]} {text[end:]}".lower()) if word not in idle}
    if not words or not words <= {*phrases.table()["config_lists"]["removing"]}:
        return orders
    gone = Reading("remove_definition", _LIKELY, {"file": (Span(start, end, text[start:end]),)})
    return (replace(orders[0], readings=(gone,)),)
