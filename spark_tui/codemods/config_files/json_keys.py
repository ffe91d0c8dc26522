"""Keys of JSON files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from spark_tui.codemods.config_files.formats import Format, Keys, TextEdit, newline_of, skip, whole_lines
from spark_tui.codemods.plan import Refusal

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ATOM = re.compile(r"[^\s,\]}]+")
_INDENT = re.compile(r"[ \t]*")


@dataclass
class _Node:
    """A value with its place. `items` are its members: the place of the key (of the value in lists) and
    the value."""

    start: int
    end: int
    items: dict[str, tuple[int, _Node]] = field(default_factory=dict)


def read(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"))


def _value(text: str) -> tuple[str, Any]:
    try:
        return text, json.loads(text)
    except ValueError:
        return json.dumps(text, ensure_ascii=False), text


def _parse(text: str, at: int) -> _Node:
    at = skip(_BLANK, text, at)
    if text[at] not in "[{":
        return _Node(at, skip(_STRING if text[at] == '"' else _ATOM, text, at))
    node = _Node(at, at)
    is_object = text[at] == "{"
    at = skip(_BLANK, text, at + 1)
    while text[at] not in "]}":
        start = at
        key = str(len(node.items))
        if is_object:
            found = _STRING.match(text, at)
            if found is None:
                raise Refusal("the file has a key that cannot be read")
            key = json.loads(found[0])
            at = skip(_BLANK, text, skip(_BLANK, text, found.end()) + 1)
        value = _parse(text, at)
        node.items[key] = (start, value)
        at = skip(_BLANK, text, value.end)
        if text[at] == ",":
            at = skip(_BLANK, text, at + 1)
    node.end = at + 1
    return node


def _walk(text: str, keys: Keys) -> tuple[_Node, Keys]:
    """The innermost value on the way to a key, and the keys that are missing from there."""
    node = _parse(text, 1 if text.startswith("\ufeff") else 0)
    for at, key in enumerate(keys):
        if key not in node.items:
            return node, keys[at:]
        node = node.items[key][1]
    return node, ()


def put(text: str, keys: Keys, value: str) -> TextEdit:
    node, missing = _walk(text, keys)
    if not missing:
        return node.start, node.end, value
    if text[node.start] != "{":
        holder = keys[-len(missing) - 1] if len(missing) < len(keys) else "the file"
        raise Refusal(f"{holder} is not an object")
    newline = newline_of(text)
    unit = _unit(text)
    starts = [start for start, _ in node.items.values()]
    indent = _line_indent(text, starts[0]) if starts else _line_indent(text, node.start) + unit
    begins_line = newline in text[node.start : node.start + 1 + len(newline)]
    spread = not starts or begins_line or "\n" in text[node.start : node.end]
    lines = _nested(missing, value, indent, unit, newline) if spread else _flat(missing, value)
    if not node.items:
        close = newline + _line_indent(text, node.start) + "}"
        return node.start, node.end, "{" + newline + indent + lines + close
    last = list(node.items.values())[-1][1].end
    return last, last, ("," + newline + indent if spread else ", ") + lines


def _nested(keys: Keys, value: str, indent: str, unit: str, newline: str) -> str:
    if len(keys) == 1:
        return f"{json.dumps(keys[0], ensure_ascii=False)}: {value}"
    inner = _nested(keys[1:], value, indent + unit, unit, newline)
    return f"{json.dumps(keys[0], ensure_ascii=False)}: {{{newline}{indent}{unit}{inner}{newline}{indent}}}"


def _flat(keys: Keys, value: str) -> str:
    inner = value if len(keys) == 1 else f"{{{_flat(keys[1:], value)}}}"
    return f"{json.dumps(keys[0], ensure_ascii=False)}: {inner}"


def _line_indent(text: str, at: int) -> str:
    low = whole_lines(text, at, at)[0]
    return text[low : skip(_INDENT, text, low)]


def _unit(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def drop(text: str, keys: Keys) -> TextEdit:
    owner, _ = _walk(text, keys[:-1])
    spans = [(start, value.end) for start, value in owner.items.values()]
    at = list(owner.items).index(keys[-1])
    start, end = spans[at]
    if at + 1 < len(spans):
        return start, spans[at + 1][0], ""
    if at:
        return spans[at - 1][1], end, ""
    return owner.start + 1, owner.end - 1, ""


def _place(text: str, keys: Keys) -> tuple[int, int] | None:
    node, missing = _walk(text, keys)
    return None if missing else (node.start, node.end)


FORMAT = Format("JSON", read, _value, put, drop, _place)
