"""The signed reasoning of Anthropic's answers. In a loop of tools it goes back, unchanged, before the calls
that followed from it; without it the model may not think between its calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KINDS = ("thinking", "redacted_thinking")
_MOST_ANSWERS = 256
_GROWING = {"thinking_delta": "thinking", "signature_delta": "signature"}


class ThinkingReader:
    """Puts together the blocks of one answer."""

    def __init__(self) -> None:
        self._blocks: dict[object, dict[str, Any]] = {}

    def begin(self, place: object, block: Mapping[str, Any]) -> None:
        if block.get("type") in _KINDS:
            self._blocks[place] = dict(block)

    def delta(self, place: object, delta: Mapping[str, Any]) -> None:
        member = _GROWING.get(str(delta.get("type")))
        block, more = self._blocks.get(place), delta.get(member) if member else None
        if block is not None and member and isinstance(more, str):
            block[member] = f"{block.get(member) or ''}{more}"

    @property
    def signed(self) -> list[dict[str, Any]]:
        """The blocks that a server takes back."""
        return [one for one in self._blocks.values() if one.get("signature") or one.get("data")]


class ThinkingBlocks:
    """The blocks of the last answers that called tools, by the id of their first call."""

    def __init__(self) -> None:
        self._of: dict[str, list[dict[str, Any]]] = {}

    def keep(self, call_id: str, blocks: list[dict[str, Any]]) -> None:
        if call_id and blocks:
            self._of[call_id] = blocks
            while len(self._of) > _MOST_ANSWERS:
                del self._of[next(iter(self._of))]

    def before(self, call_id: str) -> list[dict[str, Any]]:
        return self._of.get(call_id, [])
