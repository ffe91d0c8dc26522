"""Functions in the place of operators, and modules in the place of others: `hmac.compare_digest(a, b)` for
`a == b`, `secrets.choice` for `random.choice`."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import SlotWords, converter, ending

_WITH_OWNER = re.compile(r"(?P<owner>[^\W\d]\w*(?:\.\w+)*)\.(?P<end>\w+(?:\(.*\))?)")


@converter
def in_place(slot: SlotWords) -> list[Option]:
    """What stands in the place of an expression: of an operator also the function that does it."""
    bare = re.sub(r"\(\s*\)\Z", "", slot.span.text.strip())
    path, node = slot.anchor.path, slot.anchor.node
    called = node is not None and slot.context.source(path).is_called(node)
    if called and not slot.context.text("old").endswith(")"):
        slot = replace(slot, span=replace(slot.span, text=bare))
    return _with_owner(slot) or ending(slot)


def _with_owner(slot: SlotWords) -> list[Option]:
    """The end of an expression that is said with an object in front: behind what stands there, where that
    begins with the object (`name.casefold()` for `.lower()` of `name.strip()`), or else all of it."""
    holder, text = slot.anchor.words.get("holder", ""), slot.span.text.strip().strip("`")
    said = _WITH_OWNER.fullmatch(text) if holder else None
    visible = slot.context.visible(slot.anchor.path, slot.anchor.node)
    if said is None or not visible.knows(said["owner"].partition(".")[0]):
        return []
    end = f"{holder}.{said['end']}" if re.match(rf"{said['owner']}(?!\w)", holder) else text
    return [Option(end, 0.9), *([Option(text, 0.3)] if end != text else ())]
