"""Encodes text with the tokenizer of a run."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer


class Encoder:
    """Encodes plain text without special tokens; lines are cached."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.tokenizer.encode_special_tokens = True
        self._cached = lru_cache(maxsize=200_000)(self._encode)

    def _encode(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def __call__(self, text: str) -> list[int]:
        return list(self._cached(text)) if text else []


def load(path: Path) -> Encoder:
    return Encoder(Tokenizer.from_file(str(path)))
