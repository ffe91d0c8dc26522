"""A draft source that knows what will be written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Oracle:
    """Drafts the true text, with wrong tokens in it now and then."""

    def __init__(self, text: Sequence[int], wrong: float = 0.0, longest: int = 15) -> None:
        self.text, self.wrong, self.longest = list(text), wrong, longest
        self.at = 0
        self.chance = np.random.default_rng(len(self.text))

    def begin(self, context: Sequence[int]) -> None:
        self.at = 0

    def propose(self, limit: int) -> list[int]:
        found = self.text[self.at : self.at + min(limit, self.longest)]
        return [token if self.chance.random() >= self.wrong else 40 for token in found]

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None:
        assert 0 <= accepted <= drafted and len(tokens) == accepted + 1
        self.at += len(tokens)
