"""The files next to a session's journal, from which another process can continue it.

`turns.jsonl` (checksummed like the journal): the requests of each turn, where each leg begins, and which file
the turn read with which content; the contents are under `files/`, named by their hash. `session.json`: the
name of the session and where it was forked from. `outbox.json`: messages that were not delivered yet.
`typing.json`: what is typed into files and not saved, while the session is open.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from spark_tui.backends.base import Exchange, FilePart, Request, Splice
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import MalformedInput
from spark_tui.events import Decided
from spark_tui.session.storage.journal import ChecksummedFile, cannot_keep, records
from spark_tui.session.window_cursor import TurnPosition, WindowAnswer
from spark_tui.workspace.disk import replace_file
from spark_tui.workspace.files import FileText


@dataclass(frozen=True, slots=True)
class Leg:
    """The position of a turn after this many tokens and steers."""

    tokens: int
    steers: int
    first_hunk: int
    position: TurnPosition


@dataclass(slots=True)
class StoredTurn:
    """A turn as it is stored for another process."""

    requests: tuple[Request, ...]
    ask: ContextRequest
    legs: list[Leg] = field(default_factory=list)
    read: dict[str, FileText | None] = field(default_factory=dict)


class TurnStorage:
    """Writes the files next to the journal of one session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines = ChecksummedFile(folder / "turns.jsonl")
        self._known: set[tuple[str, str]] = set()
        self._asked: dict[str, int] = {}
        """How many requests each turn began with."""
        self._answers: dict[str, dict[int, WindowAnswer]] = {}
        """The answers of each turn's other windows that are stored already."""

    def add_turn(self, turn_id: str, requests: Sequence[Request], ask: ContextRequest) -> None:
        asked = [_row(request) for request in requests]
        self.continue_turn(turn_id, requests)
        # Not synced: a leg follows before anything is asked, and syncs both.
        self._lines.write({"turn": turn_id, "requests": asked, "ask": asdict(ask)}, sync="never")

    def continue_turn(self, turn_id: str, requests: Sequence[Request]) -> None:
        """Go on storing the legs of a turn that began with these requests."""
        self._asked[turn_id] = len(requests)

    def add_leg(self, turn_id: str, leg: Leg) -> None:
        """Of other windows only the changes since the leg before, except in the first leg that this process
        stores."""
        position, before = leg.position, self._answers.get(turn_id)
        others = dict(position.others)
        self._answers[turn_id] = others
        changed = {at: one for at, one in others.items() if before is None or before.get(at) != one}
        row: dict[str, Any] = {"tokens": leg.tokens, "steers": leg.steers, "first_hunk": leg.first_hunk}
        row |= {
            "at": position.at,
            **asdict(position.answer),
            "ahead": position.ahead,
            "whole": before is None,
        }
        row["others"] = [[at, asdict(one)] for at, one in changed.items()]
        row["more"] = [_row(request) for request in position.requests[self._asked[turn_id] :]]
        self._lines.write({"turn": turn_id, "leg": row}, sync="beside")

    def add_file(self, turn_id: str, path: str, file: FileText | None) -> None:
        """A file as the turn read it. Stored once a turn, and the same bytes once a session."""
        if (turn_id, path) in self._known:
            return
        self._known.add((turn_id, path))
        row: dict[str, Any] = {"path": path, "hash": ""}
        if file is not None:
            row |= {"hash": _keep_bytes(self._folder / "files", file.data), "mode": file.mode}
        self._lines.write({"turn": turn_id, "read": row}, sync="never")

    def close(self) -> None:
        self._lines.close()


def stored_turns(folder: Path) -> dict[str, StoredTurn]:
    """What `TurnStorage` wrote, by turn id."""
    out: dict[str, StoredTurn] = {}
    for record in records(folder / "turns.jsonl", dict):
        turn_id = str(record["turn"])
        if "requests" in record:
            requests = tuple(_request(item) for item in record["requests"])
            out[turn_id] = StoredTurn(requests, _ask(record["ask"]))
        elif "leg" in record:
            out[turn_id].legs.append(_leg(record["leg"], out[turn_id]))
        else:
            row = record["read"]
            out[turn_id].read[row["path"]] = _file(folder / "files", row)
    return out


@dataclass(slots=True)
class SessionFacts:
    """The name and the origin of a session, what it has committed, and what a person typed first."""

    name: str = ""
    forked_from: str = ""
    committed: int = 0
    """The number of the newest checkpoint when it made its last commit."""
    typed: str = ""
    """What names it in lists as long as nothing is asked."""


def read_facts(folder: Path) -> SessionFacts:
    known = _read_json(folder / "session.json", dict)
    return SessionFacts(
        str(known.get("name", "")),
        str(known.get("forked_from", "")),
        int(known.get("committed", 0)),
        str(known.get("typed", "")),
    )


def write_facts(folder: Path, known: SessionFacts) -> None:
    write_atomically(folder / "session.json", json.dumps(asdict(known)).encode())


