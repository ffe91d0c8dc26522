"""What a session keeps beside its journal, so that another process can go on where it stood.

`turns.jsonl` (framed as the journal): the requests of each turn, where each leg begins, and which file the
turn read as which bytes; the bytes themselves under `files/`, named by their hash. `session.json`: name and
descent. `outbox.json`: messages on their way. Comes in: those. Goes out: the same. Must not know: what they
are used for.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.backends.base import Exchange, FilePart, Request, Splice
from spark_tui.context.shown_context import ContextRequest, KnownHunk
from spark_tui.errors import MalformedInput
from spark_tui.session.journal import ChecksummedFile, cannot_keep, records
from spark_tui.session.window_answers import TurnPosition, WindowAnswer
from spark_tui.workspace.files import FileText


@dataclass(frozen=True, slots=True)
class Leg:
    """Where the turn stood when so many tokens had come and so many steers counted."""

    tokens: int
    steers: int
    first_hunk: int
    standing: TurnPosition


@dataclass(slots=True)
class StoredTurn:
    """A turn as another process needs it."""

    requests: tuple[Request, ...]
    ask: ContextRequest
    legs: list[Leg] = field(default_factory=list)
    read: dict[str, FileText | None] = field(default_factory=dict)


class TurnStorage:
    """Writes beside the journal of one session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines = ChecksummedFile(folder / "turns.jsonl")
        self._known: set[tuple[str, str]] = set()
        self._asked: dict[str, int] = {}
        """How many requests a turn began with."""
        self._answers: dict[str, dict[int, WindowAnswer]] = {}
        """What of a turn's other windows is kept already."""

    def turn(self, turn_id: str, requests: Sequence[Request], ask: ContextRequest) -> None:
        asked = [asdict(request) for request in requests]
        self.goes_on(turn_id, len(requests))
        self._write({"turn": turn_id, "requests": asked, "ask": asdict(ask)})

    def goes_on(self, turn_id: str, requests: int) -> None:
        """A turn that another process may have begun, with so many requests."""
        self._asked[turn_id] = requests

    def leg(self, turn_id: str, leg: Leg) -> None:
        """Of other windows only what changed since the leg before; all of it in the first that this process
        keeps."""
        standing, before = leg.standing, self._answers.get(turn_id)
        others = dict(standing.others)
        self._answers[turn_id] = others
        changed = {at: one for at, one in others.items() if before is None or before.get(at) != one}
        row: dict[str, Any] = {"tokens": leg.tokens, "steers": leg.steers, "first_hunk": leg.first_hunk}
        row |= {
            "at": standing.at,
            **asdict(standing.answer),
            "ahead": standing.ahead,
            "whole": before is None,
        }
        row["others"] = [[at, asdict(one)] for at, one in changed.items()]
        row["more"] = [asdict(one) for one in standing.requests[self._asked[turn_id] :]]
        self._lines.write({"turn": turn_id, "leg": row}, sync=True)

    def file(self, turn_id: str, path: str, file: FileText | None) -> None:
        """What the turn read. Kept once a turn; the same bytes once a session."""
        if (turn_id, path) in self._known:
            return
        self._known.add((turn_id, path))
        row: dict[str, Any] = {"path": path, "hash": ""}
        if file is not None:
            row |= {"hash": _keep_bytes(self._folder / "files", file.data), "mode": file.mode}
        self._write({"turn": turn_id, "read": row})

    def _write(self, record: dict[str, Any]) -> None:
        """A leg comes behind it before anything is asked, and syncs both."""
        self._lines.write(record, sync=False)

    def close(self) -> None:
        self._lines.close()


def stored_turns(folder: Path) -> dict[str, StoredTurn]:
    """What `TurnStorage` wrote, by turn."""
    out: dict[str, StoredTurn] = {}
    for record in records(folder / "turns.jsonl", dict):
        turn_id = str(record["turn"])
        if "requests" in record:
            requests = tuple(_request(one) for one in record["requests"])
            out[turn_id] = StoredTurn(requests, _ask(record["ask"]))
        elif "leg" in record:
            out[turn_id].legs.append(_leg(record["leg"], out[turn_id]))
        else:
            row = record["read"]
            out[turn_id].read[row["path"]] = _file(folder / "files", row)
    return out


