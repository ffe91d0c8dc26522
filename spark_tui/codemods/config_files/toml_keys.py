"""Keys of TOML files."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from spark_tui.codemods.config_files.formats import (
    BLANK,
    Format,
    Keys,
    TextEdit,
    appended_section,
    inserted_line,
    newline_of,
    skip,
    whole_lines,
)
from spark_tui.codemods.plan import Refusal

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_KEY = re.compile(r"""[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*""")
_ATOM = re.compile(r"[^\s,\]}#]+(?: \d\d:[^\s,\]}#]+)?")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\r\n]|\\.)*"|\'[^\'\r\n]*\'', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key with the place of its line and of its value; of a table header, `value` is empty."""

    keys: Keys
    start: int
    value: tuple[int, int]
    is_table: bool = False
    is_array: bool = False
    prefix: Keys = ()


def read(text: str) -> Any:
    return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))


def _value(text: str) -> tuple[str, Any]:
    try:
        data = tomllib.loads(f"x = {text}")
        if set(data) == {"x"}:
            return text, data["x"]
    except tomllib.TOMLDecodeError:
        pass
    return quoted(text), text


def quoted(text: str) -> str:
    """A text as TOML. JSON's escapes are TOML's, but for the DEL character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _entries(text: str) -> list[_Entry]:
    """The entries of a file that parses, in order."""
    out: list[_Entry] = []
    table: Keys = ()
    at = 1 if text.startswith("\ufeff") else 0
    while True:
        at = skip(BLANK, text, at)
        if at >= len(text):
            return out
        start = at
        if text[at] == "[":
            double = text.startswith("[[", at)
            table, at = _keys(text, at + 1 + double)
            at = text.index("]", at) + 1 + double
            out.append(_Entry(table, start, (at, at), is_table=True, is_array=double))
            if double:
                table = (*table, str(sum(one.is_array and one.keys == table for one in out) - 1))
            continue
        keys, at = _keys(text, at)
        at += 1  # the equals sign
        while text[at] in " \t":
            at += 1
        end = _end(text, at)
        out.append(_Entry((*table, *keys), start, (at, end), prefix=table))
        at = end


def _keys(text: str, at: int) -> tuple[Keys, int]:
    parts: list[str] = []
    while True:
        found = _KEY.match(text, at)
        if found is None:
            raise Refusal("the file has a key that cannot be read")
        quoted, plain, bare = found.groups()
        parts.append(json.loads(f'"{quoted}"') if quoted is not None else bare or plain)
        at = found.end()
        if text[at : at + 1] != ".":
            return tuple(parts), at
        at += 1


def _end(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    if found is not None:
        return found.end()
    if text[at] not in "[{":
        return skip(_ATOM, text, at)
    depth = 0
    while True:
        at = skip(BLANK, text, at)
        string = _STRING.match(text, at)
        if string is not None:
            at = string.end()
            continue
        depth += (text[at] in "[{") - (text[at] in "]}")
        at += 1
        if not depth:
            return at


def shown(keys: Keys) -> str:
    return ".".join(key if _BARE.match(key) else quoted(key) for key in keys)


def put(text: str, keys: Keys, value: str) -> TextEdit:
    entries = _entries(text)
    for entry in entries:
        if entry.keys == keys and not entry.is_table:
            old = text[slice(*entry.value)]
            if old[:1] in ("[", "{") and re.search(r"^[^\"']*#|[\"',]\s*#", old, re.MULTILINE):
                raise Refusal("there are comments in the value")
            return (*entry.value, value)
    if any(item.is_array and item.keys == keys[: len(item.keys)] for item in entries):
        raise Refusal("the key is in an array of tables")
    owner = keys[:-1]
    inside = [item for item in entries if not item.is_table and item.prefix == owner]
    headers = [item for item in entries if item.is_table and item.keys == owner]
    line = f"{shown(keys[-1:])} = {value}"
    if inside:
        last = inside[-1]
        lead = text[whole_lines(text, last.start, last.start)[0] : last.start]
        return inserted_line(text, whole_lines(text, *last.value)[1], lead + line)
    if headers:
        return inserted_line(text, whole_lines(text, *headers[0].value)[1], line)
    if not owner:
        tables = [item for item in entries if item.is_table]
        if not tables:
            return inserted_line(text, len(text), line)
        at = whole_lines(text, tables[0].start, tables[0].start)[0]
        return at, at, line + newline_of(text) * 2
    return appended_section(text, shown(owner), line)


def drop(text: str, keys: Keys) -> TextEdit:
    entries = _entries(text)
    for entry in entries:
        if entry.keys == keys and not entry.is_table:
            low, high = whole_lines(text, entry.start, entry.value[1])
            return low, high, ""
    tables = [at for at, one in enumerate(entries) if one.is_table and one.keys == keys and not one.is_array]
    if len(tables) != 1:
        raise Refusal("the key is inside of a value or an array of tables")
    others = [item for item in entries[tables[0] + 1 :] if item.keys[: len(keys)] != keys]
    following = [item for item in others if item.is_table]
    start = whole_lines(text, entries[tables[0]].start, entries[tables[0]].start)[0]
    if not following:
        above = text[:start].rstrip("\r\n")
        return len(above) + (len(newline_of(text)) if above.strip() else 0), len(text), ""
    end = whole_lines(text, following[0].start, following[0].start)[0]
    # Comments directly above the next table are the next table's.
    kept = re.search(r"(?:^[ \t]*#[^\r\n]*(?:\r\n|\r|\n))+\Z", text[start:end], re.MULTILINE)
    return start, start + kept.start() if kept else end, ""


def _place(text: str, keys: Keys) -> tuple[int, int] | None:
    return next((one.value for one in _entries(text) if one.keys == keys and not one.is_table), None)


FORMAT = Format("TOML", read, _value, put, drop, _place)
