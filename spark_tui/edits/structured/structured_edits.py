"""Edits that are written as data: the arguments of a tool call, JSON in a fence, tags around both sides.

Keys differ from model to model; what they mean is a table (`code_words.toml`, `keys`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spark_tui.edits.code_words import keys

_DIGITS = re.compile(r"[0-9]{1,9}")
_RANGE = re.compile(r"([0-9]{1,9})\s*[-–:]\s*([0-9]{1,9})")
_ADDS = re.compile(r"(?:append|prepend|insert)(?![a-z.])", re.IGNORECASE)
_DEEPEST = 6
_MOST = 1000


@dataclass(frozen=True, slots=True)
class DataEdit:
    """One edit. The fields that are set determine its kind: old and new text, a whole file, a part of
    one, lines by number, or a patch."""

    path: str = ""
    old: str | None = None
    new: str | None = None
    content: str | None = None
    snippet: str | None = None
    patch: str | None = None
    lines: tuple[int, int] | None = None
    """1-based, both included; an insertion after a line has the second one smaller by one."""


def edits_in(data: object, path: str = "", depth: int = 0) -> list[DataEdit]:
    """The edits that a value holds, in order; none where it is other data."""
    if depth > _DEEPEST:
        return []
    if isinstance(data, str):
        data = _parsed(data)
    if isinstance(data, Sequence) and not isinstance(data, str):
        out: list[DataEdit] = []
        for item in data[:_MOST]:
            out += edits_in(item, path, depth + 1)
        return out
    if not isinstance(data, Mapping):
        return []
    found = list(_of_mapping(data, path, depth))
    if any(_says_add(key, value) for key, value in data.items()):
        # Some lines to put into the file are not all of it.
        return [replace(edit, content=None, snippet=edit.content) if edit.content else edit for edit in found]
    return found


def _says_add(key: str, value: object) -> bool:
    if _bare(key) not in keys()["doing"]:
        return False
    return value is True or (isinstance(value, str) and _ADDS.match(value) is not None)


def _of_mapping(data: Mapping[str, Any], path: str, depth: int) -> Iterator[DataEdit]:
    path = _text(data, "path") or path
    several = _get(data, "several")
    if several is not None:
        if isinstance(several, Mapping) and all(isinstance(item, str) for item in several.values()):
            yield from (DataEdit(name, content=text) for name, text in several.items())
        else:
            yield from edits_in(several, path, depth + 1)
        return
    edit = _edit(data, path)
    if edit is not None:
        yield edit
        return
    arguments = _get(data, "arguments")
    if isinstance(arguments, (Mapping, str, list)) and arguments != data:
        yield from edits_in(arguments, path, depth + 1)


def _edit(data: Mapping[str, Any], path: str) -> DataEdit | None:
    old, new = _text(data, "old"), _text(data, "new")
    lines = _line_range(data)
    content, snippet = _text(data, "content"), _text(data, "snippet")
    if old is not None and new is not None:
        return DataEdit(path, old=old, new=new)
    text = next((one for one in (new, content, snippet) if one is not None), None)
    if path and lines is not None and text is not None:
        return DataEdit(path, new=text, lines=lines)
    if path and content is not None:
        if any(_get(data, meaning) is not None for meaning in ("first", "last", "insert", "range")):
            # It names lines, but not which: it is a part of the file.
            return DataEdit(path, snippet=content)
        return DataEdit(path, content=content)
    if path and snippet is not None:
        return DataEdit(path, snippet=snippet)
    patch = _text(data, "patch")
    if patch is not None and _is_patch(patch):
        return DataEdit(path, patch=patch)
    command = data.get("command") or data.get("cmd")
    if isinstance(command, list):
        patch = next((item for item in command if isinstance(item, str) and _is_patch(item)), None)
        return DataEdit(path, patch=patch) if patch is not None else None
    return None


def _line_range(data: Mapping[str, Any]) -> tuple[int, int] | None:
    after = _number(_get(data, "insert"))
    if after is not None:
        return after + 1, after
    first, last = _get(data, "first"), _get(data, "last")
    if first is None and last is None and (both := _RANGE.fullmatch(str(_get(data, "range")))):
        first, last = both.groups()
    first, last = _number(first), _number(last)
    return (first, last) if first is not None and last is not None and 1 <= first <= last else None


def _number(value: object) -> int | None:
    """A number, also one that is written as text, as attributes are."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_patch(text: str) -> bool:
    return any(mark in text for mark in ("*** Begin Patch", "\n@@", "--- ", "<<<<<<< ", "------- SEARCH"))


def _get(data: Mapping[str, Any], meaning: str) -> Any:
    names = keys()[meaning]
    return next((value for key, value in data.items() if _bare(key) in names and value is not None), None)


def _text(data: Mapping[str, Any], meaning: str) -> str | None:
    names = keys()[meaning]
    for key, value in data.items():
        if _bare(key) in names:
            if isinstance(value, str):
                return value
            if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
                return "\n".join(value)
    return None


def _bare(key: object) -> str:
    return str(key).lower().replace("_", "").replace("-", "")


def _parsed(text: str) -> object:
    bare = text.strip()
    if not bare.startswith(("{", "[")):
        return None
    try:
        return json.loads(bare, strict=False)
    except (ValueError, RecursionError):
        return _several_values(bare)


def _several_values(text: str) -> object:
    """One value after the other, as in JSON lines."""
    decoder = json.JSONDecoder(strict=False)
    out: list[object] = []
    at = 0
    while at < len(text) and len(out) < _MOST:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        out.append(value)
        while at < len(text) and (text[at].isspace() or text[at] == ","):
            at += 1
    return out