@dataclass(slots=True)
class SessionFacts:
    """What a person gave a session, and where it came from."""

    name: str = ""
    forked_from: str = ""
    uncommitted: tuple[str, ...] = ()
    """Checkpoints of what was written since the last commit."""


def facts(folder: Path) -> SessionFacts:
    known = _read_json(folder / "session.json", dict)
    return SessionFacts(
        str(known.get("name", "")),
        str(known.get("forked_from", "")),
        tuple(map(str, known.get("uncommitted", ()))),
    )


def keep_facts(folder: Path, known: SessionFacts) -> None:
    write_whole(folder / "session.json", json.dumps(asdict(known)).encode())


def waiting(folder: Path) -> list[str]:
    """Messages that were on their way when the process ended."""
    return [str(text) for text in _read_json(folder / "outbox.json", list)]


def keep_waiting(folder: Path, texts: Sequence[str]) -> None:
    path = folder / "outbox.json"
    if texts:
        write_whole(path, json.dumps(list(texts)).encode())
    else:
        path.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing, also when the process is killed. Raises NoPlace where there is no room for it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise cannot_keep(error, path.parent) from error
        raise


def _read_json(path: Path, kind: type[Any]) -> Any:
    """What stands there, if it is of that kind; an empty one where nothing does."""
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
        write_whole(folder / digest, data)
    return digest


def _file(folder: Path, row: dict[str, Any]) -> FileText | None:
    if not row["hash"]:
        return None
    try:
        return FileText(row["path"], (folder / row["hash"]).read_bytes(), row["mode"])
    except OSError as error:
        raise MalformedInput(
            "the saved content of a file is missing", where=str(folder / row["hash"])
        ) from error


def _request(row: dict[str, Any]) -> Request:
    values = dict(row)
    values["files"] = tuple(FilePart(**part) for part in row["files"])
    values["history"] = tuple(Exchange(**part) for part in row["history"])
    values["spliced"] = _spliced(row["spliced"])
    for name in ("known", "wanted"):
        values[name] = _hunks(row.get(name, ()))
    for name in ("emitted", "stop_texts", "selection"):
        values[name] = tuple(row[name])
    return Request(**values)


def _ask(row: dict[str, Any]) -> ContextRequest:
    selection = tuple(row["selection"]) if row["selection"] else None
    return ContextRequest(**{**row, "files": tuple(row["files"]), "selection": selection})


def _spliced(rows: Sequence[dict[str, Any]]) -> tuple[Splice, ...]:
    return tuple(Splice(tuple(row["ids"]), row["message"]) for row in rows)


def _hunks(rows: Sequence[Any]) -> tuple[KnownHunk, ...]:
    return tuple((first, last, tuple(new)) for first, last, new in rows)


def _answer(row: dict[str, Any]) -> WindowAnswer:
    wanted = _hunks(row.get("wanted", ()))
    return WindowAnswer(_spliced(row["spliced"]), tuple(row["said"]), tuple(row["ids"]), row["text"], wanted)


def _leg(row: dict[str, Any], kept: StoredTurn) -> Leg:
    """An older version kept no other windows, and asked them in order."""
    requests = (*kept.requests, *(_request(one) for one in row.get("more", ())))
    before = {} if row.get("whole", True) or not kept.legs else dict(kept.legs[-1].standing.others)
    others = {**before, **{at: _answer(one) for at, one in row.get("others", ())}}
    others.pop(row["at"], None)
    ahead = tuple(row.get("ahead", range(row["at"] + 1, len(requests))))
    standing = TurnPosition(requests, row["at"], _answer(row), tuple(others.items()), ahead)
    return Leg(row["tokens"], row["steers"], row["first_hunk"], standing)
