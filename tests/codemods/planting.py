"""Code that operations fit, put into modules in which they seldom find any."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_WORDS = ("amounts", "baskets", "clients", "entries", "folders", "gauges", "handles", "items", "labels")
_SNIPPETS = 8


@cache
def snippets() -> dict[str, list[str]]:
    """The pieces of code by the operation that they fit."""
    return tomllib.loads(Path(__file__).with_name("planted.toml").read_text("utf-8"))


def planted(texts: Mapping[str, str], name: str, rng: random.Random) -> dict[str, str]:
    """The modules with some pieces at their ends, where an operation has any: with names of their
    own, and the indentation and line endings of the module."""
    known = snippets().get(name, [])
    return {path: _with_pieces(text, known, rng) for path, text in texts.items()}


def _with_pieces(text: str, known: list[str], rng: random.Random) -> str:
    if not known or not text.endswith("\n"):
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = "\t" if "\n\t" in text else "    "
    pieces = [_named(rng.choice(known), rng, at).replace("    ", unit) for at in range(_SNIPPETS)]
    return text + "".join(f"\n\n{piece.strip()}\n" for piece in pieces).replace("\n", newline)


def _named(piece: str, rng: random.Random, at: int) -> str:
    for letter, word in zip("abcdi", rng.sample(_WORDS, 5), strict=True):
        piece = piece.replace(f"{{{letter}}}", word)
    return piece.replace("{f}", f"planted_{at}").replace("{{", "{").replace("}}", "}")
