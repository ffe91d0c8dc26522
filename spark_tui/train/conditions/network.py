"""The ranker in torch, under the names that `intent.conditions.ranking` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from spark_tui.intent.conditions.predicates import KINDS
from spark_tui.intent.conditions.ranking_features import BUCKETS, DENSE, NAMES
from spark_tui.train.conditions.samples import Sample

WIDTH, HIDDEN, NAME_WIDTH = 32, 48, 24
_NAMES_DROPPED = 0.3


@dataclass
class Batch:
    """Samples one after the other; `rows` tells to which sample a candidate belongs."""

    ids: Tensor  # [S, T], 0 for nothing
    rows: Tensor  # [C]
    dense: Tensor  # [C, D]
    kinds: Tensor  # [C]
    names: Tensor  # [C, N]
    right: Tensor  # [C]
    weights: Tensor  # [S]

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Batch:
        ids = nn.utils.rnn.pad_sequence(
            [torch.from_numpy(sample.ids) for sample in samples], batch_first=True
        )
        sizes = torch.tensor([len(sample.kinds) for sample in samples])
        dense, kinds, names, right = (
            torch.from_numpy(np.concatenate([getattr(sample, name) for sample in samples]))
            for name in ("dense", "kinds", "names", "right")
        )
        rows = torch.repeat_interleave(torch.arange(len(samples)), sizes)
        weights = torch.tensor([sample.weight for sample in samples])
        return cls(ids, rows, dense.float(), kinds, names, right.float(), weights)


class Ranker(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(BUCKETS, WIDTH, padding_idx=0)
        self.names = nn.Embedding(NAMES, NAME_WIDTH, padding_idx=0)
        nn.init.normal_(self.words.weight, 0, 0.3)
        nn.init.normal_(self.names.weight, 0, 0.05)
        self.dense = _drawn(DENSE, HIDDEN, scale=0.15)
        self.said = _drawn(WIDTH, HIDDEN, scale=0.1)
        self.bias = _drawn(HIDDEN, scale=0)
        self.kinds = _drawn(len(KINDS), HIDDEN, scale=0.2)
        self.out = _drawn(HIDDEN, scale=0.15)
        self.likely = _drawn(len(KINDS), WIDTH, scale=0.1)
        self.named = _drawn(WIDTH, NAME_WIDTH, scale=0.05)
        self.none = _drawn(WIDTH, scale=0)
        self.none_bias = _drawn(1, scale=0)

    def forward(self, batch: Batch, dropped: float = 0.0) -> tuple[Tensor, Tensor]:
        """The score of each candidate, and for each sample that of none of them."""
        dense, shown = batch.dense, (batch.ids > 0).float()
        names = self.names(batch.names)  # [C, N, E]
        if dropped:
            shown = shown * (torch.rand_like(shown) > dropped)
            dense = dense * (torch.rand_like(dense) > dropped / 3)
            names = names * (torch.rand(names.shape[:2]) > _NAMES_DROPPED)[..., None]
        total = shown.sum(1, keepdim=True).clamp(min=1)
        vectors = (self.words(batch.ids) * shown[..., None]).sum(1) / total  # [S, W]
        hidden = dense @ self.dense + (vectors @ self.said + self.bias)[batch.rows] + self.kinds[batch.kinds]
        scores = F.relu(hidden) @ self.out + (vectors @ self.likely.T)[batch.rows, batch.kinds]
        scores = scores + (names.sum(1) * (vectors @ self.named)[batch.rows]).sum(1)
        return scores, vectors @ self.none + self.none_bias


def loss_of(model: Ranker, samples: Sequence[Sample], dropped: float) -> Tensor:
    """How little of the probability is on what is right; on `none` where nothing is."""
    batch = Batch.of(samples)
    scores, none = model(batch, dropped)
    top = none.detach().scatter_reduce(0, batch.rows, scores.detach(), "amax")
    odds, odds_of_none = torch.exp(scores - top[batch.rows]), torch.exp(none - top)
    every = odds_of_none.index_add(0, batch.rows, odds)
    right = torch.zeros_like(none).index_add(0, batch.rows, odds * batch.right)
    known = torch.tensor([bool(sample.right.any()) for sample in samples])
    losses = -torch.log(torch.where(known, right, odds_of_none) / every + 1e-9)
    return (losses * batch.weights).sum() / batch.weights.sum()


def _drawn(*shape: int, scale: float) -> nn.Parameter:
    return nn.Parameter(torch.randn(*shape) * scale)
