"""Encode a `Request` as JSON values, in full or as the difference from an earlier one, and decode it.

`read` raises `MalformedInput` that names the member. Both ends of the persistent connection use this code. A
file's text is sent once and referred to by its digest afterwards. A request that follows another one
(`follow`) carries only the new instruction: both ends know the history.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, MutableMapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, get_args

from spark_tui.backends.base import Exchange, FilePart, Kind, Request, Splice
from spark_tui.errors import MalformedInput
from spark_tui.pysource.words import word_set

_PLAIN: dict[str, tuple[type, ...]] = {
    "instruction": (str,),
    "rules": (str,),
    "steer": (str,),
    "format": (str,),
    "kind": (str,),
    "max_tokens": (int,),
    "prefix": (str,),
    "suffix": (str,),
    "temperature": (int, float),
    "seed": (int,),
    "cursor": (int,),
    "prediction": (str,),
    "least_confidence": (int, float),
}
_plain_values = attrgetter(*_PLAIN)
_PLAIN_DEFAULTS = tuple({f.name: f.default for f in fields(Request)}[name] for name in _PLAIN)
_MADE = word_set("files known history emitted spliced selection stop_texts follow outcome resume")
"""Members that are made into something before they are a request's."""
MEMBERS = frozenset(_PLAIN) | _MADE
"""All that a request may say; `docs/serve.md` says what each is."""
_KINDS = get_args(Kind)


class UnknownText(MalformedInput):
    """The receiver does not hold (or no longer holds) the text of a digest: the text must be sent."""


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def write(request: Request, known: MutableMapping[str, str]) -> dict[str, Any]:
    """The whole request. Texts whose digest is in `known` are left out; those that are sent are put there."""
    out = _changed(request)
    if request.files:
        out["files"] = _files(request.files, known)
    if request.history:
        out["history"] = [[e.instruction, e.answer, e.outcome] for e in request.history]
    if request.emitted:
        out["emitted"] = list(request.emitted)
    return out


def write_after(
    request: Request, base: Request, answer: str, ids: tuple[int, ...], known: MutableMapping[str, str]
) -> dict[str, Any] | None:
    """What is new since `base`, which was answered by `answer` (token `ids`), or None where it does not
    follow."""
    out = _changed(request)
    same_talk = request.history == base.history and request.instruction == base.instruction
    if request.emitted and same_talk and request.emitted == (base.emitted + ids)[: len(request.emitted)]:
        out["resume"] = len(request.emitted)
    elif not request.emitted and len(request.history) == len(base.history) + 1:
        last = request.history[-1]
        if (request.history[:-1], last.instruction, last.answer) != (base.history, base.instruction, answer):
            return None
        out["follow"] = True
        if last.outcome:
            out["outcome"] = last.outcome
    else:
        return None
    if request.rules == base.rules:
        out.pop("rules", None)
    elif not request.rules:
        return None
    if request.files != base.files:
        out["files"] = _files(request.files, known)
    return out


def read(
    wire: Any,
    known: MutableMapping[str, str],
    *,
    base: Request | None = None,
    answer: str = "",
    ids: tuple[int, ...] = (),
) -> Request:
    """The request that `write` or `write_after` put on the wire."""
    if not isinstance(wire, dict):
        raise _wrong("request", "an object")
    values: dict[str, Any] = {"instruction": ""}
    for name, value in wire.items():
        kinds = _PLAIN.get(name)
        if kinds is not None:
            if not isinstance(value, kinds) or isinstance(value, bool):
                raise _wrong(name, " or ".join(kind.__name__ for kind in kinds))
            values[name] = value
        elif name not in MEMBERS:
            raise MalformedInput(f"unknown member {name!r}", where="request")
    if values.get("kind", "edit") not in _KINDS:
        raise _wrong("kind", "one of " + ", ".join(_KINDS))
    if "stop_texts" in wire:
        values["stop_texts"] = tuple(_list(wire, "stop_texts", str))
    if "spliced" in wire:
        values["spliced"] = tuple(_splice(item) for item in _list(wire, "spliced", list))
    if "selection" in wire:
        lines = _list(wire, "selection", int)
        if len(lines) != 2:
            raise _wrong("selection", "a first and a last line")
        values["selection"] = (lines[0], lines[1])
    if "known" in wire:
        values["known"] = tuple(_hunk("known", item) for item in _list(wire, "known", list))
    if "files" in wire:
        values["files"] = tuple(_file(item, known) for item in _list(wire, "files", list))
    if wire.get("follow") or "resume" in wire:
        _put_behind(wire, values, base, answer, ids)
    else:
        values["history"] = tuple(_exchange(item) for item in _list(wire, "history", list))
        values["emitted"] = tuple(_list(wire, "emitted", int))
    return Request(**values)


