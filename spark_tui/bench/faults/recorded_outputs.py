"""Recorded outputs of real tools: are all problems found in their place, and none invented?"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from spark_tui.errors import UsageError
from spark_tui.problems.problem import as_dict
from spark_tui.problems.reader import ProblemReader

_LINE = b"\n===== problems =====\n"
FOLDER = Path("tests/cases/problems")
"""In the source tree: an installed package has none."""


@dataclass(frozen=True)
class Recorded:
    """What was found in all outputs of a folder."""

    outputs: int
    problems: int
    missed: tuple[str, ...]
    invented: tuple[str, ...]


def read_recorded(folder: Path = FOLDER) -> Recorded:
    """Read each output as one piece, and compare with what was written down for it."""
    missed, invented, problems = [], [], 0
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        hint = "Run this in the source tree of spark, or name a folder: --outputs DIR"
        raise UsageError("there are no recorded outputs", where=str(folder), hint=hint)
    for path in paths:
        output, _, expected = path.read_bytes().partition(_LINE)
        reader = ProblemReader()
        found = Counter(
            json.dumps(as_dict(item), sort_keys=True) for item in (*reader.feed(output), *reader.close())
        )
        wanted = Counter(
            json.dumps(json.loads(line), sort_keys=True) for line in expected.decode().splitlines()
        )
        problems += wanted.total()
        missed += [f"{path.stem}: {element}" for element in (wanted - found).elements()]
        invented += [f"{path.stem}: {element}" for element in (found - wanted).elements()]
    return Recorded(len(paths), problems, tuple(missed), tuple(invented))
