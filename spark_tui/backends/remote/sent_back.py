"""What a chat server wants back as it sent it: the reasoning before calls, and signatures of the calls.

DeepSeek and Kimi refuse a step without the `reasoning_content` of its calls, Gemini one without the signature
in `extra_content`, and OpenRouter passes `reasoning_details` on to providers that sign theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from spark_tui.backends.remote.parameter_memory import SENT_BACK
from spark_tui.backends.tool_calls import ToolCall

_TEXT, _PARTS = SENT_BACK
_OF_CALL = "extra_content"
_MOST_CALLS = 4096
_GROWING = ("text", "summary", "data")


class _Pieces(list[str]):
    """A text that comes in pieces."""

    @property
    def joined(self) -> str:
        """All of it; it is one piece from then on."""
        self[:] = ["".join(self)]
        return self[0]


@dataclass(slots=True)
class Sent:
    """What came of one answer."""

    _text: _Pieces = field(default_factory=_Pieces)
    _parts: list[Any] = field(default_factory=list)

    def note(self, delta: dict[str, Any]) -> None:
        if isinstance(text := delta.get(_TEXT), str):
            self._text.append(text)
        for part in parts if isinstance(parts := delta.get(_PARTS), list) else ():
            _join(self._parts, part)

    @property
    def members(self) -> dict[str, Any]:
        """The members of the message that goes back; those that came with nothing are left out."""
        found = {_TEXT: self._text.joined, _PARTS: [_whole(part) for part in self._parts]}
        return {name: value for name, value in found.items() if value}


def _join(known: list[Any], part: Any) -> None:
    """Add a part of the reasoning, or join it to the last one, which it may go on with."""
    last = known[-1] if known else None
    if not isinstance(part, dict):
        known.append(part)
        return
    if not isinstance(last, dict) or not _is_more(part, last):
        last = dict.fromkeys(part)
        known.append(last)
    for name, value in part.items():
        if name in _GROWING and isinstance(value, str):
            if not isinstance(pieces := last.get(name), _Pieces):
                pieces = last[name] = _Pieces()
            pieces.append(value)
        elif value is not None:
            last[name] = value


def _whole(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    return {name: value.joined if isinstance(value, _Pieces) else value for name, value in part.items()}


def _is_more(part: dict[str, Any], last: dict[str, Any]) -> bool:
    return "index" in part and all(part.get(name) == last.get(name) for name in ("type", "index"))


class SentBack:
    """The members of the last answers with calls, by the ids of their calls."""

    def __init__(self) -> None:
        self._messages: dict[str, Sent] = {}
        self._calls: dict[str, Any] = {}

    def keep(self, call_id: str, sent: Sent) -> None:
        """An answer in which this call begins. An id that spark gave stands again for a call of each turn."""
        _put(self._messages, call_id, sent)

    def keep_call(self, call_id: str, call: dict[str, Any], *, begins: bool) -> None:
        if begins:
            self._calls.pop(call_id, None)
        if call.get(_OF_CALL):
            _put(self._calls, call_id, call[_OF_CALL])

    def of_message(self, calls: Iterable[ToolCall]) -> dict[str, Any]:
        return next((self._messages[call.id].members for call in calls if call.id in self._messages), {})

    def of_call(self, call_id: str) -> dict[str, Any]:
        return {_OF_CALL: self._calls[call_id]} if call_id in self._calls else {}


def _put(table: dict[str, Any], key: str, value: Any) -> None:
    table[key] = value
    while len(table) > _MOST_CALLS:
        del table[next(iter(table))]
