"""Guess the tokens of an edit from the file that is being edited.

Comes in: the file's ids, what else was read, and the output as it grows. Goes out: a draft, one step at a
time. Must not know: logits, text, edit formats.

Everything is one list: [source | context | output]. A place `e` in it is a candidate when it ends in the
same tokens as the output does; what followed there is the draft. Longer common endings win, and in the
source the place that continues where the output last stood (the pointer) is preferred, then places a
little ahead of it. Ties go to the latest place, so text that was already edited beats the original, and a
rename propagates. Nothing in common: the output replaced a token of the source, so go on behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SUFFIX_CAP = 48
AT_POINTER = 3.0
AHEAD = 2.0
AHEAD_TOKENS = 400
BEHIND = -1.0
MANY = 256
"""More candidates than this are thinned to those near the pointer and the latest ones."""
STREAK = 8
GUESS = 4
"""Tokens drafted without any candidate."""


class DraftSource(Protocol):
    """Where drafts come from. `begin` is told what was read, `extend` every token that was written."""

    def begin(self, context: Sequence[int]) -> None: ...

    def propose(self, limit: int) -> list[int]: ...

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None: ...


class SuffixDrafter:
    """The drafter above. `anchors` maps a token to a place in the source: writing it (the first of a run of
    anchors) moves the pointer, so that what follows is drafted from there."""

    def __init__(
        self,
        source: Sequence[int],
        *,
        anchors: Mapping[int, int] | None = None,
        longest: int = 15,
        shortest: int = 1,
    ) -> None:
        self._source = len(source)
        self._anchors = anchors or {}
        self._longest, self._shortest = longest, shortest
        self._all: NDArray[np.int32] = np.empty(max(1024, 2 * len(source)), np.int32)
        self._all[: len(source)] = source
        self._size = len(source)
        self._written_from = self._size
        self._pointer = -1
        self._at = -1
        """The place whose continuation was drafted last, -1 for a guess."""
        self._streak = 0
        self._rate = 0.5
        self._anchored = False

    @property
    def pointer(self) -> int:
        """The place in the source that the output has reached."""
        return self._pointer

    def begin(self, context: Sequence[int]) -> None:
        """What the model has read. Call once, before the first proposal."""
        self._append(context)
        self._written_from = self._size

    def _append(self, tokens: Sequence[int]) -> None:
        need = self._size + len(tokens)
        if need > self._all.size:
            grown = np.empty(2 * need, np.int32)
            grown[: self._size] = self._all[: self._size]
            self._all = grown
        self._all[self._size : need] = tokens
        self._size = need

    def propose(self, limit: int) -> list[int]:
        """At most `limit` tokens."""
        limit = min(limit, self._longest)
        if limit <= 0:
            return []
        place, score = self._best()
        if place < 0 or self._anchored:
            self._at = self._pointer
            if not 0 <= self._pointer + 1 < self._source:
                return []
            count = limit if self._anchored else min(limit, GUESS)
            return self._following(self._pointer, count)
        self._at = place
        return self._following(place, min(limit, self._length(score)))

    def _length(self, score: float) -> int:
        if self._streak >= STREAK:
            return self._longest
        factor = 2.0 if self._rate > 0.6 else 1.0
        return max(self._shortest, min(self._longest, int(factor * max(score, 1.0))))

    def _following(self, place: int, count: int) -> list[int]:
        end = self._source if place < self._source else self._size
        found: list[int] = self._all[place + 1 : min(place + 1 + count, end)].tolist()
        return found

    def _best(self) -> tuple[int, float]:
        """The best candidate and its score, or -1."""
        size = self._size
        if size == self._written_from and self._pointer < 0:
            return -1, 0.0
        everything = self._all[:size]
        last = size - 1
        places = np.flatnonzero(everything[:last] == everything[last])
        # the end of the source is followed by nothing
        places = places[places != self._source - 1]
        if places.size > MANY:
            places = self._thin(places)
        if not places.size:
            return -1, 0.0
        depth = min(SUFFIX_CAP, int(places[-1]) + 1, size)
        steps = np.arange(depth)
        earlier = places[:, None] - steps
        same = (everything[np.maximum(earlier, 0)] == everything[last - steps]) & (earlier >= 0)
        # a match must not run over the border between the source and the rest
        same &= (earlier < self._source) == (places < self._source)[:, None]
        common = np.where(same.all(axis=1), depth, same.argmin(axis=1))
        score = common.astype(np.float64)
        if self._pointer >= 0:
            gap = places - self._pointer
            in_source = places < self._source
            score += np.where(in_source & (gap == 0), AT_POINTER, 0.0)
            score += np.where(in_source & (gap > 0) & (gap <= AHEAD_TOKENS), AHEAD * (1 - gap / AHEAD_TOKENS), 0.0)
            score += np.where(in_source & (gap < -2), BEHIND, 0.0)
        best = int(places.size - 1 - score[::-1].argmax())
        return int(places[best]), float(score[best])

    def _thin(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        everything, last = self._all, self._size - 1
        longer = places[(places > 0) & (everything[places - 1] == everything[last - 1])] if last else places
        near = places[(places >= self._pointer - 2) & (places <= self._pointer + AHEAD_TOKENS)]
        near = near[near < self._source][: MANY // 2]
        return np.union1d(near, longer[-MANY:])

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None:
        """`tokens` were written: the first `accepted` of `drafted` proposals, then the model's own."""
        if drafted:
            self._rate += 0.3 * (accepted / drafted - self._rate)
            self._streak = self._streak + accepted if accepted == drafted else accepted
        start = self._size
        self._append(tokens)
        self._anchored = False
        for index, token in enumerate(tokens):
            before = int(self._all[start + index - 1]) if start + index else -1
            if token in self._anchors:
                if before not in self._anchors:
                    self._pointer = self._anchors[token] - 1
                self._anchored = True
                continue
            self._anchored = False
            if index < accepted and 0 <= self._at < self._source:
                self._pointer = self._at + 1 + index
            elif self._pointer + 1 < self._source:
                self._pointer += 1
