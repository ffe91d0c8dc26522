"""Comments on a hunk: how a message about one begins, and what the reader makes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk

_ABOUT = re.compile(r"\s*about hunk \S+ \((?P<path>.+?):(?P<line>\d+)\):\s+(?P<said>\S.*)", re.DOTALL)


def about_hunk(label: str, path: str, line: int) -> str:
    """What a comment on a hunk begins with."""
    return f"about hunk {label} ({path}:{line}): "


def at_hunk(ask: ContextRequest) -> ContextRequest:
    """A comment as what is said where the hunk is; anything else as it is."""
    found = _ABOUT.fullmatch(ask.instruction)
    if found is None:
        return ask
    line = int(found["line"])
    return replace(ask, instruction=found["said"], in_view=found["path"], cursor=line, selection=None)


def with_number(text: str, hunks: Sequence[Hunk]) -> str:
    """A comment with the number of its hunk in place of *this* and *here*: *drop this* as *drop hunk 3*;
    anything else as it is."""
    from spark_tui.intent.words.phrases import is_said  # the workbench starts without it

    found = _ABOUT.fullmatch(text)
    there = (found["path"], int(found["line"])) if found is not None else None
    hunk = next((one for one in hunks if (one.path, one.old_start) == there), None)
    if found is None or hunk is None:
        return text
    said = [
        word for word in found["said"].split() if not is_said("pronouns", word) and not is_said("here", word)
    ]
    return f"{' '.join(said)} hunk {hunk.id}"
