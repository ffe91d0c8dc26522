"""The turns that wait for a place: those that somebody waits for first, then round-robin over keys."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator

from spark_tui.serve.turns.turn import ServedTurn


class WaitQueue:
    """A key with a hundred waiting turns does not stand before a key with one."""

    def __init__(self) -> None:
        self._classes: tuple[OrderedDict[str, deque[ServedTurn]], ...] = (OrderedDict(), OrderedDict())
        self.waiting = 0

    def push(self, turn: ServedTurn) -> None:
        self._classes[turn.background].setdefault(turn.key, deque()).append(turn)
        self.waiting += 1

    def pop(self, background: bool = True) -> ServedTurn | None:
        """The next turn; without `background`, the next that somebody waits for."""
        for keys in self._classes[: 1 + background]:
            if keys:
                key, turns = keys.popitem(last=False)
                turn = turns.popleft()
                self.waiting -= 1
                if turns:
                    keys[key] = turns
                return turn
        return None

    def remove(self, turn: ServedTurn) -> bool:
        keys = self._classes[turn.background]
        turns = keys.get(turn.key)
        if turns is None or turn not in turns:
            return False
        turns.remove(turn)
        self.waiting -= 1
        if not turns:
            del keys[turn.key]
        return True

    def in_order(self) -> Iterator[ServedTurn]:
        """The turns in the order in which they will be taken, as things stand."""
        for keys in self._classes:
            rounds = [list(turns) for turns in keys.values()]
            for place in range(max(map(len, rounds), default=0)):
                yield from (turns[place] for turns in rounds if place < len(turns))
