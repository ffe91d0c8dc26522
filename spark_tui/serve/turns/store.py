"""Turns by id, for a follow-up, a resume or a read, each for its own key. Bounded by memory and by age."""

from __future__ import annotations

import time
from collections import OrderedDict

from spark_tui.serve.api_errors import ApiError
from spark_tui.serve.limits import ServerLimits
from spark_tui.serve.turns.turn import ServedTurn


class TurnStore:
    """Least recently used first. Turns in flight are held too and never dropped."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._turns: OrderedDict[str, ServedTurn] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._turns)

    def put(self, turn: ServedTurn) -> None:
        """It is weighed when it settles: in flight it is held whatever it weighs."""
        self._turns[turn.id] = turn

    def settle(self, turn: ServedTurn) -> None:
        """The turn has ended or was suspended: it weighs what it weighs now, and others may have to go."""
        if not turn.kept and turn.holder is None:
            self.drop(turn.id)
        elif turn.id in self._turns:
            self._turns.move_to_end(turn.id)
            self._update_size(turn)
        self._trim()

    def get(self, turn_id: str, key: str, holder: object | None = None) -> ServedTurn:
        """One sentence for both unknown and foreign: an id must not tell whether it exists. A response that
        was not to be stored is there for its `holder` only."""
        turn = self._turns.get(turn_id)
        mine = (
            turn is not None
            and turn.key == key
            and (turn.kept or (holder is not None and turn.holder is holder))
        )
        if turn is None or not mine:
            raise ApiError(404, "response_not_found", f"No stored response has the id {turn_id[:64]!r}.")
        self._turns.move_to_end(turn_id)
        return turn

    def find(self, turn_id: str, key: str) -> ServedTurn | None:
        turn = self._turns.get(turn_id)
        return turn if turn is not None and turn.key == key else None

    def release(self, holder: object) -> None:
        """The holder is gone, and with it what it alone could name."""
        for turn in [turn for turn in self._turns.values() if turn.holder is holder]:
            turn.holder = None
            if turn.state in ("over", "suspended"):
                self.drop(turn.id)

    def drop(self, turn_id: str) -> None:
        if self._turns.pop(turn_id, None) is not None:
            self.bytes -= self._sizes.pop(turn_id, 0)

    def _update_size(self, turn: ServedTurn) -> None:
        now = turn.bytes
        self.bytes += now - self._sizes.get(turn.id, 0)
        self._sizes[turn.id] = now

    def _trim(self) -> None:
        oldest_wanted = time.monotonic() - self._limits.keep_seconds
        passed: list[ServedTurn] = []
        while self._turns:
            turn_id, turn = next(iter(self._turns.items()))
            if self.bytes <= self._limits.store_bytes and turn.touched >= oldest_wanted:
                break
            if turn.state in ("over", "suspended"):
                self.drop(turn_id)
            else:
                # In flight: it is in use, whatever it weighs.
                self._turns.move_to_end(turn_id)
                passed.append(turn)
                if len(passed) == len(self._turns):
                    break
