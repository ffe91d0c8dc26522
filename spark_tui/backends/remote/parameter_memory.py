"""What a server's models refused of a request, so that the next one does without.

Beside parameters these are things of its messages: one of the system, text beside calls, reasoning of its own
that was sent back, or is missing.
"""

from __future__ import annotations

import re
import threading
from typing import Any

from spark_tui.backends.remote.error_bodies import Refusal

_RENAMED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
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
_SPOKEN = {"tools": r"tools|tool (?:choice|use|calling|role|messages?)|role:? .?tool|function calling"}
"""Words for a parameter that a server does not call by its name."""
_REFUSING = re.compile(
    r"unsupported|not supported|(?:does not|doesn't|that) support|unknown|unrecogni[sz]ed|unexpected|extra"
    r"|not permitted|not allowed|invalid|deprecated|must be|cannot be|can't be|forbidden|only the default"
    r"|requires?\b",
    re.IGNORECASE,
)
_NO_SYSTEM = re.compile(r"system role|roles must alternate|only user and assistant roles", re.IGNORECASE)
"""What the templates of some models say of a message of the system."""
_ORDER = re.compile(
    r"(?:tool|function)[^.]{0,80}(?:must (?:be|follow|have)\b[^.]{0,40}(?:respon|preced|follow|call)|preced"
    r"|did not have|without a)|(?:tool_call_id|tool_use_id|tool_result|tool_use`? ids?)\b",
    re.IGNORECASE,
)
"""Words about calls and their results that do not fit each other, rather than about tools."""
_TEXT_OR_CALLS = re.compile(r"either content or tool_calls|content (?:and|with) tool_calls", re.IGNORECASE)
_WANTED = re.compile(r"missing|passed back", re.IGNORECASE)
_WINDOW = re.compile(r"context length (?:is|of)(?: only)? (\d+)|must be <= `?(\d+)", re.IGNORECASE)
_PROMPT = re.compile(r"(\d+) in the messages|(\d+) input tokens|given: `?(\d+)`? `?inputs", re.IGNORECASE)
_LIMITS = ("max_tokens", "max_completion_tokens")
_FEWEST = 256
"""Tokens for which an answer is worth asking."""
SENT_BACK = ("reasoning_content", "reasoning_details")
"""Members of a message of the model that some servers want back with the calls that follow from them."""


