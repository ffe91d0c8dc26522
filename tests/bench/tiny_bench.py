"""A tokenizer and an engine small enough that a bench runs in a test."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engine"))

from make_tokenizers import byte_level

from spark_tui.engine.tokenizer import Tokenizer


@cache
def byte_tokenizer() -> Tokenizer:
    return Tokenizer(byte_level())
