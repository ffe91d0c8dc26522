"""Pieces that every protocol's client makes of an answer: text, folded reasoning, tool calls and counts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from spark_tui.backends.base import Request
from spark_tui.backends.remote.channel_tags import BEGINNINGS, ChannelTags
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.repeated_start import RepeatedStart
from spark_tui.backends.remote.sendable_text import whole_characters
from spark_tui.events import (
    AnswerEnded,
    Event,
    PrefillProgress,
    Reasoning,
    Token,
    ToolArguments,
    ToolCallEnded,
    ToolCallStarted,
)

_OPEN, _CLOSE = "<think>", "</think>"
_MOST_CALLS = 200
_MOST_TOKENS = 1 << 40


def tokens(pieces: PieceIds, text: object) -> Iterator[Token]:
    """A token with a new id for a piece of text that is not empty."""
    if isinstance(text, str) and text:
        yield Token(pieces.keep(text), text)


def reasoning(text: object) -> Iterator[Reasoning]:
    if isinstance(text, str) and text:
        yield Reasoning(whole_characters(text))


class PairJoiner:
    """Joins a character that is cut between two pieces: some servers count in UTF-16."""

    def __init__(self) -> None:
        self._half = ""

    def join(self, text: str) -> str:
        """The text so far without a first half at its end, which is kept for the next piece."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return whole_characters(text.removesuffix(self._half))

    def end(self) -> str:
        half, self._half = self._half, ""
        return whole_characters(half)


def as_object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def count(value: object) -> int:
    """A count of a server's; 0 where it is none."""
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS
    return value if fits and isinstance(value, int) else 0


class AnswerText:
    """The text of one answer. A `<think>` block before it is reasoning; one inside it is left as it is. What
    it repeats of the `begun` answer is left out. Of channels, those of calls go to `calls`."""

    def __init__(self, pieces: PieceIds, begun: str, calls: ToolCallReader | None) -> None:
        self._pieces = pieces
        self._calls = calls
        self._channels = ChannelTags()
        self._message = 0
        """The last one with text."""
        self._repeated = RepeatedStart(begun)
        self._state = "begin"
        self._held = ""
        self._pairs = PairJoiner()

    def feed(self, text: object) -> Iterator[Event]:
        if not isinstance(text, str) or not (text := self._pairs.join(text)):
            return
        if self._state == "text":
            yield from tokens(self._pieces, self._repeated.feed(text))
            return
        self._held += text
        if self._state == "begin":
            bare = self._held.lstrip()
            if any(tag.startswith(bare) and tag != bare for tag in (_OPEN, *BEGINNINGS)):
                return
            if bare.startswith(BEGINNINGS):
                self._state = "channels"
            elif bare.startswith(_OPEN):
                self._state, self._held = "thinking", bare[len(_OPEN) :]
            else:
                yield from self._release()
                return
        if self._state == "channels":
            held, self._held = self._held, ""
            yield from self._divided(self._channels.feed(held))
            return
        thought, closed, rest = self._held.partition(_CLOSE)
        if closed:
            yield from reasoning(thought)
            self._state, self._held = "gap", rest
        if self._state == "thinking":
            # The beginning of the closing tag may be at the end.
            keep = next((n for n in range(len(_CLOSE) - 1, 0, -1) if thought.endswith(_CLOSE[:n])), 0)
            self._held = thought[len(thought) - keep :]
            yield from reasoning(thought[: len(thought) - keep])
        elif self._state == "gap" and self._held.strip():
            self._held = self._held.lstrip()
            yield from self._release()

    def _divided(self, texts: Iterator[str]) -> Iterator[Event]:
        channels = self._channels
        for text in texts:
            if channels.called:
                if self._calls is not None:
                    yield from self._calls.part(f"channel {channels.number}", None, channels.called, text)
            elif channels.thinks:
                yield from reasoning(text)
            else:
                gap = "\n" if 0 < self._message < channels.number else ""
                self._message = channels.number
                yield from tokens(self._pieces, self._repeated.feed(gap + text))

    def finish(self) -> Iterator[Event]:
        """What was held back."""
        self._held += self._pairs.end()
        yield from self._divided(self._channels.finish())
        yield from self._release()
        yield from tokens(self._pieces, self._repeated.finish())

    def _release(self) -> Iterator[Event]:
        held, self._held = self._held, ""
        if self._state == "thinking":
            yield from reasoning(held)
            return
        if self._state != "gap" or held.strip():
            yield from tokens(self._pieces, self._repeated.feed(held))
        self._state = "text"


