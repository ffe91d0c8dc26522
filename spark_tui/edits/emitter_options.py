"""How a stream of edits is read."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TypedDict

ReadLines = Callable[[str], Sequence[str] | None]
"""A file's lines without endings; None if there is none; raises a SparkError if it may not be read."""
ReadLink = Callable[[str], "str | None"]
"""The target of the symbolic link; None if the name is not a link."""


class EmitterOptions(TypedDict, total=False):
    """How a stream of edits is read. `overwrite`: a new file may replace one that exists. Ids count on from
    `last_id`. `asked`: the format that the model was asked for; `shown`: the files that it was shown,
    in which code without a file's name is looked for; `seen`: those whose lines it knows, None for all;
    `read_base`: the files without the hunks of this turn."""

    read_link: ReadLink | None
    overwrite: bool
    max_chars: int
    last_id: int
    asked: str
    shown: Sequence[str]
    seen: Container[str] | None
    read_base: ReadLines
