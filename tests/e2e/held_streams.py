"""Recordings that wait at a place in their text, so that a test has all the time it needs while the model writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from spark_tui import paths

FOR_EVER = 3600.0
_PIECES_A_SECOND = 200.0


def held(
    folder: Path, name: str, behind: str = "", *, seconds: float = FOR_EVER, rate: float = _PIECES_A_SECOND
) -> Path:
    """Copy the recordings; `name` is played at `rate` and waits once its text ends with `behind`."""
    shutil.copytree(paths.recordings_dir(), folder, ignore=shutil.ignore_patterns("answers", "*.py", "*.md"))
    played = folder / f"{name}.jsonl"
    header, *pieces = played.read_text(encoding="utf-8").splitlines()
    out, text, late, waits = [header], "", 0.0, 0
    for number, line in enumerate(pieces):
        piece = json.loads(line)["text"]
        out.append(json.dumps({"t": round(number / rate + late, 4), "text": piece}))
        text += piece
        if behind and not waits and behind in text:
            late, waits = seconds, 1
    assert waits == bool(behind), f"{behind!r} is not in {name}"
    played.write_text("\n".join(out) + "\n", encoding="utf-8")
    return folder
