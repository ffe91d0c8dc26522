"""Decode ids into text as it becomes certain, and stop at stop strings, which may span tokens."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.engine.text.detokenizer import Detokenizer


class TextStream:
    """`push` an id, get the text that can no longer become part of a stop string."""

    def __init__(self, detokenizer: Detokenizer | None, stops: Sequence[str] = ()) -> None:
        self._detokenizer = detokenizer
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.stopped = False

    def push(self, token: int) -> str:
        """The text that is certain. `stopped` is set when a stop string was completed; it is not part of
        the text."""
        if self._detokenizer is None:
            return ""
        return self._certain(self._detokenizer.push(token))

    def flush(self) -> str:
        """What is left when nothing follows."""
        if self._detokenizer is None or self.stopped:
            return ""
        rest = self._certain(self._detokenizer.flush())
        if not self.stopped:
            rest, self._held = rest + self._held, ""
        return rest

    def _certain(self, new: str) -> str:
        if not self._stops or self.stopped:
            return "" if self.stopped else new
        text = self._held + new
        found = [at for at in (text.find(stop) for stop in self._stops) if at >= 0]
        if found:
            self.stopped, self._held = True, ""
            return text[: min(found)]
        keep = max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]


def _overlap(text: str, stop: str) -> int:
    """The longest end of `text` that begins `stop`."""
    for size in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:size]):
            return size
    return 0
