"""Incremental detokenization that never emits part of a character, nor of a stop string.

The emitted pieces, joined, equal the decoded text of all ids. Where the bytes of each token are known
(byte-level BPE, byte fallback) the pieces go through an incremental UTF-8 decoder, which is exact; any other
decoder is called twice per token.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

REPLACEMENT = "\ufffd"
_MAX_HELD = 8
"""Tokens that a windowed decoder may hold back: no character is split over more, so what is left is
damage."""


class Detokenizer(Protocol):
    """`push` returns the text that became certain; `flush` returns the rest and resets the detokenizer."""

    def push(self, token_id: int) -> str: ...

    def flush(self) -> str: ...


def byte_alphabet() -> dict[str, int]:
    """The byte that each printable character of a byte-level vocabulary encodes.

    Bytes that are printable in Latin-1 encode themselves; the other 68 follow from U+0100 on.
    """
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    alphabet = {chr(byte): byte for byte in plain}
    others = [byte for byte in range(256) if byte not in set(plain)]
    alphabet.update({chr(0x100 + place): byte for place, byte in enumerate(others)})
    return alphabet


class ByteDetokenizer:
    """For vocabularies whose tokens are bytes. `strip` leading spaces of the whole text are dropped."""

    def __init__(self, bytes_of: Callable[[int], bytes], strip: int = 0) -> None:
        self._bytes_of = bytes_of
        self._strip = strip
        self._left = strip
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token_id: int) -> str:
        return self._stripped(self._decoder.decode(self._bytes_of(token_id)))

    def flush(self) -> str:
        rest = self._stripped(self._decoder.decode(b"", final=True))
        self._decoder.reset()
        self._left = self._strip
        return rest

    def _stripped(self, text: str) -> str:
        if not self._left or not text:
            return text
        kept = text.removeprefix(" ")
        # Only the very start is stripped: the first character decides.
        self._left = self._left - 1 if kept != text and not kept else 0
        return kept


class WindowDetokenizer:
    """For any other decoder: decode with and without the newest token, and give the difference."""

    def __init__(self, decode: Callable[[list[int]], str]) -> None:
        self._decode = decode
        self._ids: list[int] = []
        self._known = 0
        """Tokens at the front of `_ids` that are given already; they stay as context for the next."""

    def push(self, token_id: int) -> str:
        self._ids.append(token_id)
        before = self._decode(self._ids[: self._known])
        after = self._decode(self._ids)
        held = len(self._ids) - self._known
        if after.endswith(REPLACEMENT) and held < _MAX_HELD:
            return ""
        return self._give(before, after)

    def flush(self) -> str:
        rest = self._give(self._decode(self._ids[: self._known]), self._decode(self._ids))
        self._ids.clear()
        self._known = 0
        return rest

    def _give(self, before: str, after: str) -> str:
        new = after[len(before) :]
        if new:
            # What was just given is the next one's context: a decoder may treat a first token differently.
            self._ids = self._ids[self._known :]
        self._known = len(self._ids)
        return new


class StopTexts:
    """The text up to the first of the stop texts; what might begin one is held back."""

    def __init__(self, stops: Iterable[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.hit = False

    def feed(self, text: str) -> str:
        """The text that is certain. `hit` is set when a stop text was completed; it is not part of the
        text."""
        if not self._stops or self.hit:
            return "" if self.hit else text
        text = self._held + text
        found = [at for at in (text.find(stop) for stop in self._stops) if at >= 0]
        if found:
            self.hit, self._held = True, ""
            return text[: min(found)]
        keep = max(_overlap(text, stop) for stop in self._stops)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def finish(self) -> str:
        """What is left when nothing follows."""
        rest, self._held = self._held, ""
        return rest


def _overlap(text: str, stop: str) -> int:
    """The longest end of `text` that begins `stop`."""
    for size in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:size]):
            return size
    return 0


class TextStream:
    """`push` an id, get the text that can no longer become part of a stop string."""

    def __init__(self, detokenizer: Detokenizer | None, stops: Sequence[str] = ()) -> None:
        self._detokenizer = detokenizer
        self._stops = StopTexts(stops)

    @property
    def stopped(self) -> bool:
        """Whether a stop string was completed."""
        return self._stops.hit

    def push(self, token: int) -> str:
        """The text that is certain."""
        return "" if self._detokenizer is None else self._stops.feed(self._detokenizer.push(token))

    def flush(self) -> str:
        """What is left when nothing follows."""
        if self._detokenizer is None or self.stopped:
            return ""
        return self._stops.feed(self._detokenizer.flush()) + self._stops.finish()
