"""Pieces that every protocol's client makes of an answer: text, folded reasoning, tool calls and counts."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from spark_tui.backends.base import Request
from spark_tui.backends.remote.channel_tags import BEGINNINGS, ChannelTags
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.repeated_start import RepeatedStart
from spark_tui.backends.remote.sendable_text import whole_characters
from spark_tui.backends.remote.thinking_tags import (
    CLOSING,
    TAGS,
    ThinkingHabit,
    begins_edit,
    closed_at,
    holds_edit,
)
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
    """The text of one answer. Reasoning between tags before it, or as the model's `habit` is before a closing
    one, is told apart; inside of it tags are left as they are. What it repeats of the `begun` answer is left
    out. Of channels, those of calls go to `calls`."""

    def __init__(
        self, pieces: PieceIds, begun: str, calls: ToolCallReader | None, habit: ThinkingHabit
    ) -> None:
        self._pieces = pieces
        self._calls = calls
        self._channels = ChannelTags()
        self._message = 0
        """The last one with text."""
        self._repeated = RepeatedStart(begun)
        self._state = "begin"
        self._closing = ""
        """The tag that ends the reasoning; empty while it may be none."""
        self._thought: list[str] = []
        """What may be reasoning."""
        self._habit = habit
        self._unopened = habit.begins and not begun
        self._said: list[str] = []
        self._held = ""
        self._pairs = PairJoiner()

    def thinks_apart(self) -> None:
        """The server tells reasoning from text."""
        self._unopened = False

    def feed(self, text: object) -> Iterator[Event]:
        if not isinstance(text, str) or not (text := self._pairs.join(text)):
            return
        if self._state == "text":
            yield from self._say(text)
            return
        self._held += text
        if self._state == "begin":
            bare = self._held.lstrip()
            if any(tag.startswith(bare) and tag != bare for tag in (*TAGS, *BEGINNINGS)):
                return
            opening = next((tag for tag in TAGS if bare.startswith(tag)), "")
            if bare.startswith(BEGINNINGS):
                self._state = "channels"
            elif opening:
                self._state, self._closing, self._held = "thinking", TAGS[opening], bare[len(opening) :]
            elif self._unopened and (edits := begins_edit(bare)) is not True:
                if edits is None:
                    return
                self._state = "thinking"
            else:
                yield from self._release()
                return
        if self._state == "channels":
            held, self._held = self._held, ""
            yield from self._divided(self._channels.feed(held))
            return
        if self._state == "thinking":
            yield from self._think()
        if self._state == "gap" and self._held.strip():
            self._held = self._held.lstrip()
            yield from self._release()

    def _think(self) -> Iterator[Event]:
        closing = self._closing or CLOSING
        at = self._held.find(closing)
        if at >= 0 and not self._closing:
            thought = "".join(self._thought)
            at = closed_at(thought + self._held, len(thought)) - len(thought)
        if at >= 0:
            yield from reasoning(self._held[:at])
            self._state, self._held = "gap", self._held[at + len(closing) :]
            return
        # The beginning of the closing tag may be at the end.
        ends = (n for n in range(len(closing) - 1, 0, -1) if self._held.endswith(closing[:n]))
        cut = len(self._held) - next(ends, 0)
        thought, self._held = self._held[:cut], self._held[cut:]
        self._thought.append(thought)
        yield from reasoning(thought)

    def _say(self, text: str) -> Iterator[Event]:
        self._said.append(text)
        yield from tokens(self._pieces, self._repeated.feed(text))

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

    def finish(self, *, cut: bool = False) -> Iterator[Event]:
        """What was held back. Unless it was `cut` off, what no tag opened or closed was
        no reasoning, and an edit behind an opening tag alone is read."""
        self._held += self._pairs.end()
        yield from self._divided(self._channels.finish())
        if cut and self._state == "begin" and self._unopened and not begins_edit(self._held.lstrip()):
            self._state = "thinking"
        if self._state == "thinking" and not (cut or (self._calls and self._calls.called)):
            thought = "".join(self._thought) + self._held
            if not self._closing or holds_edit(thought):
                self._habit.begins = self._habit.begins and bool(self._closing)
                self._state, self._held = "begin", thought
        yield from self._release()
        yield from tokens(self._pieces, self._repeated.finish())
        self._habit.learn("".join(self._said))

    def _release(self) -> Iterator[Event]:
        held, self._held = self._held, ""
        if self._state == "thinking":
            yield from reasoning(held)
            return
        if self._state != "gap" or held.strip():
            yield from self._say(held)
        self._state = "text"


@dataclass(slots=True)
class _Call:
    """One call, as far as it has come."""

    id: str
    name: str
    given: str = ""
    """What the server calls it."""
    said: list[str] = field(default_factory=list)
    pairs: PairJoiner = field(default_factory=PairJoiner)
    ended: bool = False

    def repeats(self, text: str) -> bool:
        """Whether it has been whole with this text: the last event of a stream may say all of it again."""
        return (
            text.lstrip().startswith("{") and self.is_whole() and text.strip() == "".join(self.said).strip()
        )

    def is_whole(self) -> bool:
        """Whether its arguments are an object to the end."""
        if not self.said or not self.said[-1].rstrip().endswith("}"):
            return False
        try:
            return isinstance(json.loads("".join(self.said), strict=False), dict)
        except (ValueError, RecursionError):
            return False


@dataclass(slots=True)
class ToolCallReader:
    """Makes tool pieces of calls that arrive in parts, several at a time, with or without an id."""

    prefix: str = "c0000"
    taken: Container[str] = ()
    """Ids of calls of earlier answers: some servers count from 0 in each."""
    _calls: dict[str, _Call] = field(default_factory=dict)
    """By their ids."""
    _places: dict[object, _Call] = field(default_factory=dict)
    """The last call at each place in the answer."""

    @property
    def called(self) -> int:
        return len(self._calls)

    def part(self, place: object, call_id: object, name: object, arguments: object) -> Iterator[Event]:
        """One part of the call at `place`. A part without a place or an id belongs to the newest call, unless
        that is whole."""
        if isinstance(arguments, dict):
            # Some servers send the arguments decoded.
            arguments = json.dumps(arguments, ensure_ascii=False)
        call_id = call_id if isinstance(call_id, str) else ""
        text = arguments if isinstance(arguments, str) else ""
        if place is not None or call_id:
            place = call_id if place is None else place
            known = self._places.get(place)
        else:
            known = next(reversed(self._calls.values()), None)
            if known is not None and name and name != known.name:
                known = None
        if known is None or self._is_another(known, call_id, name, text):
            if self.called >= _MOST_CALLS or not (name or text):
                return
            if not name and known is not None:
                name = known.name
            # Templates of Mistral's models insist on nine letters and digits.
            own = f"{self.prefix}{self.called:04}"
            given = own if not call_id or call_id in self.taken else call_id
            given = f"{given}_{self.called}" if given in self._calls else given
            known = self._calls[given] = _Call(given, name if isinstance(name, str) else "", call_id)
            self._places[given if place is None else place] = known
            yield ToolCallStarted(known.id, known.name)
        if known.ended or known.repeats(text) or not (text := known.pairs.join(text)):
            return
        known.said.append(text)
        yield ToolArguments(known.id, text)

    def end(self, place: object) -> Iterator[Event]:
        if (call := self._places.get(place)) is not None:
            yield from self._end(call)

    def end_all(self) -> Iterator[Event]:
        for call in self._calls.values():
            yield from self._end(call)

    def _end(self, call: _Call) -> Iterator[Event]:
        if not call.ended:
            call.ended = True
            yield ToolCallEnded(call.id)

    def _is_another(self, known: _Call, call_id: str, name: object, text: str) -> bool:
        """Whether a part is of another call than the last one at its place: some servers number every call 0,
        and tell them apart by their ids, or not at all."""
        if call_id:
            return bool(name) and known.given != call_id
        # Without a name, what follows an empty object is the arguments of the same call.
        fresh = bool(name) or known.said != ["{}"]
        begins = (text.lstrip().startswith("{") and fresh) or (bool(name) and name != known.name)
        return begins and known.is_whole() and not known.repeats(text)


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

    def __init__(self, request: Request, pieces: PieceIds, habit: ThinkingHabit) -> None:
        taken = {call.id for step in request.steps for call in step.calls}
        self.calls = ToolCallReader(f"c{len(request.steps):04}", taken)
        self.counts = AnswerCounts()
        self.takes_calls = bool(request.tools)
        """Calls of tools that were not offered are passed over."""
        begun = "" if request.steer else pieces.text(request.emitted)
        self.text = AnswerText(pieces, begun, self.calls if self.takes_calls else None, habit)

    def finish(self) -> Iterator[Event]:
        yield from self.text.finish(cut=self.counts.reason == "length")
        yield from self.calls.end_all()
        yield from self.counts.events()


class ProtocolClient:
    """One model of one server. Connections belong to the endpoint."""

    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds, effort: str = "") -> None:
        self._endpoint = endpoint
        self._model = model
        self._pieces = pieces
        self._effort = effort
        self._habit = ThinkingHabit(model)

    @property
    def takes_tools(self) -> bool:
        return not self._endpoint.parameters.refuses(self._model, "tools")

    def close(self) -> None:
        """Nothing to close."""
