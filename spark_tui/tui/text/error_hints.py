"""What to do about an error: hints name commands and flags, the workbench and the screen reader their own
words for them."""

from __future__ import annotations

WORKBENCH = {
    "spark exec --resume last": "/resume",
    "spark models list --connect URL": "/model",
    "`spark models list`": "/model",
    "`spark connect`": "/connect",
    "--max-tokens": "`model.max_tokens` (/settings)",
    "--effort": "`model.effort` (/settings)",
    "--model NAME": "/model",
}
SPOKEN = {
    **WORKBENCH,
    "spark exec --resume last": "say resume",
    "--max-tokens": "/set model.max_tokens",
    "--effort": "/set model.effort",
}


def reworded(hint: str, words: dict[str, str]) -> str:
    """A hint with the words of a surface."""
    for flag, word in words.items():
        hint = hint.replace(flag, word)
    return hint
