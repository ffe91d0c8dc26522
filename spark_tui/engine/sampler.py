"""Choose the next token from a row of logits: greedy, or random with a seed.

Random numbers come from `(seed, position)`, not from a running generator. A drafted token is kept exactly
when it is the one that would have been drawn there. For a draft with a single guess this *is* rejection
sampling (it is accepted with its own probability, the rest is drawn from the remainder). It also makes the
same seed give the same text with drafts, without them, and after a resume.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.text.constraints import Allowed, restrict
from spark_tui.errors import UsageError

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sampler:
    """How a token is chosen. The default is greedy."""

    temperature: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.temperature >= 0:
            raise UsageError(f"temperature cannot be {self.temperature}", where="sampling")

    @property
    def plain(self) -> bool:
        """Whether the choice is the best logit and nothing else."""
        return self.temperature == 0

    def choose(self, logits: F32, position: int, allowed: Allowed = None) -> int:
        """The token for `position`, given the row of logits before it."""
        if self.plain:
            return restrict(logits, allowed)
        scores = logits.astype(np.float64)
        if allowed is not None:
            scores = _only(scores, allowed)
        return draw(self.probabilities(scores), uniform(self.seed, position))

    def probabilities(self, scores: F64) -> F64:
        """The distribution that is drawn from. `scores` is changed."""
        scores -= scores.max()  # first, so that the best stays a number at any temperature
        with np.errstate(over="ignore"):
            scores /= self.temperature
        np.exp(scores, out=scores)
        scores /= scores.sum()
        return scores


def _only(scores: F64, allowed: Allowed) -> F64:
    if isinstance(allowed, np.ndarray):
        return np.where(allowed, scores, -np.inf)
    out = np.full_like(scores, -np.inf)
    for low, high in allowed or ():
        out[low:high] = scores[low:high]
    return out


def uniform(seed: int, position: int) -> float:
    """A number in [0, 1) that depends on nothing else."""
    digest = blake2b(
        (seed % (1 << 128)).to_bytes(16, "little") + position.to_bytes(8, "little"), digest_size=8
    ).digest()
    return (int.from_bytes(digest, "little") >> 11) / (1 << 53)


def draw(probabilities: F64, at: float) -> int:
    """The token whose slice of the cumulated distribution holds `at`."""
    sums = np.cumsum(probabilities)
    index = int(np.searchsorted(sums, at * sums[-1], side="right"))
    last = int(np.flatnonzero(probabilities)[-1])
    return min(index, last)
