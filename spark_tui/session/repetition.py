"""Answers that repeat themselves without an end, as small models write them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

_REPEATED = 3_000
"""Characters that stand there again, word for word, before an answer is taken for one without an end."""
_DATA = 16_000
"""As many where at most one word is repeated: a line of dashes, a table of zeros or of `False`."""
_WIDEST = 750
"""Characters that what is repeated has at most."""
_STEP = 200
"""Characters that come in between two looks."""
_END = 64
_WORD = re.compile(r"[^\W\d_]{2,}")
_ESCAPE = re.compile(r"(?<!\\)\\")


class Repetition:
    """Takes in an answer piece by piece. What stands in one of the `shown` texts may be written again."""

    def __init__(self, shown: Sequence[str] = ()) -> None:
        self._tail, self._new, self._shown = "", 0, shown

    def goes_on(self, text: str, shown: Callable[[], Iterable[str]] = tuple) -> bool:
        """Whether the answer with this piece ends in one text that is repeated again and again. `shown` has
        more texts. In arguments of calls, which are JSON, texts stand with escapes."""
        self._tail += text
        self._new += len(text)
        if self._new < _STEP:
            return False
        self._tail, self._new = self._tail[-2 * _DATA - _WIDEST :], 0
        period = _period(self._tail)
        if not period:
            return False
        said = _plain(self._tail[-_REPEATED:])
        least = (_DATA if _is_data(said) else _REPEATED) * _REPEATED // len(said)
        if not _repeats(self._tail, period, least):
            return False
        return not any(said in text for text in (*self._shown, *shown()))


def once(answer: str) -> str:
    """An answer without its end that repeats what stands before it."""
    period, end = _period(answer[-_REPEATED - _WIDEST :]), len(answer)
    while period and answer[end - period : end] == answer[max(end - 2 * period, 0) : end - period]:
        end -= period
    return answer[:end]


def _period(tail: str) -> int:
    """The length of the text that the last characters repeat again and again; 0 where they do not."""
    size = len(tail)
    end, at = tail[-_END:], size - _END
    first = max(at - _WIDEST, 0)
    while size > _REPEATED and (at := tail.rfind(end, first, at + _END - 1)) >= 0:
        period = size - _END - at
        if _repeats(tail, period, _REPEATED):
            return period
    return 0


def _repeats(tail: str, period: int, length: int) -> bool:
    size = len(tail)
    return size >= length + period and tail[-length:] == tail[-length - period : size - period]


def _is_data(said: str) -> bool:
    """The text has one word at most. The first and the last may be cut."""
    return len({*_WORD.findall(said)[1:-1]}) <= 1


def _plain(said: str) -> str:
    """The text, without the escapes that it has as a part of a JSON string."""
    whole, end = _ESCAPE.search(said, 1), said.rfind("\\")
    with suppress(ValueError):
        return (json.loads(f'"{said[whole.start() : end]}"') if whole else "") or said
    return said
