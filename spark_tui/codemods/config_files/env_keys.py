"""Keys of `.env` files: `NAME=value` lines, with or without `export`."""

from __future__ import annotations

import re
from typing import Any

from spark_tui.codemods.config_files.formats import Format, Keys, TextEdit, inserted_line, whole_lines
from spark_tui.codemods.plan import Refusal

_LINE = re.compile(
    r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*"
    r"(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\r\n#]*?(?:[^\s#]#[^\r\n#]*?)*)[ \t]*(?:#[^\r\n]*)?(?=\r?$)",
    re.MULTILINE,
)
_PLAIN = re.compile(r"[^\s#'\"\\$`]*\Z")


def read(text: str) -> Any:
    """The names with their values, without the quotes; a name that stands twice is refused."""
    out: dict[str, str] = {}
    for found in _LINE.finditer(text):
        if found[1] in out:
            raise Refusal(f"{found[1]} is there twice")
        out[found[1]] = _plain(found[2])
    return out


def _plain(text: str) -> str:
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        return re.sub(r'\\(["\\$`])', r"\1", text[1:-1])
    return text[1:-1] if text[:1] == "'" and text[-1:] == "'" and len(text) > 1 else text


def _value(text: str) -> tuple[str, Any]:
    if text[:1] in "'\"" and text[-1:] == text[:1] and len(text) > 1:
        return text, _plain(text)
    if _PLAIN.match(text):
        return text, text
    if "'" not in text:
        quote = '"' if not re.search(r'[$`"\\]', text) else "'"
        return f"{quote}{text}{quote}", text
    return '"' + re.sub(r'(["\\$`])', r"\\\1", text) + '"', text


def _one(keys: Keys) -> str:
    name = ".".join(keys)
    if not re.match(r"[A-Za-z_][\w.-]*\Z", name):
        raise Refusal(f"{name!r} is not a valid variable name")
    return name


def put(text: str, keys: Keys, value: str) -> TextEdit:
    name = _one(keys)
    for found in _LINE.finditer(text):
        if found[1] == name:
            return found.start(2), found.end(2), value
    return inserted_line(text, len(text), f"{name}={value}")


def drop(text: str, keys: Keys) -> TextEdit:
    name = _one(keys)
    found = next(match for match in _LINE.finditer(text) if match[1] == name)
    return (*whole_lines(text, *found.span()), "")


def _place(text: str, keys: Keys) -> tuple[int, int] | None:
    """The place of a value without its quotes."""
    for found in _LINE.finditer(text):
        if found[1] == ".".join(keys):
            quoted = len(_plain(found[2])) + 2 == len(found[2])
            return found.start(2) + quoted, found.end(2) - quoted
    return None


FORMAT = Format(".env", read, _value, put, drop, _place)
