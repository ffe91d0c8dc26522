"""A backend that gives every request the same answer, and an edit for it to give."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as StopFlag

from spark_tui.backends.base import Request
from spark_tui.events import Doubt, Event, Token

BEFORE = "a = 1\nb = 2\nc = 3\n"
EDIT = "*** m.py\n@@ 2,3\n+b = 20\n"


class FixedAnswer:
    """Answers every request with the same text; keeps the requests."""

    name = "rote"
    window = 4096

    def __init__(self, text: str, *, doubt: bool = False) -> None:
        self.text, self.doubt, self.requests = text, doubt, list[Request]()

    def format_for(self, request: Request) -> str:
        return "lines"

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        self.requests.append(request)
        for number, character in enumerate(self.text):
            yield Token(number, character, logprob=-0.01)
            if self.doubt and number == self.text.index("\n"):
                yield Doubt(1, 0.2)

    def count_tokens(self, text: str) -> int:
        return len(text)

    def close(self) -> None:
        pass
