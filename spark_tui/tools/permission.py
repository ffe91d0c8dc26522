"""Asks the person before a model runs a command or calls another program's tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event as StopFlag
from typing import Literal

Answer = Literal["once", "always", "no"]


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """What a model wants to do. `text` is shown whole: it is what would happen."""

    title: str
    text: str
    lasting: str = "in this session"
    """How long the answer `always` holds."""


Ask = Callable[[PermissionRequest, StopFlag], Answer]
"""The question of a front end to the person. It returns `no` once the flag is set."""


class Permissions:
    """The person's answers of one session. Without a front end that can ask, nothing is allowed."""

    def __init__(self, ask: Ask | None = None) -> None:
        self.ask = ask
        self._always: set[PermissionRequest] = set()

    def answer(self, request: PermissionRequest, stop: StopFlag) -> Answer:
        if request in self._always:
            return "always"
        found = self.ask(request, stop) if self.ask is not None else "no"
        if found == "always":
            self._always.add(request)
        return found
