"""The optimiser: orthogonalised momentum for matrices, Adam for tables and vectors.

The update of a matrix is its momentum with all singular values brought close to one by a Newton-Schulz
iteration. At this size it needs about half the tokens that Adam does.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

VECTOR_RATE, MOMENTUM, DECAY = 0.01, 0.95, 0.01
_STEPS = 5


def orthogonalised(matrices: Tensor) -> Tensor:
    """`[N, r, c]`: each matrix near the closest one with orthonormal rows or columns; a quintic iteration."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = matrices.bfloat16()
    flip = x.shape[1] > x.shape[2]
    x = x.mT if flip else x
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(_STEPS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    out: Tensor = (x.mT if flip else x).to(matrices.dtype)
    return out


class Optimizer:
    """Two update rules for one model; `step(scale)` applies the schedule's factor to both."""

    def __init__(self, model: nn.Module, *, matrix_rate: float = 0.02, table_rate: float = 0.003) -> None:
        self.matrix_rate = matrix_rate
        self.matrices = [
            p for name, p in model.named_parameters() if p.dim() == 2 and "embed_tokens" not in name
        ]
        tables = [p for name, p in model.named_parameters() if "embed_tokens" in name]
        vectors = [p for p in model.parameters() if p.dim() < 2]
        self.adam = torch.optim.Adam(
            [
                {"params": tables, "lr": table_rate, "rate": table_rate},
                {"params": vectors, "lr": VECTOR_RATE, "rate": VECTOR_RATE},
            ],
            betas=(0.9, 0.98),
            eps=1e-9,
        )
        self.moments = [torch.zeros_like(p) for p in self.matrices]
        shapes = {tuple(p.shape) for p in self.matrices}
        self.alike = [
            [n for n, p in enumerate(self.matrices) if tuple(p.shape) == shape] for shape in sorted(shapes)
        ]
        """Matrices of one shape are orthogonalised in one batch."""

    @torch.no_grad()
    def step(self, scale: float) -> None:
        for group in self.adam.param_groups:
            group["lr"] = group["rate"] * scale
        self.adam.step()
        rate = self.matrix_rate * scale
        for group_of in self.alike:
            pairs = [
                (self.matrices[n], self.moments[n]) for n in group_of if self.matrices[n].grad is not None
            ]
            if not pairs:
                continue
            ahead = []
            for weight, moment in pairs:
                assert weight.grad is not None
                moment.lerp_(weight.grad, 1 - MOMENTUM)
                ahead.append(weight.grad.lerp(moment, MOMENTUM))
            updates = orthogonalised(torch.stack(ahead))
            for (weight, _), update in zip(pairs, updates, strict=True):
                weight.mul_(1 - rate * DECAY)
                weight.add_(update, alpha=-rate * max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5)

    def zero_grad(self) -> None:
        self.adam.zero_grad(set_to_none=True)
        for weight in self.matrices:
            weight.grad = None

    def state(self) -> dict[str, Any]:
        return {"adam": self.adam.state_dict(), "moments": self.moments}

    def load(self, state: dict[str, Any]) -> None:
        rates = [group["rate"] for group in self.adam.param_groups]
        self.adam.load_state_dict(state["adam"])
        for group, rate in zip(self.adam.param_groups, rates, strict=True):
            group["rate"] = rate  # a resumed run obeys the rates that it is given, not those it began with
        for mine, saved in zip(self.moments, state["moments"], strict=True):
            mine.copy_(saved)
