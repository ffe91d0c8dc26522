"""Attention by blocks of queries is the attention of torch's own kernel."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from spark_tui.train.language_model.model import attend, attend_in_blocks  # noqa: E402


@pytest.mark.parametrize(("length", "window"), [(7, 0), (64, 64), (130, 1), (200, 0), (300, 100)])
def test_blocks_and_the_kernel_agree(length: int, window: int) -> None:
    torch.manual_seed(length)
    q, k, v = (torch.randn(2, heads, length, 16) for heads in (4, 2, 2))
    assert torch.allclose(attend(q, k, v, window), attend_in_blocks(q, k, v, window), atol=1e-5)
