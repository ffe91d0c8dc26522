"""The tags that the engine adds to the rows of a prompt."""

from __future__ import annotations

from spark_tui.engine.cache.line_tags import TagTrack
from spark_tui.engine.model_sizes import SPARK_TAGS


def tag_rows(*pieces: list[int]) -> list[int]:
    """For each id the tag whose embedding is added to its row, or -1; the ids may come in pieces."""
    track = TagTrack(SPARK_TAGS)
    for ids in pieces:
        track.extend(ids)
    return track.added