def read_undelivered(folder: Path) -> list[str]:
    """Messages that were not delivered when the process ended."""
    return [str(text) for text in _read_json(folder / "outbox.json", list)]


def write_undelivered(folder: Path, texts: Sequence[str]) -> None:
    path = folder / "outbox.json"
    if texts:
        write_atomically(path, json.dumps(list(texts)).encode())
    else:
        path.unlink(missing_ok=True)


TYPING = "typing.json"


def read_typing(folder: Path) -> list[tuple[FileText, list[str]]]:
    """Each file as it was when typing began, and its lines as the person had them last."""
    rows = [row for row in _read_json(folder / TYPING, list) if "hunk" not in row]
    return [(FileText(row["path"], row["data"].encode("latin-1"), row["mode"]), row["lines"]) for row in rows]


def read_typed_hunk(folder: Path) -> Decided | None:
    """The edit of the hunk into which the person typed last."""
    rows = [row for row in _read_json(folder / TYPING, list) if "hunk" in row]
    return Decided(rows[0]["hunk"], "edited", rows[0]["text"]) if rows else None


def write_typing(
    folder: Path, files: Sequence[tuple[FileText, Sequence[str]]], hunk: Decided | None = None
) -> None:
    rows: list[dict[str, Any]] = [
        {"path": file.path, "data": file.data.decode("latin-1"), "mode": file.mode, "lines": list(lines)}
        for file, lines in files
    ]
    if hunk is not None:
        rows.append({"hunk": hunk.hunk_id, "text": hunk.text})
    if rows:
        write_atomically(folder / TYPING, json.dumps(rows).encode())
    else:
        (folder / TYPING).unlink(missing_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file of the session. Raises NoPlace where the disk is full."""
    try:
        replace_file(path, data)
    except OSError as error:
        raise cannot_keep(error, path.parent) from error


def _read_json(path: Path, kind: type[Any]) -> Any:
    """The value in a file, which must be of that kind; an empty one if there is no file."""
    try:
        found = json.loads(path.read_bytes())
        if not isinstance(found, kind):
            raise ValueError(f"this is not a {kind.__name__}")
    except FileNotFoundError:
        return kind()
    except ValueError as error:
        raise MalformedInput(f"is damaged: {error}", where=str(path), hint="Remove the file.") from error
    return found


def _keep_bytes(folder: Path, data: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()
    if not (folder / digest).exists():
        write_atomically(folder / digest, data)
    return digest


def _file(folder: Path, row: dict[str, Any]) -> FileText | None:
    if not row["hash"]:
        return None
    path = folder / row["hash"]
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unusable(path, "missing") from error
    if hashlib.sha256(data).hexdigest() != row["hash"]:
        raise _unusable(path, "damaged")
    return FileText(row["path"], data, row["mode"])


def _unusable(path: Path, state: str) -> MalformedInput:
    hint = "Nothing was written. Send the instruction again: a new session reads the file anew."
    return MalformedInput(f"the saved content of a file is {state}", where=str(path), hint=hint)


def _row(request: Request) -> dict[str, Any]:
    """A request without the lines that the model is not shown."""
    shown = (replace(part, around=None) for part in request.files)
    return asdict(replace(request, files=tuple(shown)))


def _request(row: dict[str, Any]) -> Request:
    values = dict(row)
    values["files"] = tuple(FilePart(**part) for part in row["files"])
    values["history"] = tuple(Exchange(**part) for part in row["history"])
    values["spliced"] = _spliced(row["spliced"])
    values["known"] = tuple((first, last, tuple(new)) for first, last, new in row["known"])
    for name in ("emitted", "stop_texts", "selection"):
        values[name] = tuple(row[name])
    return Request(**values)


def _ask(row: dict[str, Any]) -> ContextRequest:
    selection = tuple(row["selection"]) if row["selection"] else None
    paths = {name: tuple(row.get(name, ())) for name in ("files", "earlier")}
    return ContextRequest(**{**row, **paths, "selection": selection})


def _spliced(rows: Sequence[dict[str, Any]]) -> tuple[Splice, ...]:
    return tuple(Splice(tuple(row["ids"]), row["message"]) for row in rows)


def _answer(row: dict[str, Any]) -> WindowAnswer:
    return WindowAnswer(_spliced(row["spliced"]), tuple(row["said"]), tuple(row["ids"]), row["text"])


def _leg(row: dict[str, Any], kept: StoredTurn) -> Leg:
    requests = (*kept.requests, *map(_request, row["more"]))
    others = {} if row["whole"] else dict(kept.legs[-1].position.others)
    others |= {at: _answer(one) for at, one in row["others"]}
    others.pop(row["at"], None)
    position = TurnPosition(requests, row["at"], _answer(row), tuple(others.items()), tuple(row["ahead"]))
    return Leg(row["tokens"], row["steers"], row["first_hunk"], position)
