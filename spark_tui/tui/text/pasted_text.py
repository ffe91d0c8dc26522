"""Large pasted texts in a prompt: sent between fences, shown by their size."""

from __future__ import annotations

import re

LARGE_LINES = 12
LARGE_CHARACTERS = 2_000
FENCED = re.compile(r"\n```\n(.*?)\n```\n", re.DOTALL)


def is_large(text: str) -> bool:
    return text.count("\n") >= LARGE_LINES or len(text) > LARGE_CHARACTERS


def size_of(text: str) -> str:
    """`2,000 lines`; of one long line its characters. A line end after the last line begins no other."""
    lines = text.removesuffix("\n").count("\n") + 1
    return f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"


def folded(message: str) -> str:
    """As the screen shows it."""
    return FENCED.sub(
        lambda block: f"[paste: {size_of(block[1])}]" if is_large(block[1]) else block[0], message
    )
