"""Keys that words mean, of those that stand in a dictionary, and keys in the form of those."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.described_names import content_words, score_description


def known_key(text: str, keys: Sequence[str], new: bool = False) -> str | None:
    """The one key that words mean: in another case or number, or, if it may be no `new` one, by
    another word for it."""
    plain = text.strip().strip("`'\"")
    same = [key for key in keys if key.lower() == plain.lower()]
    if same:
        return same[0]
    lower = {key.lower() for key in keys}
    if any(f"{key}s" in lower for key in lower):  # of `http` and `https` none is the other in the plural
        return None
    told = content_words(plain)
    alike = [key for key in keys if told and key[:1].isalpha() and score_description(told, key) >= 1.0]
    if new:
        alike = [key for key in alike if key.lower().rstrip("s") == plain.lower().rstrip("s")]
    return alike[0] if len(alike) == 1 else None


def spelled_key(key: ast.expr) -> str:
    """The text of a key without its quotes."""
    shown = ast.unparse(key)
    return (shown[1:] if _is_bytes(key) else shown).strip("'\"")


def like_bytes(shown: str, keys: Sequence[ast.expr], said: str) -> str:
    """A new key as bytes, where it was said so, or all others are bytes."""
    if _is_bytes(parsed(said)):
        return said
    text = parsed(shown)
    plain = isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value.isascii()
    return f"b{shown}" if plain and keys and all(map(_is_bytes, keys)) else shown


def _is_bytes(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bytes)
