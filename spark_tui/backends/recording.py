"""Recorded streams: JSON lines, a header and then timed pieces of text.

    {"spark_recording": 1, "name": "guard", "instruction": "guard against empty carts", "format": "lines"}
    {"t": 0.0041, "text": "***"}

A recording of the format `fill` is ghost text: its `instruction` is the beginning of the line. Loading gives
frozen `Recording`s, or an error that names file and line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from spark_tui.errors import MalformedInput

VERSION = 1
FORMATS = ("lines", "search_replace", "apply_patch", "udiff", "whole", "fill")


@dataclass(frozen=True, slots=True)
class TimedText:
    """Text that arrived `t` seconds after the prompt was sent. Times never fall."""

    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Recording:
    """One answer to one instruction, as it arrived."""

    name: str
    instruction: str
    format: str
    pieces: tuple[TimedText, ...]
    path: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def load(path: Path) -> Recording:
    """Read one file, all of it checked."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MalformedInput(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise MalformedInput(f"is not UTF-8 (byte {error.start})", where=str(path)) from error
    header: dict[str, object] | None = None
    pieces: list[TimedText] = []
    # Only "\n" ends a record: JSON strings may hold U+2028 and its like as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise MalformedInput(f"is not JSON: {error.msg}", where=where, hint="Record it again.") from error
        if not isinstance(record, dict):
            raise MalformedInput("is not a JSON object", where=where)
        if header is None:
            header = _header(record, where)
        else:
            pieces.append(_piece(record, pieces, where))
    if header is None:
        raise MalformedInput("is empty", where=str(path), hint="A recording starts with its header line.")
    return Recording(
        name=str(header.get("name") or path.stem),
        instruction=str(header["instruction"]),
        format=str(header["format"]),
        pieces=tuple(pieces),
        path=str(header.get("path", "")),
        note=str(header.get("note", "")),
    )


def load_all(path: Path) -> tuple[Recording, ...]:
    """One file, or every `*.jsonl` of a folder in the order of their names."""
    if not path.exists():
        raise MalformedInput("no such recording", where=str(path), hint="`spark record` saves a turn as one.")
    if path.is_file():
        return (load(path),)
    found = tuple(load(file) for file in sorted(path.glob("*.jsonl")))
    if not found:
        raise MalformedInput("holds no recording (*.jsonl)", where=str(path))
    return found


def dump(recording: Recording) -> str:
    """The text of a file that `load` reads back to the same recording."""
    names = ("name", "instruction", "path", "format", "note")
    header = {"spark_recording": VERSION, **{name: getattr(recording, name) for name in names}}
    rows: Iterable[dict[str, object]] = (
        {"t": round(piece.t, 6), "text": piece.text} for piece in recording.pieces
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (header, *rows))


def _header(record: dict[str, object], where: str) -> dict[str, object]:
    if record.get("spark_recording") != VERSION:
        raise MalformedInput(
            f"is not a spark recording of version {VERSION}",
            where=where,
            hint="Its first line is the header.",
        )
    for key in ("instruction", "format"):
        if not isinstance(record.get(key), str):
            raise MalformedInput(f"the header has no {key!r}", where=where)
    if record["format"] not in FORMATS:
        raise MalformedInput(
            f"unknown edit format {record['format']!r}",
            where=where,
            hint="Known: " + ", ".join(FORMATS) + ".",
        )
    return record


def _piece(record: dict[str, object], before: list[TimedText], where: str) -> TimedText:
    t, text = record.get("t"), record.get("text")
    if not isinstance(t, (int, float)) or isinstance(t, bool) or not isinstance(text, str):
        raise MalformedInput("a piece needs a number `t` and a string `text`", where=where)
    if t < 0 or (before and t < before[-1].t):
        raise MalformedInput("the times are out of order", where=where, hint="Sort the pieces by `t`.")
    return TimedText(float(t), text)
