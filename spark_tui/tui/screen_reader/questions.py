"""A model's question to the person, spoken: the next line that is an answer answers it."""

from __future__ import annotations

import queue
from collections.abc import Callable
from threading import Event as StopFlag

from spark_tui.tools.permission import Answer, PermissionRequest

_ANSWERS: dict[str, Answer] = {"yes": "once", "always": "always", "no": "no"}
_LOOK_SECONDS = 0.05


class SpokenQuestions:
    """Asks in the thread of the turn; `hear` is called with each line typed in the meantime."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._answers: queue.Queue[Answer] | None = None

    def __call__(self, request: PermissionRequest, stop: StopFlag) -> Answer:
        answers = self._answers = queue.Queue()
        self._say(f"{request.title}:\n{request.text}\nSay yes, no, or always ({request.lasting}).")
        try:
            while not stop.is_set():
                try:
                    return answers.get(timeout=_LOOK_SECONDS)
                except queue.Empty:
                    continue
            return "no"
        finally:
            self._answers = None

    def hear(self, text: str) -> bool:
        """Whether the line was the answer to a question."""
        if self._answers is None or text.lower() not in _ANSWERS:
            return False
        self._answers.put(_ANSWERS[text.lower()])
        return True
