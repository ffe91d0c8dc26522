"""Processes that train together have the same gradients and hear the same word to stop."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.train


def one_of_two(rank: int, port: int, out: Path) -> None:
    from spark_tui.train.data_parallel import DataParallel

    peers = DataParallel(rank, 2, port)
    peers.meet()
    model = torch.nn.Linear(3, 2)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 1.0 + 2 * rank)
    said = peers.agree(model, torch.tensor([float(rank), 5.0]))
    torch.save(
        {"said": said, "grads": [parameter.grad for parameter in model.parameters()]}, out / f"{rank}.pt"
    )
    peers.part()


def test_gradients_are_the_mean_of_all_and_what_is_said_is_the_sum(tmp_path: Path) -> None:
    from spark_tui.train.data_parallel import free_port

    spawn, port = multiprocessing.get_context("spawn"), free_port()
    both = [spawn.Process(target=one_of_two, args=(rank, port, tmp_path)) for rank in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    for rank in range(2):
        found = torch.load(tmp_path / f"{rank}.pt")
        assert found["said"].tolist() == [1.0, 10.0]
        assert all(bool((gradient == 2.0).all()) for gradient in found["grads"])


def test_two_readers_share_the_rows_of_the_same_batches(tmp_path: Path) -> None:
    import numpy as np

    from spark_tui.train.dataset import Shards

    ids = np.arange(1, 401, dtype=np.uint16)
    np.savez(
        tmp_path / "a.npz",
        ids=ids,
        offsets=np.arange(0, 401, 10, dtype=np.uint32),
        groups=np.zeros(40, np.uint8),
        spans=np.tile(np.array([[2, 6]], np.uint16), (40, 1)),
        span_offsets=np.arange(41, dtype=np.uint32),
    )
    parts = [Shards(tmp_path, lengths=(16,), share=(rank, 2)).batches(128, 3) for rank in range(2)]
    rows: list[int] = []
    for _ in range(5):
        for part in parts:
            batch = next(part)
            assert batch.ids.shape == (4, 16)
            rows += batch.ids[:, 0].tolist()
    assert len(set(rows)) == len(rows) == 40
