"""The position of a turn among its windows: which one is being answered, and the answers so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from spark_tui import events
from spark_tui.backends.base import Backend, Exchange, Request, Splice, supports_splices
from spark_tui.session.repetition import Repetition

_NOTHING_TO_DO = "@@ no-edit"
SAID_MORE = "the user said more while this was being written"
"""The outcome of an answer that was steered."""
_WIDER = (8_192, 32_768)
"""Tokens of an answer whose call the limit cut off."""


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """The answer to one request, so far."""

    spliced: tuple[Splice, ...] = ()
    said: tuple[str, ...] = ()
    """Its text before each splice."""
    ids: tuple[int, ...] = ()
    """Token ids after the last splice."""
    text: str = ""

    def with_message(self, message: str) -> WindowAnswer:
        """With a message spliced in at its end."""
        return WindowAnswer((*self.spliced, Splice(self.ids, message)), (*self.said, self.text))

    def restarted(self) -> WindowAnswer:
        """As if nothing had been answered since the last splice."""
        return replace(self, ids=(), text="")


@dataclass(frozen=True, slots=True)
class TurnPosition:
    """The position of a turn between two events: enough to continue, here or in another process."""

    requests: tuple[Request, ...]
    at: int = 0
    """The index of the request that is being answered; there is one a window."""
    answer: WindowAnswer = WindowAnswer()
    """The answer to that one."""
    others: tuple[tuple[int, WindowAnswer], ...] = ()
    """The answers to earlier windows, and to later ones that already got a message."""
    ahead: tuple[int, ...] = ()
    """Requests that are still to be answered, in order."""

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages sent to any window, each once."""
        every = sorted([self.answer, *(one for _, one in self.others)], key=lambda item: -len(item.spliced))
        return tuple(dict.fromkeys(splice.message for item in every for splice in item.spliced))


@dataclass(frozen=True, slots=True)
class MessageRoute:
    """Where a message goes. Without `windows` it goes into the one that was answered last."""

    windows: tuple[Request, ...] = ()
    unanswered: tuple[Request, ...] = ()
    """Windows without a message whose answer is incomplete: they are asked as planned."""


INTO_THE_LAST = MessageRoute()


@dataclass(frozen=True, slots=True)
class HunkBoundary:
    """The place after the token that closed a hunk."""

    at: int
    splices: int
    ids: int
    chars: int


