"""Ghost text: what a model would insert between the cursor and the end of the line, and how sure it is of it.

The workbench and `spark eval` share this code, so they show and judge by one rule. What the file itself makes
nearly sure goes before it (`next_edit/inline.py`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Backend, Request
from spark_tui.events import Token

LINES_BEFORE = 40
LINES_BEHIND = 25
"""What the built-in family reads around a cursor; its examples were cut like this."""
MOST_TOKENS = 64
SHOWN_FROM = 0.67
"""So likely the whole line must be to be shown, where the model's configuration (`gate.fill`) does not
say: the built-in model is then right to the letter in five cases of six of the held-out set."""


@dataclass(frozen=True, slots=True)
class Completion:
    """`text` is one line at most; `confidence` the likelihood of all of it (1 where the backend does not
    say)."""

    text: str
    confidence: float
    first_seconds: float
    seconds: float


def least_confidence(settings: Mapping[str, Any] | None) -> float:
    """The threshold in a model's own settings."""
    return float(((settings or {}).get("gate") or {}).get("fill", SHOWN_FROM))


def fill_threshold(backend: Backend) -> float | None:
    """The least likelihood with which a line is worth showing; None where the backend cannot fill in."""
    threshold: float | None = getattr(backend, "fills_from", None)
    return threshold


def text_around(lines: Sequence[str], row: int, column: int) -> tuple[str, str]:
    """The text before and after a cursor, as far as a model reads it."""
    before = "\n".join([*lines[max(0, row - LINES_BEFORE) : row], lines[row][:column]])
    return before, "\n" + "\n".join(lines[row + 1 : row + 1 + LINES_BEHIND])


def fill(backend: Backend, before: str, behind: str, stop: StopFlag) -> Completion:
    """Ask; a set `stop` ends it within one pass. Raises the backend's `SparkError`."""
    request = Request(
        "", kind="fill", prefix=before, suffix=behind, max_tokens=MOST_TOKENS, stop_texts=("\n",)
    )
    begun = time.perf_counter()
    first = logprob = 0.0
    text = ""
    for event in backend.stream(request, stop):
        if isinstance(event, Token):
            first = first or time.perf_counter() - begun
            logprob += event.logprob
            text += event.text
    seconds = time.perf_counter() - begun
    return Completion(text.split("\n")[0], math.exp(min(logprob, 0.0)), first or seconds, seconds)


def is_shown(filled: Completion, least: float) -> bool:
    """Whether it is worth a look."""
    return bool(filled.text.strip()) and filled.confidence >= least
