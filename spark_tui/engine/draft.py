"""Draft the tokens of an edit by copying from the file that is being edited.

All ids form one list: [source | context | output]. A position `e` is a candidate when the tokens that end
there equal the last tokens of the output; the tokens that follow it are the draft. Longer matches win. In the
source, the position that continues from the previous match (the pointer) is preferred, then positions a
little ahead of it. Ties go to the latest position, so edited text beats the original and a rename propagates.
Without any match the last output token counts as a replacement of one source token, and the draft continues
after that token.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

SUFFIX_CAP = 48
NOWHERE = -2
"""The pointer before the output named a place. -1 is the place before the first token."""
AT_POINTER = 3.0
AHEAD = 2.0
AHEAD_TOKENS = 400
BEHIND = -1.0
MANY = 256
"""More candidates than this are thinned to those near the pointer and the latest ones."""
STREAK = 16
LONGEST = 31
SHORTEST = 3
"""Tokens drafted where anything follows: up to four rows a pass takes as long as with one."""
GUESS = 4
"""Tokens drafted without any candidate."""
OPENING = 8
"""Tokens of the old text drafted right after its name; more would be wasted, since something changes."""
SURE = 4
"""A common ending of this length outweighs the guess that the part is complete."""
RATE_STEP = 0.3


@runtime_checkable
class DraftSource(Protocol):
    """A source of drafts. Call `begin` with the prompt, and `extend` with every token that was generated."""

    def begin(self, context: Sequence[int]) -> None: ...

    def propose(self, limit: int) -> list[int]:
        """First called when the prompt is read and nothing is written yet."""

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None: ...


class SuffixDrafter:
    """Drafts by matching the end of the output. Where the output names places instead of repeating the
    source, `anchors` says what each naming token means: the first of two moves the pointer there, the second
    (guessed to be the next anchor) says where the replaced part ends. `closing` is what then follows it,
    `starting` how an output begins. What was read after the last `opening` is output already: the answer is
    continued."""

    def __init__(
        self,
        source: Sequence[int],
        *,
        anchors: Mapping[int, int] | None = None,
        closing: Sequence[int] = (),
        opening: int | None = None,
        starting: Sequence[int] = (),
    ) -> None:
        self._source = len(source)
        self._anchors = dict(anchors or {})
        ordered = sorted(self._anchors, key=lambda token: self._anchors[token])
        self._next_anchor = dict(itertools.pairwise(ordered))
        self._closing = list(closing)
        self._opening = opening
        self._starting = list(starting)
        self._all: NDArray[np.int32] = np.empty(max(1024, 2 * len(source)), np.int32)
        self._all[: len(source)] = source
        self._size = len(source)
        self._written_from = self._size
        self._pointer = NOWHERE if self._anchors else -1
        self._start, self._end = 0, self._source
        """The part of the source that is being rewritten."""
        self._named = 0
        """Anchors in a row at the end of the output."""
        self._places: list[int] = []
        """Where each drafted token stands, -1 for none."""
        self._streak = 0
        self._rate = 0.5

    @property
    def pointer(self) -> int:
        """The place in the source that the output has reached."""
        return self._pointer

    def begin(self, context: Sequence[int]) -> None:
        """What the model has read, the prompt last. Before the first proposal."""
        written = len(context)
        if self._opening is not None and self._opening in context:
            written -= context[::-1].index(self._opening)
        self._append(context[:written])
        self._written_from = self._size
        if written < len(context):
            self.extend(context[written:], 0, 0)

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
        limit = min(limit, LONGEST)
        self._places = []
        if self._size == self._written_from:
            draft = self._starting[: max(limit, 0)]
            self._places = [-1] * len(draft)
            return draft
        if limit <= 0 or (self._pointer == NOWHERE and not self._named):
            return []
        if self._named:
            return self._after_anchors(limit)
        place, common, score = self._best()
        if self._anchors and common < SURE and self._at_end():
            return self._close([], limit)
        if place >= 0:
            return self._following(place, min(limit, self._length(score)), limit)
        return self._following(self._pointer, min(limit, GUESS), limit)

    def _after_anchors(self, limit: int) -> list[int]:
        """After the first anchor: guess that the next one is its end. After both: draft the old text."""
        draft: list[int] = []
        if self._named == 1:
            following = self._next_anchor.get(int(self._all[self._size - 1]))
            if following is None:
                return []
            draft, self._places = [following], [-1]
            self._end = self._anchors[following]
        elif self._end == self._start < self._source:
            # An insertion usually begins like the line that follows it, with the same indent.
            self._places = [-1]
            return [int(self._all[self._start])]
        return [*draft, *self._following(self._pointer, min(limit - len(draft), OPENING), limit - len(draft))]

    def _at_end(self) -> bool:
        """Whether the output is past the whole old part, at a position where a part may end."""
        return self._pointer + 1 >= self._end > 0 and bool(
            self._all[self._size - 1] == self._all[self._end - 1]
        )

    def _close(self, draft: list[int], limit: int) -> list[int]:
        rest = self._closing[: limit - len(draft)]
        self._places += [-1] * len(rest)
        return [*draft, *rest]

    def _length(self, score: float) -> int:
        if self._streak >= STREAK:
            return LONGEST
        factor = 2.0 if self._rate > 0.6 else 1.0
        return max(SHORTEST, min(LONGEST, int(factor * max(score, 1.0))))

    def _following(self, place: int, count: int, limit: int) -> list[int]:
        """The tokens after `place`, up to the end of its part; at the end of the part, the closing too."""
        end = self._size
        if place < self._source:
            end = self._end if place < self._end else self._source
        stop = min(place + 1 + count, end)
        draft: list[int] = self._all[place + 1 : stop].tolist()
        self._places += range(place + 1, stop)
        if draft and stop == self._end and self._anchors and place < self._source:
            return self._close(draft, limit)
        return draft

    def _best(self) -> tuple[int, int, float]:
        """The best candidate, its common ending and its score; -1 for none."""
        size = self._size
        everything = self._all[:size]
        last = size - 1
        places = np.flatnonzero(everything[:last] == everything[last])
        # the end of the source is followed by nothing
        places = places[places != self._source - 1]
        if places.size > MANY:
            places = self._thin(places)
        if not places.size:
            return -1, 0, 0.0
        depth = min(SUFFIX_CAP, int(places[-1]) + 1, size)
        steps = np.arange(depth)
        earlier = places[:, None] - steps
        same = (everything[np.maximum(earlier, 0)] == everything[last - steps]) & (earlier >= 0)
        # a match must not run over the border between the source and the rest
        same &= (earlier < self._source) == (places < self._source)[:, None]
        common = np.where(same.all(axis=1), depth, same.argmin(axis=1))
        score = common.astype(np.float64)
        if self._pointer > NOWHERE:
            gap = places - self._pointer
            in_source = places < self._source
            score += np.where(in_source & (gap == 0), AT_POINTER, 0.0)
            score += np.where(
                in_source & (gap > 0) & (gap <= AHEAD_TOKENS), AHEAD * (1 - gap / AHEAD_TOKENS), 0.0
            )
            score += np.where(in_source & (gap < -2), BEHIND, 0.0)
        best = int(places.size - 1 - score[::-1].argmax())
        return int(places[best]), int(common[best]), float(score[best])

    def _thin(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        everything, last = self._all, self._size - 1
        longer = places[(places > 0) & (everything[places - 1] == everything[last - 1])] if last else places
        near = places[(places >= self._pointer - 2) & (places <= self._pointer + AHEAD_TOKENS)]
        near = near[near < self._source][: MANY // 2]
        return np.union1d(near, longer[-MANY:])

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None:
        """`tokens` were written: the first `accepted` of `drafted` proposals, then the model's own."""
        if drafted:
            self._rate += RATE_STEP * (accepted / drafted - self._rate)
            self._streak = self._streak + accepted if accepted == drafted else accepted
        self._append(tokens)
        for index, token in enumerate(tokens):
            named = self._anchors.get(token)
            if named is not None:
                if self._named == 0:
                    self._start, self._pointer = named, named - 1
                self._end = max(named, self._start)
                self._named += 1
                continue
            self._named = 0
            if self._anchors and token in self._closing:
                self._pointer = NOWHERE
                continue
            self._advance(token, self._places[index] if index < accepted else -1)

    def _advance(self, token: int, place: int) -> None:
        """Where in the source the output is after `token`: at the same place, or one further. After a token
        that ends a line, it is at the end of a line."""
        if self._pointer == NOWHERE:
            return
        if self._start <= place < self._end:
            self._pointer = place
            return
        if self._anchors and self._end and token == self._all[self._end - 1]:
            ends = np.flatnonzero(self._all[self._pointer + 1 : self._end] == token)
            self._pointer += 1 + int(ends[0]) if ends.size else 0
        elif self._pointer + 1 < self._end:
            self._pointer += 1
