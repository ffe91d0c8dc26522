"""Lists and dictionaries that are described by words of their names, or known by items like the new one."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.codemods.displays import names_of_value
from spark_tui.intent import phrases
from spark_tui.intent.anchors import Search
from spark_tui.intent.described_names import best_described, content_words
from spark_tui.intent.walking import walk

_DESCRIBED = 0.55
_ALIKE = 0.7
_LONG = 24
"""Characters of a text of which it is not told what it looks like."""


def other_displays(
    at: Search, found: list[tuple[float, ast.AST]], every: Sequence[ast.AST], named: bool
) -> list[tuple[float, ast.AST]]:
    """Those that were found by name, or else by words; without a name one of items that look alike."""
    if named:
        inner = set(walk(at.root))
        near = [one for one in every if one in inner]
        return found or described_displays(at, every) or alike_displays(at, near)
    return alike_displays(at, [one for _, one in found]) or found


def described_displays(at: Search, every: Sequence[ast.AST]) -> list[tuple[float, ast.AST]]:
    """The displays of the one name that words describe."""
    said = content_words(at.context.text(at.slot))
    called = {one: names_of_value(at.source, one) for one in every if _fits(at, one)}
    found, _ = best_described(said, {name for names in called.values() for name in names}, {})
    return [(_DESCRIBED, one) for one, names in called.items() if len(found) == 1 and found[0] in names]


def _fits(at: Search, node: ast.AST) -> bool:
    """Whether a display has items, and numbers among them where one is given."""
    items = [*filter(None, node.keys)] if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    given = at.context.text("key" if at.context.reading.intent == "set_entry" else "value")
    numbers = [isinstance(getattr(one, "value", None), int | float) for one in items]
    return bool(items) and (any(numbers) or phrases.number(given) is None)


def alike_displays(at: Search, every: Sequence[ast.AST]) -> list[tuple[float, ast.AST]]:
    """The only display whose items, or keys, look like the one that is given: `/opt` beside `/etc`."""
    slot = "key" if at.context.reading.intent == "set_entry" else "value"
    given = at.context.text(slot).strip("`'\"")
    if not given or at.context.reading.intent not in ("add_item", "set_entry"):
        return []
    found = [one for one in every if isinstance(one, ast.Dict) == (slot == "key") and _is_alike(one, given)]
    return [(_ALIKE, found[0])] if len(found) == 1 else []


def _is_alike(node: ast.AST, given: str) -> bool:
    items = [*filter(None, node.keys)] if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    texts = [one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if not texts or len(texts) < len(items) or len(given) > _LONG:
        return False
    shape = _shape(given)
    plain = re.fullmatch("a+", shape) is not None  # any word looks like that
    return not plain and all(_shape(one)[:1] == shape[:1] for one in texts) and shape in map(_shape, texts)


def _shape(text: str) -> str:
    """What a text looks like: `/opt` is `/a`, `EUR` is `AAA`, `v1.2` is `a9.9`."""
    shown = re.sub(r"\d+", "9", re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]", "A", text)))
    return re.sub(r"A(?=a)", "", shown)
