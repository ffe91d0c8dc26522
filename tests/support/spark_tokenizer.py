"""A tokenizer of the `spark` family in miniature: the fixed ids of the layout, and a BPE of a few lines."""

from __future__ import annotations

from functools import cache

from spark_tui.engine.text.bpe_trainer import train
from spark_tui.engine.tokenizer import Tokenizer

TEXT = [
    "def area(width, height):",
    "    return width * height",
    "def total(items): return sum(item.price for item in items)",
    "rename width to breadth in lines 1-2, please",
] * 3


@cache
def spark_tokenizer() -> Tokenizer:
    return Tokenizer(train(TEXT))
