"""The lines of a docstring, and edits of some of them that leave the others as they are laid out."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence
from itertools import takewhile

from spark_tui.codemods.plan import Edit
from spark_tui.pysource.source import Source

_PLAIN = re.compile(r"([rR]?)(\"{3}|'{3})(.*)\2", re.DOTALL)


def cleaned(said: ast.Expr) -> list[str]:
    """The lines of a docstring without its indentation."""
    assert isinstance(said.value, ast.Constant) and isinstance(said.value.value, str)
    return inspect.cleandoc(said.value.value).split("\n")


def lines_edit(source: Source, said: ast.Expr, new: Sequence[str]) -> Edit | None:
    """The edit of those lines of a docstring that are others. None where that would be the first line or one
    that stands before the closing quotes, or where what stands there is not what it says."""
    low, high = source.span(said.value)
    found, end = _PLAIN.fullmatch(source.text[low:high]), source.newline
    old = cleaned(said)
    start = _alike(old, new)
    if found is None or not start or ("\\" in found[3] and not found[1]):
        return None
    kept = _alike(old[start:][::-1], new[start:][::-1])
    stands = found[3].split(end)
    first = next((at for at, line in enumerate(stands) if line.strip()), 0)
    inside = stands[first : first + len(old)]
    if [one.strip() for one in inside] != [one.strip() for one in old]:
        return None
    if not kept and first + len(old) == len(stands):
        return None
    added = new[start : len(new) - kept]
    if any(sign in one for one in added for sign in (found[2], "\\")):
        return None
    margins = [one[: len(one) - len(one.lstrip())] for one in inside[1:] if one.strip()]
    shown = (min(margins, key=len, default="") + one if one else "" for one in added)
    begin = low + found.start(3) + sum(len(one) + len(end) for one in stands[: first + start])
    gone = sum(len(one) + len(end) for one in stands[first + start : first + len(old) - kept])
    return Edit(source.path, begin, begin + gone, "".join(one + end for one in shown))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """With how many equal lines both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
