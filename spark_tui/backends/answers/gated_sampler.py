"""How the tokens of a first attempt are chosen: greedily, with a gate on the first token, and with the
runners-up kept for the reranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.backends.answers.noop_classifier import noop_lower_bound
from spark_tui.engine import Sampler, token_layout
from spark_tui.engine.constraints import Allowed

LEAST_LIKELY = 0.01
"""A token below this probability is no other way."""
_RUNNERS_UP = 3


@dataclass(frozen=True, slots=True)
class ConfidenceGate:
    """Probabilities. The answer is *cannot* wherever that was likelier than `cannot` as the first token, and
    *no-edit* where that is likelier than `no_edit` (*cannot* where no more tells so than that the edit is
    unsure); an edit below `refuse` is not offered, one below `doubt` is offered with a mark."""

    cannot: float = 0.5
    no_edit: float = 0.5
    refuse: float = 0.0
    doubt: float = 0.0

    @classmethod
    def read(cls, settings: Mapping[str, Any]) -> ConfidenceGate:
        return cls(**{name: float(settings[name]) for name in cls.__slots__ if name in settings})


@dataclass(frozen=True, slots=True)
class GatedSampler(Sampler):
    """Greedy, with the gate on the first token; it keeps what came next at each place."""

    first_position: int = 0
    gate: ConfidenceGate | None = None
    runners: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    first: dict[int, float] = field(default_factory=dict)
    """Probabilities of the first token."""

    def choose(
        self, logits: NDArray[np.float32], ids: Sequence[int], position: int, allowed: Allowed = None
    ) -> int:
        chosen = Sampler.choose(self, logits, ids, position, allowed)
        top = float(logits[chosen])
        weights = np.exp(logits - max(top, float(logits.max())))
        weights /= weights.sum()
        if position == self.first_position and self.gate is not None:
            return self._begin(weights)
        if weights[chosen] < 1 - LEAST_LIKELY:
            self.runners[position] = _next_best(weights, chosen, allowed)
        return chosen

    def _begin(self, weights: NDArray[np.float32]) -> int:
        assert self.gate is not None
        for token in (token_layout.HUNK, token_layout.CANNOT, token_layout.NOEDIT):
            self.first[token] = float(weights[token])
        if self.first[token_layout.CANNOT] > self.gate.cannot:
            return token_layout.CANNOT
        return (
            token_layout.NOEDIT
            if noop_lower_bound(self.first[token_layout.NOEDIT]) > self.gate.no_edit
            else token_layout.HUNK
        )


def _next_best(weights: NDArray[np.float32], chosen: int, allowed: Allowed) -> list[tuple[int, float]]:
    places = np.flatnonzero(weights > LEAST_LIKELY)
    if isinstance(allowed, np.ndarray):
        places = places[allowed[places]]
    elif allowed is not None:
        inside = [any(low <= place < high for low, high in allowed) for place in places.tolist()]
        places = places[np.array(inside, np.bool_)]
    best = places[np.argsort(-weights[places])][: _RUNNERS_UP + 1]
    return [(int(token), float(weights[token])) for token in best if token != chosen]
