"""Several processes train one model, each on a core of its own: they add up their gradients at every step.

Comes in: a rank, how many there are, a model. Goes out: the same gradients, and the same word to stop, in all
of them. Two processes of one thread do nearly twice the work of one; one process of two threads does not.
Must not know: data, optimisers, files.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn


@dataclass(frozen=True, slots=True)
class DataParallel:
    """Who one of them is. `port` is where they meet, on this machine only."""

    rank: int = 0
    count: int = 1
    port: int = 0

    @property
    def leads(self) -> bool:
        """The first writes files and keeps the time."""
        return self.rank == 0

    def meet(self) -> None:
        if self.count > 1:
            dist.init_process_group(
                "gloo", init_method=f"tcp://127.0.0.1:{self.port}", rank=self.rank, world_size=self.count
            )

    def part(self) -> None:
        if dist.is_initialized():
            dist.destroy_process_group()

    def agree(self, model: nn.Module, said: torch.Tensor) -> torch.Tensor:
        """Makes every gradient the mean of all, and gives back the sum of what each has `said`: a few
        numbers."""
        if self.count == 1:
            return said
        held = [p for p in model.parameters() if p.grad is not None]
        flat = torch.cat([p.grad.reshape(-1) for p in held if p.grad is not None] + [said.float()])
        dist.all_reduce(flat)
        at = 0
        for parameter in held:
            assert parameter.grad is not None
            size = parameter.grad.numel()
            parameter.grad.copy_(flat[at : at + size].view_as(parameter.grad)).div_(self.count)
            at += size
        return flat[at:]


ALONE = DataParallel()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
