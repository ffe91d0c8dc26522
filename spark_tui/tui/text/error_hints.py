"""What to do about an error: hints name commands and flags, the workbench and the screen reader their own
words for them."""

from __future__ import annotations

_WORKBENCH = {
    "spark exec --resume last": "/resume",
    "spark models list --connect URL": "/model",
    "`spark models list`": "/model",
    "`spark connect`": "/connect",
    "--max-tokens": "`model.max_tokens` (/settings)",
    "--effort": "`model.effort` (/settings)",
    "--model NAME": "/model",
}
_SPOKEN = {
    **_WORKBENCH,
    "spark exec --resume last": "say resume",
    "--max-tokens": "/set model.max_tokens",
    "--effort": "/set model.effort",
}


def in_workbench(hint: str) -> str:
    """A hint with the commands of the workbench."""
    return _said(hint, _WORKBENCH)


def in_screen_reader(hint: str) -> str:
    """A hint with the words of `--screen-reader`."""
    return _said(hint, _SPOKEN)


def _said(hint: str, words: dict[str, str]) -> str:
    for flag, word in words.items():
        hint = hint.replace(flag, word)
    return hint