@dataclass(slots=True)
class ToolCallReader:
    """Makes tool pieces of calls that arrive in parts, several at a time, with or without an id."""

    prefix: str = "call"
    _names: dict[object, str] = field(default_factory=dict)
    """Place in the answer = id of the call."""
    _open: list[str] = field(default_factory=list)
    _pairs: defaultdict[str, PairJoiner] = field(default_factory=lambda: defaultdict(PairJoiner))
    called: int = 0

    def part(self, place: object, call_id: object, name: object, arguments: object) -> Iterator[Event]:
        """One part of the call at `place`. A part without a place belongs to the newest call, unless it has
        an id or a name of its own."""
        if place is None and not call_id and not name and self._names:
            place = next(reversed(self._names))
        elif place is None:
            place = call_id or f"#{self.called}"
        if self._begins(place, call_id, name):
            if self.called >= _MOST_CALLS or not (name or arguments):
                return
            given = call_id if isinstance(call_id, str) and call_id else f"{self.prefix}_{self.called}"
            taken = given in self._open or given in self._names.values()
            self._names[place] = given = f"{given}_{self.called}" if taken else given
            self._open.append(given)
            self.called += 1
            yield ToolCallStarted(given, name if isinstance(name, str) else "")
        known = self._names.get(place)
        if known is None or known not in self._open:
            return
        if isinstance(arguments, dict):
            # Some servers send the arguments decoded.
            arguments = json.dumps(arguments, ensure_ascii=False)
        if isinstance(arguments, str) and (arguments := self._pairs[known].join(arguments)):
            yield ToolArguments(known, arguments)

    def end(self, place: object) -> Iterator[Event]:
        known = self._names.get(place)
        if known in self._open:
            self._open.remove(str(known))
            yield ToolCallEnded(str(known))

    def end_all(self) -> Iterator[Event]:
        for known in self._open:
            yield ToolCallEnded(known)
        self._open.clear()

    def _begins(self, place: object, call_id: object, name: object) -> bool:
        known = self._names.get(place)
        if known is None:
            return True
        # Servers that number every call 0 tell them apart by their ids.
        return isinstance(call_id, str) and bool(call_id and name) and not known.startswith(call_id)


@dataclass(slots=True)
class AnswerCounts:
    """How an answer ended and what it took, as the server says it in several events."""

    reason: str = ""
    prompt: int = 0
    cached: int = 0
    output: int = 0
    thought: int = 0

    def events(self) -> Iterator[Event]:
        if self.prompt:
            yield PrefillProgress(self.prompt, self.prompt, min(self.cached, self.prompt))
        yield AnswerEnded(self.reason, self.output, self.thought)


class AnswerReader:
    """What one answer is read into, in any protocol."""

    def __init__(self, request: Request, pieces: PieceIds) -> None:
        self.calls = ToolCallReader(f"call_{len(request.steps)}")
        self.counts = AnswerCounts()
        self.takes_calls = bool(request.tools)
        """Calls of tools that were not offered are passed over."""
        begun = "" if request.steer else pieces.text(request.emitted)
        self.text = AnswerText(pieces, begun, self.calls if self.takes_calls else None)

    def finish(self) -> Iterator[Event]:
        yield from self.text.finish()
        yield from self.calls.end_all()
        yield from self.counts.events()


class ProtocolClient:
    """One model of one server. Connections belong to the endpoint."""

    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds, effort: str = "") -> None:
        self._endpoint = endpoint
        self._model = model
        self._pieces = pieces
        self._effort = effort

    @property
    def takes_tools(self) -> bool:
        return not self._endpoint.parameters.refuses(self._model, "tools")

    def close(self) -> None:
        """Nothing to close."""