class WindowCursor:
    """Points at one window, whose answer can take more tokens. `position` is all of it, as a value."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests = tuple(requests)
        """One a window."""
        self._at = 0
        self._ahead = list(range(1, len(self.requests)))
        """Windows that are still to be answered, in order."""
        self._others: dict[int, WindowAnswer] = {}
        self._spliced: list[Splice] = []
        self._said: list[str] = []
        self._ids: list[int] = []
        self._text: list[str] = []
        self._repetition = Repetition()
        self._narrow: int | None = 0
        """The limit before it was widened; 0 where it was not, None where it cannot be."""
        self.end_reason = ""
        """How the last answer ended, in the server's word or `repeats`; empty where it does not say."""

    @property
    def position(self) -> TurnPosition:
        return TurnPosition(
            self.requests, self._at, self._answer, tuple(self._others.items()), tuple(self._ahead)
        )

    def move_to(self, position: TurnPosition) -> None:
        self.requests, self._ahead = position.requests, list(position.ahead)
        self._others = {**dict(position.others), position.at: position.answer}
        self._enter(position.at)

    @property
    def request(self) -> Request:
        return self.requests[self._at]

    @property
    def is_last(self) -> bool:
        """Whether no window is left after this one."""
        return not self._ahead

    @property
    def at_limit(self) -> bool:
        """Whether the answer to this window was cut off at its limit: as the server says, else by the number
        of its tokens. A server may ignore the limit, and its pieces need not be tokens."""
        if self.end_reason:
            return self.end_reason in events.CUT_OFF
        return len(self._ids) >= self.request.max_tokens

    @property
    def steered(self) -> bool:
        """Whether any window got a message."""
        return bool(self._spliced) or any(other.spliced for other in self._others.values())

    @property
    def has_nothing_to_do(self) -> bool:
        """Whether a message leaves nothing to do in this window."""
        return bool(self._spliced) and _NOTHING_TO_DO in map(str.strip, self.text.split("\n"))

    def add(self, token: events.Token) -> None:
        """The next token of the answer."""
        self._ids.append(token.id)
        self._text.append(token.text)

    def begin_part(self) -> None:
        """A further part of the answer comes now."""
        self.end_reason = ""
        self._repetition = Repetition([part.text for part in self.request.files])

    def repeats(self, event: events.Event, shown: Callable[[], Iterable[str]] = tuple) -> bool:
        """Whether the answer repeats itself since this event, which ends it. `shown`: texts that the model
        has read besides the files of the request."""
        if isinstance(
            event, events.Token | events.Reasoning | events.ToolArguments
        ) and self._repetition.goes_on(event.text, shown):
            self.end_reason = "repeats"
        return self.end_reason == "repeats"

    def enter_next(self) -> None:
        """Go to the next window that is still to be answered."""
        self._others[self._at] = self._answer
        self._enter(self._ahead.pop(0))

    def begin_answer(self) -> None:
        """What follows is another answer to the same window: that of the next step."""
        self._ids, self._text = [], []

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(self._text)

    def extend_limit(self) -> None:
        """Let the answer to this window have as many tokens again."""
        self._limit_to(len(self._ids) + self.request.max_tokens)

    def widen(self, window: int) -> bool:
        """Let a further answer have more tokens, at most half of the model's window (0: unknown). False where
        it has the most."""
        now, most = self.request.max_tokens, window // 2 or _WIDER[-1]
        more = next((tokens for tokens in _WIDER if now < tokens <= most), 0)
        if self._narrow is None or not more:
            return False
        self._narrow = self._narrow or now
        self._limit_to(more)
        return True

    def narrow(self) -> bool:
        """Take back what `widen` gave, for good, as the server has no such room. False where it gave none."""
        if not self._narrow:
            return False
        self._limit_to(self._narrow)
        self._narrow = None
        return True

    # -- messages

    def deliver(self, message: str, route: MessageRoute) -> None:
        """Splice a message into each window that it is for, and move to the first of them."""
        answers, before = {**self._others, self._at: self._answer}, self._at
        order = {self._index_of(item) for item in route.unanswered} if route.windows else {*self._ahead}
        if before in order:
            answers[before] = answers[before].restarted()
        for window in route.windows or (self.requests[before],):
            at = self._index_of(window)
            answers[at] = answers.get(at, WindowAnswer()).with_message(message)
            order.add(at)
        # What was answered last is warm, so it comes first.
        first, *self._ahead = sorted(order, key=lambda item: (item != before, item))
        self._others = answers
        self._enter(first)

    def boundary(self) -> HunkBoundary:
        """This place, to go back to."""
        return HunkBoundary(self._at, len(self._spliced), len(self._ids), sum(map(len, self._text)))

    def rewind(self, boundary: HunkBoundary, message: str) -> None:
        """Move back to that place and splice a message in there; what came after it is discarded."""
        count = boundary.splices
        ids = self._spliced[count].ids if count < len(self._spliced) else tuple(self._ids)
        text = self._said[count] if count < len(self._said) else self.text
        del self._spliced[count:], self._said[count:]
        self._spliced.append(Splice(tuple(ids[: boundary.ids]), message))
        self._said.append(text[: boundary.chars])
        self._ids, self._text = [], []

    # -- the request

    def next_request(self, backend: Backend) -> Request:
        """What to ask for the rest of the answer to this window."""
        base = self.request
        left = max(0, base.max_tokens - len(self._ids))
        if not self._spliced:
            return replace(base, emitted=tuple(self._ids), max_tokens=left)
        prior, emitted, steer = tuple(self._spliced), tuple(self._ids), ""
        if not emitted:
            prior, emitted, steer = prior[:-1], prior[-1].ids, prior[-1].message
        base = replace(base, emitted=emitted, steer=steer, max_tokens=left)
        # A server that another process talked to is met here: only then is it known what it takes.
        backend.format_for(base)
        if supports_splices(backend):
            return replace(base, spliced=prior)
        for splice, text in zip(prior, self._said, strict=False):
            exchange = Exchange(base.instruction, text, SAID_MORE)
            base = replace(base, history=(*base.history, exchange), instruction=splice.message)
        return base

    # -- inside

    @property
    def _answer(self) -> WindowAnswer:
        return WindowAnswer(tuple(self._spliced), tuple(self._said), tuple(self._ids), self.text)

    def _enter(self, at: int) -> None:
        self._at, answer = at, self._others.pop(at, WindowAnswer())
        self._spliced, self._said = list(answer.spliced), list(answer.said)
        self._ids, self._text = list(answer.ids), [answer.text]

    def _limit_to(self, tokens: int) -> None:
        limited = replace(self.request, max_tokens=tokens)
        self.requests = (*self.requests[: self._at], limited, *self.requests[self._at + 1 :])

    def _index_of(self, request: Request) -> int:
        """The request about these lines; one about others is added to the end."""
        for at, known in enumerate(self.requests):
            if known.files == request.files:
                return at
        self.requests = (*self.requests, request)
        return len(self.requests) - 1