def _put_behind(
    wire: Mapping[str, Any], values: dict[str, Any], base: Request | None, answer: str, ids: tuple[int, ...]
) -> None:
    """Fill in what this end already knows of a request that follows `base`."""
    if base is None:
        raise MalformedInput("needs the id of the response that it follows", where="request.follow")
    values.setdefault("files", base.files)
    values.setdefault("rules", base.rules)
    if "resume" in wire:
        count, had = wire["resume"], base.emitted + ids
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= len(had):
            raise _wrong("resume", f"a whole number up to {len(had)}")
        values["history"], values["emitted"] = base.history, had[:count]
        return
    outcome = wire.get("outcome", "")
    if not isinstance(outcome, str):
        raise _wrong("outcome", "str")
    values["history"] = (*base.history, Exchange(base.instruction, answer, outcome))


def _changed(request: Request) -> dict[str, Any]:
    plain = zip(_PLAIN, _plain_values(request), _PLAIN_DEFAULTS, strict=True)
    out = {name: value for name, value, default in plain if value != default}
    if request.stop_texts:
        out["stop_texts"] = list(request.stop_texts)
    if request.spliced:
        out["spliced"] = [[list(splice.ids), splice.message] for splice in request.spliced]
    if request.known:
        out["known"] = [[first, last, list(new)] for first, last, new in request.known]
    if any(request.selection):
        out["selection"] = list(request.selection)
    return out


def _files(parts: tuple[FilePart, ...], known: MutableMapping[str, str]) -> list[list[Any]]:
    out: list[list[Any]] = []
    for part in parts:
        mark = digest(part.text)
        row: list[Any] = [part.path, part.first_line, part.total_lines, mark]
        if mark not in known:
            known[mark] = part.text
            row.append(part.text)
        out.append(row)
    return out


def _file(row: list[Any], known: MutableMapping[str, str]) -> FilePart:
    kinds = (str, int, int, str, str)
    if len(row) not in (4, 5) or any(not isinstance(v, k) for v, k in zip(row, kinds, strict=False)):
        raise _wrong("files", "rows of path, first line, lines, digest and text")
    path, first, total, mark = row[:4]
    if len(row) == 5:
        if digest(row[4]) != mark:
            raise MalformedInput("the digest of a file does not match its text", where="request.files")
        known[mark] = row[4]
    elif mark not in known:
        raise UnknownText(
            f"no text with the digest {mark}", where="request.files", hint="Send the text again."
        )
    return FilePart(path, known[mark], first, total)


def _exchange(row: list[Any]) -> Exchange:
    if len(row) != 3 or any(not isinstance(text, str) for text in row):
        raise _wrong("history", "rows of instruction, answer and outcome")
    return Exchange(*row)


def _hunk(name: str, row: list[Any]) -> tuple[int, int, tuple[str, ...]]:
    if len(row) != 3 or any(not isinstance(n, int) or isinstance(n, bool) for n in row[:2]):
        raise _wrong(name, "rows of a first line, the line after the last, and new lines")
    return row[0], row[1], tuple(_list({name: row[2]}, name, str))


def _splice(row: list[Any]) -> Splice:
    if len(row) != 2 or not isinstance(row[1], str):
        raise _wrong("spliced", "rows of token ids and a message")
    return Splice(tuple(_list({"spliced": row[0]}, "spliced", int)), row[1])


def _list(wire: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    value = wire.get(name, [])
    if not isinstance(value, list) or any(
        not isinstance(item, kind) or isinstance(item, bool) for item in value
    ):
        raise _wrong(name, f"a list of {kind.__name__}")
    return value


def _wrong(name: str, kind: str) -> MalformedInput:
    return MalformedInput(f"`{name}` must be {kind}", where="request")
