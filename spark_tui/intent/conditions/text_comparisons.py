"""Whether the strings of a condition that was made of words are meant as texts."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.intent.context.anchors import parsed
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


def texts_stand(code: str, words: str, source: Source) -> bool:
    """Whether the strings of a condition are quoted in its words, or stand in the file: in *isn't
    registered* no string is meant."""
    texts = {one.value for one in walk(ast.parse(code)) if isinstance(one, ast.Constant)}
    bare = {
        one
        for one in texts
        if isinstance(one, str)
        and re.search(r"\w", one)
        and not re.search(rf"[^\w\s]{re.escape(one)}", words)
    }
    if not bare or source.tree is None:
        return True
    standing = {one.value for one in walk(source.tree) if isinstance(one, ast.Constant)}
    return bare <= standing or _compared_with_text(code, source.tree)


def _compared_with_text(code: str, tree: ast.AST) -> bool:
    """Whether what a condition compares with a text is so elsewhere in the file, or must be a text."""
    test = parsed(code)
    if re.search(r"\.(?:starts|ends)with\(", code):
        return True  # which take nothing but texts
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq | ast.NotEq):
        return False
    return any(
        isinstance(one, ast.Compare)
        and isinstance(one.ops[0], ast.Eq | ast.NotEq)
        and ast.unparse(one.left) == ast.unparse(test.left)
        and isinstance(one.comparators[0], ast.Constant)
        and isinstance(one.comparators[0].value, str)
        for one in walk(tree)
    )


def types_compared(code: str) -> list[str]:
    """The built-in types that something is looked for in, or is more or less than: `x in list`."""
    nodes = [one for one in walk(parsed(code)) if isinstance(one, ast.Compare)]
    kinds = (ast.In, ast.NotIn, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    ends = [
        end
        for one in nodes
        for act, end in zip(one.ops, one.comparators, strict=True)
        if isinstance(act, kinds)
    ]
    ends += [one.left for one in nodes if isinstance(one.ops[0], kinds)]
    return [
        one.id for one in ends if isinstance(one, ast.Name) and isinstance(getattr(builtins, one.id, 0), type)
    ]
