"""Reads the JSON arguments of a call while they arrive, so that the text of an edit streams.

A pull parser of the standard library's kind needs whole values; this one gives the text of top-level string
members piece by piece, in whatever way the JSON is cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_CHARACTERS = 8_000_000
_STRING = re.compile(r'(?:[^"\\]+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*')  # Python 3.11.2 misreads *+
_BEGUN = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
"""An escape whose rest is still to come."""
_FIRST_HALF = re.compile(r"(?<!\\)(?:\\\\)*(\\u[dD][89abAB][0-9a-fA-F]{2})\Z")
"""Of a pair of escapes for one character."""
_SPACE = " \t\r\n"
_ENDED = ",}" + _SPACE
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class BrokenArguments(ValueError):
    """The text is not a JSON object; the message says where."""


@dataclass(frozen=True, slots=True)
class MemberText:
    """More of a top-level string member; `ended` with its last piece, which may be empty."""

    name: str
    text: str
    ended: bool = False


class ArgumentReader:
    """One object, or a string that is the text of one. `feed` gives the pieces of its string members;
    `finish` gives all members as values."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._state = "start"
        self._at = 0
        self._held = ""
        """An escape, or the first of a pair, whose rest is still to come."""
        self._name: list[str] = []
        self._text: list[str] = []
        self._raw: list[str] = []
        self._depth = 0
        self._quoted = False
        self._inner: ArgumentReader | None = None
        """Reads the text of the string."""

    def feed(self, text: str) -> Iterator[MemberText]:
        """The next characters. Raises BrokenArguments at the first one that no JSON object has there."""
        self._at += len(text)
        if self._at > MOST_CHARACTERS:
            raise BrokenArguments(f"the arguments are longer than {MOST_CHARACTERS:,} characters")
        at = 0
        while at < len(text):
            if self._inner is not None and self._state == "inner":
                piece, at, ended = self._string(text, at)
                yield from self._inner.feed(piece)
                if ended:
                    self._state, self.values = "end", self._inner.finish()
            elif self._state in ("name", "text"):
                piece, at, ended = self._string(text, at)
                yield from self._take(piece, ended)
            elif self._state == "raw":
                at = self._value(text, at)
            else:
                self._mark(text[at], len(text) - at)
                at += 1

    @property
    def is_whole(self) -> bool:
        """Whether the object has members and is closed."""
        return self._state == "end" and bool(self.values)

    def finish(self) -> dict[str, Any]:
        """The members. Raises BrokenArguments where the object is not complete; no text is an empty one."""
        if self._state == "start":
            return {}
        if self._state != "end":
            raise BrokenArguments(f"the arguments end inside the object, after {self._at} characters")
        return self.values

    def _mark(self, ch: str, left: int) -> None:
        """A character between the parts of the object."""
        if ch in _SPACE:
            return
        match self._state, ch:
            case (("start" | "end"), "{") if not self.values:
                self._state = "first"
            case "start", '"':
                self._state, self._inner = "inner", ArgumentReader()
            case "end", "}":
                pass  # some models close it twice
            case "start", _:
                raise BrokenArguments(f"the arguments have to be one JSON object, and begin with {ch!r}")
            case (("first" | "key"), '"'):
                self._state, self._name = "name", []
            case (("first" | "after"), "}"):
                self._state = "end"
            case "colon", ":":
                self._state = "value"
            case "value", '"':
                self._state, self._text = "text", []
            case "value", ch if ch not in ",:}]":
                self._state, self._raw, self._depth, self._quoted = "raw", [], 0, False
                self._value(ch, 0)
            case "after", ",":
                self._state = "key"
            case _:
                raise BrokenArguments(f"unexpected {ch!r} at character {self._at - left + 1}")

    def _take(self, piece: str, ended: bool) -> Iterator[MemberText]:
        if self._state == "name":
            self._name.append(piece)
            if ended:
                name = "".join(self._name)
                if name in self.values:
                    raise BrokenArguments(f"{name!r} is given twice")
                self._state, self._name = "colon", [name]
            return
        if piece:
            self._text.append(piece)
        if ended:
            self.values[self._name[0]] = "".join(self._text)
            self._state = "after"
        if piece or ended:
            yield MemberText(self._name[0], piece, ended)

    def _string(self, text: str, at: int) -> tuple[str, int, bool]:
        """Characters of a string from `at`, where what follows begins, and whether it ended. A line break
        that is not escaped counts as one: models write them."""
        text, before = self._held + text[at:], len(self._held)
        found = _STRING.match(text)
        end = found.end() if found else 0
        rest, ended = text[end:], text[end : end + 1] == '"'
        if ended:
            self._held = ""
        elif not rest or _BEGUN.fullmatch(rest):
            half = _FIRST_HALF.search(text, 0, end)
            end = half.start(1) if half else end
            self._held = text[end:]
        else:
            kind, escape = ("unfinished", rest[:6]) if rest[1] == "u" else ("unknown", rest[:2])
            raise BrokenArguments(f"{kind} escape {escape}")
        past = end + 1 if ended else len(text)
        return _scalar(json.loads(f'"{text[:end]}"', strict=False)), at + past - before, ended

    def _value(self, text: str, at: int) -> int:
        """Characters of a value that is no string. Returns where what follows begins."""
        for index in range(at, len(text)):
            ch = text[index]
            if self._quoted:
                if ch == '"' and not self._held:
                    self._quoted = False
                self._held = "" if self._held else ("\\" if ch == "\\" else "")
            elif ch == '"':
                self._quoted = True
            elif ch in "[{":
                self._depth += 1
            elif not self._depth and ch in _ENDED:
                self._raw.append(text[at:index])
                self._end_value()
                return index
            elif ch in "]}":
                self._depth -= 1
        self._raw.append(text[at:])
        return len(text)

    def _end_value(self) -> None:
        raw, self._held = "".join(self._raw), ""
        try:
            self.values[self._name[0]] = json.loads(raw, strict=False)
        except (ValueError, RecursionError):
            raise BrokenArguments(f"{self._name[0]!r} is not JSON: {raw[:60]!r}") from None
        self._state = "after"


def _scalar(text: str) -> str:
    """Halves of pairs would be bytes to a file: they are replaced."""
    if text.isascii() or not any("\ud800" <= ch <= "\udfff" for ch in text):
        return text
    return "".join(_UNKNOWN if "\ud800" <= ch <= "\udfff" else ch for ch in text)
