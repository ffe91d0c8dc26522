"""A canary: a candidate model gets a share of the sessions, until it does visibly worse.

Which sessions is a matter of their ids alone, so a session keeps its model, in every process of the same
server and after a restart. What is compared are the latest turns of either model: whether they failed, were
interrupted, or offered no edit where one was asked for, and their first tokens.
"""

from __future__ import annotations

import hashlib
import logging
import math
import statistics
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from spark_tui.serve.metrics import Metrics

WINDOW = 400
"""Latest turns of a model that are compared."""
LEAST_TURNS = 20
"""Of both models, before the rule says anything."""
DOUBT = 0.001
"""The chance of stopping a canary that is no worse; small, because the rule looks after every turn."""
SLOWER = 2.0
"""Times the median first token of the other model."""
_PARTS = 1 << 32
_BAD = "failed", "interrupted", "without an edit"
_LOG = logging.getLogger("spark.serve")


@dataclass(slots=True)
class _Latest:
    """Outcomes and first tokens of the latest turns of one model."""

    bad: dict[str, deque[bool]] = field(default_factory=lambda: {name: deque(maxlen=WINDOW) for name in _BAD})
    first_seconds: deque[float] = field(default_factory=lambda: deque(maxlen=WINDOW))


class Canary:
    """Routes sessions between the model that clients ask for and its candidate."""

    def __init__(self, stable: str, candidate: str, share: float, metrics: Metrics) -> None:
        self.stable, self.candidate, self.share = stable, candidate, share
        self.stopped = ""
        """Why the candidate gets no more turns; empty while it does."""
        self._latest = {stable: _Latest(), candidate: _Latest()}
        metrics.gauge("spark_canary_share", "Share of sessions that the canary gets.", self._given)
        metrics.gauge(
            "spark_canary_stopped", "1 once the canary was stopped.", lambda: float(bool(self.stopped))
        )

    def _given(self) -> float:
        return 0.0 if self.stopped else self.share

    def model_for(self, model: str, session: str) -> str:
        """The model of a session that asks for `model`. The candidate can still be asked for by its name."""
        if model != self.stable or self.stopped:
            return model
        return self.candidate if position(session) < self.share else model

    def note(self, model: str, outcome: str, first_seconds: float, edited: bool | None = None) -> None:
        """A turn has ended. `edited`: whether its answer has an edit, None where none was asked for."""
        latest = self._latest.get(model)
        if latest is None:
            return
        for name in _BAD[:2]:
            latest.bad[name].append(outcome == name)
        if edited is not None:
            latest.bad[_BAD[2]].append(not edited)
        if first_seconds:
            latest.first_seconds.append(first_seconds)
        if model == self.candidate and not self.stopped:
            self.stopped = self._worse()
            if self.stopped:
                _LOG.warning("canary %s stopped: %s", self.candidate, self.stopped)

    def _worse(self) -> str:
        """In words how the candidate is worse; empty where it is not, or too little is known."""
        ours, theirs = self._latest[self.candidate], self._latest[self.stable]
        for name in _BAD:
            turns, usual_turns = len(ours.bad[name]), len(theirs.bad[name])
            if min(turns, usual_turns) < LEAST_TURNS:
                continue
            bad, usual = sum(ours.bad[name]), sum(theirs.bad[name])
            if at_least_as_bad(bad, turns, usual, usual_turns) < DOUBT:
                return f"{bad} of {turns} turns {name}, {usual} of {usual_turns} with {self.stable}"
        first, usual_first = _median(ours.first_seconds), _median(theirs.first_seconds)
        if first and usual_first and first > SLOWER * usual_first:
            return f"first token after {first:.3g} s, {usual_first:.3g} s with {self.stable}"
        return ""


def position(session: str) -> float:
    """Where a session lies between 0 and 1, the same in every process."""
    digest = hashlib.blake2b(session.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest) / _PARTS


def at_least_as_bad(bad: int, turns: int, usual_bad: int, usual_turns: int) -> float:
    """Fisher's exact test, one-sided: the chance of so many bad turns where both models are alike."""
    total, all_bad = turns + usual_turns, bad + usual_bad
    ways = math.comb(total, turns)
    more = range(bad, min(turns, all_bad) + 1)
    return sum(math.comb(all_bad, count) * math.comb(total - all_bad, turns - count) for count in more) / ways


def _median(values: Iterable[float]) -> float:
    found = list(values)
    return statistics.median(found) if len(found) >= LEAST_TURNS else 0.0
