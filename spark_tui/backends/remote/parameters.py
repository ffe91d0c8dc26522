"""Remembers which parameters of a request a server's model refuses, and leaves them out or renames them."""

from __future__ import annotations

import re
import threading
from typing import Any

from spark_tui.backends.remote.error_bodies import Refusal

_RENAMED = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
_OPTIONAL = (
    "stream_options",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "reasoning_effort",
    "reasoning",
    "thinking",
    "prediction",
    "stop",
    "store",
    "include",
    "tools",
    "stream",
)
"""Parameters that an answer can be had without; the first that the server names counts."""
_NEEDED = {"messages": ("max_tokens",)}
_REFUSING = re.compile(
    r"unsupported|not supported|does not support|doesn't support|unknown|unrecogni[sz]ed|unexpected|extra"
    r"|not permitted|not allowed|invalid|deprecated|must be|cannot be|can't be|forbidden|only the default",
    re.IGNORECASE,
)


class ParameterMemory:
    """What the models of one server refused. Thread-safe."""

    def __init__(self) -> None:
        self._dropped: set[tuple[str, str]] = set()
        self._renamed: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()

    def adapt(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body as this server's model takes it."""
        model = str(body.get("model", ""))
        with self._lock:
            kept = {name: value for name, value in body.items() if (model, name) not in self._dropped}
            return {self._renamed.get((model, name), name): value for name, value in kept.items()}

    def refuses(self, model: str, name: str) -> bool:
        with self._lock:
            return (model, name) in self._dropped

    def learn(self, status: int, refusal: Refusal, sent: dict[str, Any], path: str = "") -> bool:
        """Whether the server refused a parameter that the next request can do without."""
        if status not in (400, 404, 422, 501) or refusal.too_long:
            return False
        said = f"{refusal.parameter} {refusal.said}"
        if not refusal.parameter and not _REFUSING.search(said):
            return False
        name = next((one for one in _OPTIONAL if one in sent and _names(said, one)), "")
        if not name or name in _NEEDED.get(path.strip("/"), ()):
            return False
        model, other = str(sent.get("model", "")), _RENAMED.get(name, "")
        with self._lock:
            # `sent` has its names after renaming: what is refused under both names is left out.
            asked_as = next(
                (old for (of, old), new in self._renamed.items() if (of, new) == (model, name)), name
            )
            if other and _names(said, other) and (model, asked_as) not in self._renamed:
                self._renamed[model, name] = other
            else:
                self._dropped.add((model, asked_as))
        return True


def _names(said: str, name: str) -> bool:
    return re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", said) is not None
