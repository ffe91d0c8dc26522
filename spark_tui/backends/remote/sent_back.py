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


@dataclass(slots=True)
class Sent:
    """What came of one answer."""

    members: dict[str, Any] = field(default_factory=dict)

    def note(self, delta: dict[str, Any]) -> None:
        if isinstance(text := delta.get(_TEXT), str) and text:
            self.members[_TEXT] = self.members.get(_TEXT, "") + text
        if isinstance(parts := delta.get(_PARTS), list):
            known = self.members.setdefault(_PARTS, [])
            for part in parts:
                _join(known, part)


def _join(known: list[Any], part: Any) -> None:
    """Add a part of the reasoning, or join it to the last one, which it may go on with."""
    last = known[-1] if known else None
    if not isinstance(part, dict) or not isinstance(last, dict) or not _is_more(part, last):
        known.append(part)
        return
    for name, value in part.items():
        if name in _GROWING and isinstance(value, str):
            last[name] = (last.get(name) or "") + value
        elif value is not None:
            last[name] = value


def _is_more(part: dict[str, Any], last: dict[str, Any]) -> bool:
    return "index" in part and all(part.get(name) == last.get(name) for name in ("type", "index"))


class SentBack:
    """The members of the last answers with calls, by the ids of their calls."""

    def __init__(self) -> None:
        self._messages: dict[str, dict[str, Any]] = {}
        self._calls: dict[str, Any] = {}

    def keep(self, call_id: str, sent: Sent) -> None:
        if sent.members:
            _put(self._messages, call_id, sent.members)

    def keep_call(self, call_id: str, call: dict[str, Any]) -> None:
        if call.get(_OF_CALL):
            _put(self._calls, call_id, call[_OF_CALL])

    def of_message(self, calls: Iterable[ToolCall]) -> dict[str, Any]:
        return next((self._messages[call.id] for call in calls if call.id in self._messages), {})

    def of_call(self, call_id: str) -> dict[str, Any]:
        return {_OF_CALL: self._calls[call_id]} if call_id in self._calls else {}


def _put(table: dict[str, Any], key: str, value: Any) -> None:
    table[key] = value
    while len(table) > _MOST_CALLS:
        del table[next(iter(table))]
