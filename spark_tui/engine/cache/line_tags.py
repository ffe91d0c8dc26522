"""The line tag of each position, derived from the ids alone: a tag id per row, or -1."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.engine.architecture import Tags

OUTSIDE = -2
"""Not in a file part."""
NO_TAG = -1
"""In a file part, before its first tag or in a gap."""


class TagTrack:
    """The state after every position, so that a rollback is a truncation."""

    def __init__(self, tags: Tags | None) -> None:
        self._tags = tags
        self._states: list[int] = []
        self.added: list[int] = []
        """For each position the tag whose embedding is added to its row, or -1."""
        self._ends = frozenset(tags.ends) if tags else frozenset()

    def __len__(self) -> int:
        return len(self._states)

    def copy(self) -> TagTrack:
        other = TagTrack(self._tags)
        other._states, other.added = list(self._states), list(self.added)
        return other

    def truncate(self, length: int) -> None:
        """Forget positions from `length` on."""
        del self._states[length:]
        del self.added[length:]

    def extend(self, ids: Sequence[int]) -> None:
        if self._tags is None:
            self._states.extend([OUTSIDE] * len(ids))
            self.added.extend([NO_TAG] * len(ids))
            return
        state = self._states[-1] if self._states else OUTSIDE
        first, stop = self._tags.first, self._tags.first + self._tags.count
        for token in ids:
            carried = NO_TAG
            if token in self._tags.opens:
                state = NO_TAG
            elif token in self._tags.gaps:
                state = OUTSIDE if state == OUTSIDE else NO_TAG
            elif token in self._ends:
                state = OUTSIDE
            elif state != OUTSIDE:
                if first <= token < stop:
                    state = token
                else:
                    carried = state
            self.added.append(carried)
            self._states.append(state)
