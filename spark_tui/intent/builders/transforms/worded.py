"""Transforms that words describe: what is taken out of a text, or put between texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says


def worded_transform(said: str) -> str:
    """The form of a transform in words: `{x}.replace(" ", "")` for *take blanks out*, `", ".join({x})` for
    *commas between*; empty where there is none."""
    between, out = (says("transform_words", kind, said) for kind in ("between", "out"))
    if between or out:
        signs = [
            code
            for word in re.findall(r"\w+", said.lower())
            if (code := phrases.lookup("signs", word) or phrases.lookup("signs", word.removesuffix("s")))
        ]
        if len(signs) == 1 and between and signs[0] != '"':
            end = " " if signs[0] in ",;" else ""
            shown = signs[0].replace("\n", "\\n")
            return f'"{shown}{end}".join({{x}})'
        if len(signs) == 1 and signs[0] not in '"\n':
            return f'{{x}}.replace("{signs[0]}", "")'
    return ""


def of_items(change: Callable[[str], str], text: str) -> str:
    """Each of several values, changed: of those that are calculated, where there are some; else empty."""
    tree = parsed(text)
    if not isinstance(tree, ast.Tuple) or not tree.elts:
        return ""
    made = [one for one in tree.elts if isinstance(one, ast.BinOp)] or tree.elts
    shown = [
        change(shown) if one in made else shown
        for one in tree.elts
        if (shown := ast.get_source_segment(text, one) or ast.unparse(one))
    ]
    inside = parsed(text[1:-1]) if text.startswith("(") and text.endswith(")") else None
    joined = ", ".join(shown) + ("," if len(shown) == 1 else "")
    return f"({joined})" if isinstance(inside, ast.Tuple) else joined
