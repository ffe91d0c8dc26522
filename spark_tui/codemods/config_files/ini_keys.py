"""Keys of INI files: `section.key`. The name of a section may have dots; the last part is the key."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from spark_tui.codemods.config_files.formats import (
    Format,
    Keys,
    TextEdit,
    appended_section,
    inserted_line,
    newline_of,
)
from spark_tui.codemods.plan import Refusal

_SECTION = re.compile(r"\[([^\]]+)\]")
_OPTION = re.compile(r"([^\s:=\[#;][^:=]*?)[ \t]*([:=])[ \t]*")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class _Option:
    """An option: its section and key, its lines, and the place of its value."""

    section: str
    key: str
    start: int
    end: int
    value: tuple[int, int]
    sign: str


def read(text: str) -> Any:
    parser = configparser.RawConfigParser(strict=True, allow_no_value=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text.removeprefix("\ufeff"))
    except configparser.Error as error:
        raise ValueError(str(error).splitlines()[0].replace("While reading from '<string>' ", "")) from None
    out: dict[str, dict[str, str | None]] = {name: dict(parser.items(name)) for name in parser.sections()}
    own = dict(parser.defaults())
    for name, section in out.items():
        out[name] = {key: value for key, value in section.items() if key not in own or value != own[key]}
    return {**out, **({"DEFAULT": own} if own else {})}


def _value(text: str) -> tuple[str, Any]:
    if "\n" in text or "\r" in text:
        raise Refusal("a value of several lines is not supported")
    return text, text.strip()


def _split(keys: Keys) -> tuple[str, str]:
    if len(keys) < 2:
        raise Refusal("write the section and the key: section.key")
    return ".".join(keys[:-1]), keys[-1]


def _options(text: str) -> tuple[list[_Option], dict[str, tuple[int, int]]]:
    """The options, and the end of the header and of the last line with code of each section."""
    options: list[_Option] = []
    sections: dict[str, tuple[int, int]] = {}
    section = ""
    at = 1 if text.startswith("\ufeff") else 0
    for found in _LINES.finditer(text, at):
        line = found[0]
        body = line.rstrip("\r\n")
        stripped = body.strip()
        header = _SECTION.match(body)
        if header:
            section = header[1]
            sections[section] = (found.end(), found.end())
        elif not stripped or stripped[0] in "#;":
            continue
        elif body[0] in " \t" and options and options[-1].section == section:
            last = options[-1]
            value = last.value[0], found.start() + len(body)
            options[-1] = replace(last, end=found.end(), value=value)
            sections[section] = (sections[section][0], found.end())
        elif section:
            option = _OPTION.match(body)
            key = option[1].strip() if option else stripped
            low = found.start() + (option.end() if option else len(body))
            value = low, found.start() + len(body.rstrip())
            sign = option[2] if option else ""
            options.append(_Option(section, key, found.start(), found.end(), value, sign))
            sections[section] = (sections[section][0], found.end())
    return options, sections


def put(text: str, keys: Keys, value: str) -> TextEdit:
    section, key = _split(keys)
    options, sections = _options(text)
    own = [option for option in options if option.section == section]
    for item in own:
        if item.key == key:
            low, high = item.value
            return low, max(low, high), value if item.sign else f" = {value}"
    spaced = next(iter(_styles(text, own or options)), " = ")
    line = f"{key}{spaced}{value}"
    if section in sections:
        return inserted_line(text, sections[section][1], line)
    return appended_section(text, section, line)


def _styles(text: str, options: list[_Option]) -> Iterator[str]:
    """How other options write the sign between key and value."""
    for option in options:
        inline = text[option.value[0] : option.value[0] + 1] not in ("\r", "\n")
        if option.sign and option.value[0] < option.value[1] and inline:
            yield text[option.start + len(option.key) : option.value[0]]


def drop(text: str, keys: Keys) -> TextEdit:
    if ".".join(keys) in _options(text)[1]:
        return _whole_section(text, ".".join(keys))
    section, key = _split(keys)
    for item in _options(text)[0]:
        if (item.section, item.key) == (section, key):
            return item.start, item.end, ""
    raise Refusal(f"there is no {key} in [{section}]")


def _whole_section(text: str, name: str) -> TextEdit:
    """The edit that removes a section with the blank lines behind it, or before it where it is the last."""
    heads = [
        (found.start(), head[1])
        for found in _LINES.finditer(text, 1 if text.startswith("\ufeff") else 0)
        if (head := _SECTION.match(found[0].rstrip("\r\n")))
    ]
    starts = [start for start, section in heads if section == name]
    if len(starts) != 1:
        raise Refusal(f"[{name}] stands there {len(starts)} times")
    low, high = starts[0], _options(text)[1][name][1]
    high += len(text[high:]) - len(text[high:].lstrip("\r\n"))
    if high == len(text):
        low = len(text[:low].rstrip("\r\n"))
        low += len(newline_of(text)) * bool(low)
    return low, high, ""


def _place(text: str, keys: Keys) -> tuple[int, int] | None:
    if len(keys) < 2:
        return None
    own = (item.value for item in _options(text)[0] if (item.section, item.key) == _split(keys))
    return next(own, None)


FORMAT = Format("INI", read, _value, put, drop, _place)
