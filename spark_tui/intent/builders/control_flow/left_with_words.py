"""What is said before a function is left: `print "no such room" and return`."""

from __future__ import annotations

import re

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words.phrases import words

_TEXT = r"""(?:"(?P<one>[^"\n]+)"|`(?P<two>[^`\n]+)`|'(?P<three>[^\n]+?)'(?!\w))"""


def printed_first(context: Context, anchor: Anchor) -> str:
    """The call of print that an instruction wants in front of a return; empty where it wants none."""
    verbs = "|".join(map(re.escape, words("print")))
    joins = "|".join(map(re.escape, words("and")))
    leaves = "|".join(map(re.escape, words("leave")))
    form = rf"(?<!\w)(?:{verbs})\s+{_TEXT}\s*,?\s*(?:{joins})\s+(?:\w+\s+)?(?:{leaves})(?!\w)"
    found = re.search(form, context.situation.instruction, re.IGNORECASE)
    if found is None:
        return ""
    text = found["one"] or found["two"] or found["three"]
    if context.span("result") is not None and text == context.text("result"):
        return ""
    return f"print({literal(text, context.source(anchor.path))})"
