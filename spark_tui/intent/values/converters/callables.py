"""Functions in the place of operators, and modules in the place of others: `hmac.compare_digest(a, b)` for
`a == b`, `secrets.choice` for `random.choice`."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import SlotWords, converter, ending


@converter
def in_place(slot: SlotWords) -> list[Option]:
    """What stands in the place of an expression: of an operator also the function that does it."""
    bare = re.sub(r"\(\s*\)\Z", "", slot.span.text.strip())
    path, node = slot.anchor.path, slot.anchor.node
    called = node is not None and slot.context.source(path).is_called(node)
    if called and not slot.context.text("old").endswith(")"):
        slot = replace(slot, span=replace(slot.span, text=bare))
    return ending(slot)
