"""Trains one model in several processes, each on its own core, by adding up their gradients at every step.

Two processes of one thread do nearly twice the work of one; one process of two threads does not.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn


@dataclass(frozen=True, slots=True)
class DataParallel:
    """The identity of one process. `port` is where they meet, on this machine only."""

    rank: int = 0
    count: int = 1
    port: int = 0

    @property
    def leads(self) -> bool:
        """Whether this process writes the files and keeps the time."""
        return self.rank == 0

    def meet(self) -> None:
        if self.count > 1:
            dist.init_process_group(
                "gloo", init_method=f"tcp://127.0.0.1:{self.port}", rank=self.rank, world_size=self.count
            )

    def part(self) -> None:
        if dist.is_initialized():
            dist.destroy_process_group()

    def agree(self, model: nn.Module, flag: torch.Tensor) -> torch.Tensor:
        """Replaces every gradient by the mean of all, and returns the sums of `flag`, a few numbers."""
        if self.count == 1:
            return flag
        held = [p for p in model.parameters() if p.grad is not None]
        flat = torch.cat([p.grad.reshape(-1) for p in held if p.grad is not None] + [flag.float()])
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
