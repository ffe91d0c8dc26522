"""Answers that repeat themselves without an end, as small models write them."""

from __future__ import annotations

from collections.abc import Sequence

_REPEATED = 3_000
"""Characters that stand there again, word for word, before an answer is taken for one without an end."""
_TIMES = 4
"""How often at least: what is repeated has a quarter of these characters at most."""
_STEP = 200
"""Characters that come in between two looks."""
_END = 64


class Repetition:
    """Takes in an answer piece by piece. What stands in one of the `shown` texts may be written again."""

    def __init__(self, shown: Sequence[str] = ()) -> None:
        self._tail, self._new, self._shown = "", 0, shown

    def goes_on(self, text: str) -> bool:
        """Whether the answer with this piece ends in one text that is repeated again and again."""
        self._tail += text
        self._new += len(text)
        if self._new < _STEP:
            return False
        self._tail, self._new = self._tail[-_REPEATED - _REPEATED // _TIMES :], 0
        said = self._tail[-_REPEATED:]
        return _period(self._tail) > 0 and not (said.isspace() or any(said in text for text in self._shown))


def once(answer: str) -> str:
    """An answer without its end that repeats what stands before it."""
    period, end = _period(answer[-_REPEATED - _REPEATED // _TIMES :]), len(answer)
    while period and answer[end - period : end] == answer[max(end - 2 * period, 0) : end - period]:
        end -= period
    return answer[:end]


def _period(tail: str) -> int:
    """The length of the text that the last characters repeat again and again; 0 where they do not."""
    size = len(tail)
    end, at = tail[-_END:], size - _END
    while (at := tail.rfind(end, 0, at + _END - 1)) >= 0:
        period = size - _END - at
        if period > _REPEATED // _TIMES or size < _REPEATED + period:
            return 0
        if tail[-_REPEATED:] == tail[-_REPEATED - period : size - period]:
            return period
    return 0
