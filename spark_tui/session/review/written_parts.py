"""Says which hunks of an edit that is written in part are missing."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from spark_tui.edits.hunk import Hunk

_MOST_PLACES = 3
"""The number of missing places of an edit that are named."""


def written_in_part(asked: str, hunks: Sequence[tuple[Hunk, str]]) -> str:
    left = [hunk for hunk, state in hunks if state != "applied"]
    if not left or len(left) == len(hunks):
        return ""
    places = list(dict.fromkeys(f"{hunk.path}:{hunk.old_start}" for hunk in left))
    more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
    asked = shorten(asked, 80, placeholder=" …")
    return (
        f"“{asked}” is written in part: {len(left)} of its {len(hunks)} hunks"
        f" {'is' if len(left) == 1 else 'are'} missing ({', '.join(places[:_MOST_PLACES])}{more})."
    )
