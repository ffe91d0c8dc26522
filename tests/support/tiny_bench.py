"""A tokenizer and an engine small enough that a bench runs in a test."""

from __future__ import annotations

from functools import cache

from support.tokenizers_by_kind import byte_level

from spark_tui.engine.tokenizer import Tokenizer


@cache
def byte_tokenizer() -> Tokenizer:
    return Tokenizer(byte_level())