class ParameterMemory:
    """What the models of one server refused. Thread-safe."""

    def __init__(self) -> None:
        self._dropped: set[tuple[str, str]] = set()
        self._renamed: dict[tuple[str, str], str] = {}
        self._windows: dict[str, tuple[int, float]] = {}
        """Tokens of the window, and of a character of a prompt, where one left too little room."""
        self._lock = threading.Lock()

    def adapt(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body as this server's model takes it."""
        model = str(body.get("model", ""))
        with self._lock:
            dropped = {name for of, name in self._dropped if of == model}
            kept = {name: value for name, value in body.items() if name not in dropped}
            adapted = {self._renamed.get((model, name), name): value for name, value in kept.items()}
            window, rate = self._windows.get(model, (0, 0.0))
        if "messages" in adapted:
            adapted["messages"] = _as_taken(adapted["messages"], dropped)
        for name in _LIMITS if window else ():
            if name in adapted:
                adapted[name] = min(adapted[name], max(_room(window, _size(adapted) * rate), _FEWEST))
        return adapted

    def refuses(self, model: str, name: str) -> bool:
        with self._lock:
            return (model, name) in self._dropped

    def learn(self, status: int, refusal: Refusal, sent: dict[str, Any], path: str = "") -> bool:
        """Whether the server refused a parameter that the next request can do without."""
        refused = f"{refusal.parameter} {refusal.said}"
        if status == 500 and not (_names(refused, "tools") or _NO_SYSTEM.search(refused)):
            return False
        model = str(sent.get("model", ""))
        if refusal.too_long:
            return self._shortened(model, refusal.said, sent)
        if status not in (400, 404, 422, 500, 501):
            return False
        if of_messages := _of_messages(refused, sent.get("messages", [])):
            with self._lock:
                known = (model, of_messages) in self._dropped
                self._dropped.add((model, of_messages))
            return not known
        if not refusal.parameter and not _REFUSING.search(refused):
            return False
        name = next((item for item in _OPTIONAL if item in sent and _names(refused, item)), "")
        if not name or name in _NEEDED.get(path.strip("/"), ()):
            return False
        other = _RENAMED.get(name, "")
        with self._lock:
            # `sent` has its names after renaming: what is refused under both names is left out.
            asked_as = next(
                (old for (of, old), new in self._renamed.items() if (of, new) == (model, name)), name
            )
            if other and _names(refused, other) and (model, asked_as) not in self._renamed:
                self._renamed[model, name] = other
            else:
                self._dropped.add((model, asked_as))
        return True

    def _shortened(self, model: str, said: str, sent: dict[str, Any]) -> bool:
        """Whether the prompt fits the window beside a shorter answer than was asked for."""
        window, prompt = _number(_WINDOW, said), _number(_PROMPT, said)
        room = _room(window, prompt) if window and prompt else 0
        if not _FEWEST <= room < max(sent.get(name, 0) for name in _LIMITS):
            return False
        with self._lock:
            self._windows[model] = window, prompt / max(_size(sent), 1)
        return True


def _room(window: int, prompt: float) -> int:
    return window - round(prompt) - _FEWEST // 16


def _size(body: dict[str, Any]) -> int:
    """Of a prompt, in characters."""
    return sum(len(str(body[name])) for name in ("messages", "tools") if name in body)


def _number(form: re.Pattern[str], text: str) -> int:
    found = form.search(text)
    return int(next(filter(None, found.groups()))) if found else 0


def _of_messages(refused: str, messages: list[dict[str, Any]]) -> str:
    """What of the messages a refusal is about; empty where it is about none of it."""
    if _NO_SYSTEM.search(refused) and messages and messages[0].get("role") == "system":
        return "system"
    if _NO_SYSTEM.search(refused) and any(one.get("role") == "tool" for one in messages):
        return "tools"
    if _ORDER.search(refused) and any(one.get("role") == "tool" for one in messages):
        return "calls of messages"
    if _TEXT_OR_CALLS.search(refused):
        return "text beside calls"
    if _WANTED.search(refused) and _names(refused, SENT_BACK[0]):
        return "missing reasoning"
    sent = {name for message in messages for name in message}
    if not _REFUSING.search(refused):
        return ""
    return next((name for name in SENT_BACK if name in sent and _names(refused, name)), "")


def _as_taken(messages: list[dict[str, Any]], dropped: set[str]) -> list[dict[str, Any]]:
    if "system" in dropped:
        # It is the beginning of the person's.
        system, first, *rest = messages
        messages = [{**first, "content": f"{system['content']}\n\n{first['content']}"}, *rest]
    if dropped & {"tools", "calls of messages"} and any(one.get("role") == "tool" for one in messages):
        messages = _without_calls(messages)
    if "text beside calls" in dropped:
        messages = [{**one, "content": None} if one.get("tool_calls") else one for one in messages]
    if "missing reasoning" in dropped:
        empty = {SENT_BACK[0]: ""}
        messages = [{**empty, **one} if one.get("role") == "assistant" else one for one in messages]
    out = dropped & {*SENT_BACK}
    return [{name: part for name, part in one.items() if name not in out} for one in messages]


def _without_calls(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages with what was called and answered as text; roles alternate."""
    out: list[dict[str, Any]] = []
    for message in messages:
        role, texts = message["role"], [message.get("content") or ""]
        for call in message.get("tool_calls") or ():
            texts.append("{name}({arguments})".format(**call["function"]))
        role = "user" if role == "tool" else role
        if out and out[-1]["role"] == role:
            texts.insert(0, out.pop()["content"])
        out.append({"role": role, "content": "\n\n".join(filter(None, texts))})
    return out


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w)(?:{_SPOKEN.get(name, re.escape(name))})(?!\w)", text, re.I) is not None
