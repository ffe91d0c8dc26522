"""Blocks of rows."""

from __future__ import annotations

from spark_tui.engine.forward.buffers import BLOCK_ROWS, cut
from spark_tui.engine.kernels.panels import MIN_ROWS


def test_blocks_follow_one_another_and_none_is_a_single_row() -> None:
    for rows in range(MIN_ROWS, 2100):
        blocks = cut(rows)
        assert [0, *(high for _, high in blocks)] == [*(low for low, _ in blocks), rows]
        assert all(MIN_ROWS <= high - low <= BLOCK_ROWS for low, high in blocks)
    assert cut(1) == [(0, 1)]
