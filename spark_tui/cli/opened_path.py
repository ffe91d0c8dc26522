"""What `spark PATH` opens: a file, at a line, or a folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_AT_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,9})(?::\d*)?:?")


@dataclass(frozen=True, slots=True)
class OpenedPath:
    """A folder to work in, or a file with the folder from which it is named."""

    folder: Path
    file: str = ""
    line: int = 0
    """From 1; 0 where none was said."""


def read(word: str, directory: Path) -> OpenedPath | None:
    """What a word of the command line names, from `directory`; None where nothing is there.

    Compilers and `grep` print places as `FILE:LINE` and `FILE:LINE:COLUMN`."""
    path, place = directory / word, _AT_LINE.fullmatch(word)
    try:
        if path.is_dir():
            return OpenedPath(path.resolve())
        if path.is_file():
            return OpenedPath(directory, word)
        if place and (directory / place["file"]).is_file():
            return OpenedPath(directory, place["file"], int(place["line"]))
    except OSError:
        pass  # too long for a name, for example
    return None
