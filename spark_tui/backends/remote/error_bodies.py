"""Reads the message, the code and the retry time out of a server's error body, whatever its shape."""

from __future__ import annotations

import ast
import json
import re
import warnings
from dataclasses import dataclass, replace
from typing import Any

from spark_tui.backends.remote import retry_times
from spark_tui.backends.remote.other_bodies import OtherBody

_MOST_CHARS = 500
_MOST_READ = 4000
_MOST_ITEMS = 3
_DEEPEST = 6
_WORDS = ("message", "detail", "error", "errors", "msg", "error_description", "reason", "title")
"""Members that hold the words, or an object that does; the first that says something counts."""
_TOO_LONG = re.compile(
    r"context (?:length|window|size|limit)|context_length_exceeded|maximum (?:context|prompt|model length)"
    r"|context shift is disabled|max_model_len|reduce the length of"
    r"|(?:prompt|input)(?: is)? too long|prompt exceeds max|input length (?:.*exceeds|should be)"
    r"|max_new_tokens` must be|inputs`? must have less than"
    r"|(?:exceed\w*|too many)\b(?!.*completion).*(?<![\w_])tokens?\b|(?<![\w_])tokens?\b.*exceed",
    re.IGNORECASE,
)
_UNPAID = re.compile(
    r"insufficient_quota|billing_hard_limit_reached|credit balance|insufficient balance", re.I
)
_NO_MODEL = re.compile(
    r"model_not_found|invalid[ _]model\b(?! param)|(?:unknown|no such|not a valid) model"
    r"|\bmodel\b[^.]{0,80}(?:not found|not exist)",
    re.IGNORECASE,
)
_MODEL = re.compile(r"\bmodel\b", re.IGNORECASE)
"""Not of a path, as `/v1/models`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the server said. `said` is empty where it said nothing."""

    said: str = ""
    code: str = ""
    retry_after: float = 0.0
    parameter: str = ""
    """The parameter that it refused, where it names one."""
    page: str = ""
    """What page answered in its place."""
    moved_to: str = ""
    """The address that it redirects to."""
    written: str = ""
    """What the model wrote, where the server could not read a call in it."""

    @property
    def too_long(self) -> bool:
        """Whether the prompt does not fit the model's window."""
        named = self.code in ("context_length_exceeded", "exceed_context_size_error")
        return named or _TOO_LONG.search(self.said) is not None

    @property
    def no_model(self) -> bool:
        """Whether the server has no model of that name."""
        return self.parameter == "model" or _NO_MODEL.search(f"{self.code} {self.said}") is not None

    @property
    def unpaid(self) -> bool:
        """Whether the account has nothing left: that does not come back within minutes."""
        return _UNPAID.search(f"{self.code} {self.said}") is not None


def read(body: Any) -> Refusal:
    """The refusal in a decoded body: OpenAI's and Anthropic's `error`, FastAPI's `detail`, a bare object, a
    text, a page."""
    if isinstance(body, OtherBody):
        return replace(read(body.text), page=body.page)
    words = words_of(body)
    message = "".join(ch if ch.isprintable() else " " for ch in words)[:_MOST_CHARS].strip()
    inner = _innermost(body)
    code = next(
        (str(inner[name]) for name in ("code", "type") if isinstance(inner.get(name), (str, int))), ""
    )
    after = inner.get("retry_after")
    wait = (
        float(after) if isinstance(after, (int, float)) and 0 <= after < 1e9 else retry_times.in_words(words)
    )
    parameter = inner.get("param")
    written = inner.get("failed_generation")
    return Refusal(
        message,
        code,
        wait,
        parameter if isinstance(parameter, str) else "",
        written=written if isinstance(written, str) else "",
    )


def words_of(value: Any, depth: int = 0) -> str:
    """The words in a value of any shape; empty where there are none."""
    if depth > _DEEPEST:
        return ""
    if isinstance(value, str):
        return _unwrapped(value.strip(), depth)
    if isinstance(value, list):
        phrases = [words for item in value[:_MOST_ITEMS] if (words := words_of(item, depth + 1))]
        return "; ".join(phrases)
    if not isinstance(value, dict):
        return ""
    words = next((words for name in _WORDS if (words := words_of(value.get(name), depth + 1))), "")
    place = value.get("loc")
    if words and isinstance(place, list):
        return f"{'.'.join(map(str, place))}: {words}"
    return words


def _unwrapped(text: str, depth: int) -> str:
    """A proxy passes on what it was told as text: `BadRequestError: Error code: 400 - {'error': {...}}`."""
    at = text.find("{")
    if at < 0 or not text.endswith("}") or len(text) > _MOST_READ:
        return text
    words = words_of(_object(text[at:]), depth + 1)
    head = text[:at].rstrip(" -:,")
    return text if not words else f"{head}: {words}" if head else words


def _object(text: str) -> Any:
    """JSON, or a dictionary as Python prints it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in the text
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _innermost(body: Any) -> dict[str, Any]:
    """The object that has the words, where its code stands too."""
    if isinstance(body, list):
        body = body[0] if body else None
    found: dict[str, Any] = {}
    for _ in range(_DEEPEST):
        if not isinstance(body, dict):
            break
        found = body
        body = next((body[name] for name in ("error", "detail") if isinstance(body.get(name), dict)), None)
    return found


_PATH = "Is the path of the address right? Most end in /v1."
NO_API = f"That is no model's API. {_PATH} Is the port right? Or is it a login, or a proxy?"


def hint_for(status: int, refusal: Refusal) -> str:
    """What to do about a server that is there and cannot answer now, or not so."""
    if refusal.page and status < 500:
        return NO_API
    if status == 529:
        return "The server is overloaded. Try again later."
    if status == 429:
        wait = f" in {refusal.retry_after:.0f} s" if refusal.retry_after >= 1 else " later"
        return f"The server limits how much it is asked. Try again{wait}."
    if status == 503:
        return "The server is overloaded, or still loading its model. Try again later."
    if status in (408, 425) or status >= 500:
        return "The server failed on this request. Its log says why; try again later."
    if refusal.no_model or (status == 404 and _MODEL.search(refusal.said)):
        return "See which models it has: spark models list --connect URL"
    if status == 404:
        return f"{_PATH} Or it has another --api."
    return "The server does not take the request. Its log may say why; try another --api, or --model."
