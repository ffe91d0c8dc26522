"""Attributes of which only the last part of the name is said: `md5` is that of `hashlib.md5`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.anchors import Anchor, Search, nodes
from spark_tui.intent.situation import Area

_WHOLE, _END = 0.8, 0.6
_LEAST = 3


def attribute_parts(at: Search, text: str) -> Iterator[Anchor]:
    """The attributes of modules that are called so, or in capitals end so; `holder` is what stands in front.
    What is new has to be a name as well."""
    new = at.context.text("new").strip("`")
    if at.slot != "old" or not text.isidentifier() or not new.isidentifier() or len(text) < _LEAST:
        return
    imported = {
        (one.asname or one.name).partition(".")[0]
        for each in nodes(at.source.tree or at.root, ast.Import)
        for one in getattr(each, "names", ())
    }
    every = [one for one in nodes(at.root, ast.Attribute) if isinstance(one, ast.Attribute)]
    every = [one for one in every if isinstance(one.value, ast.Name) and one.value.id in imported]
    whole = [one for one in every if one.attr == text]
    ends = [one for one in every if text.isupper() and one.attr.endswith(text)]
    for one in whole or ends:
        weight = _WHOLE if whole else _END
        yield Anchor(Area(""), one, weight=weight, words={"holder": ast.unparse(one.value)})
