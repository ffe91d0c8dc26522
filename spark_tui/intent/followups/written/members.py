"""Messages that name a part of a value that an edit wrote: *just the name of it*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from spark_tui.intent.context.lookup import key
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import walk

_LIKELY = 0.7
_WHOLE = ast.Name | ast.Subscript | ast.Call | ast.Attribute


def members(written: WrittenSyntax, values: Iterable[ast.expr]) -> Iterator[NodeRewrite]:
    """The attribute or item that the words name of a written value, the last value first; not where they name
    something that can be used there."""
    spans = written.reading.slots.get("value", ())
    if len(spans) != 1 or spans[0].quoted:
        return
    match = re.match(r"[\w ]+?(?= of \w+\Z|\Z)", phrases.without_articles(spans[0].text.strip(" `.,!")))
    if match is None or len(found := _known(written).get(key(match[0]), set())) != 1:
        return
    weight = _LIKELY
    for node in values:
        if isinstance(node, _WHOLE) and written.visible(node).expression(match[0]) is None:
            yield NodeRewrite(node, written.source.segment(_owner(node)) + next(iter(found)), weight)
            weight *= SECOND


def _owner(node: ast.expr) -> ast.expr:
    """What has the parts: of a value that is a part itself, the whole."""
    if isinstance(node, ast.Subscript) and _key_of(node) is not None:
        return node.value
    return node.value if isinstance(node, ast.Attribute) else node


def _key_of(node: ast.Subscript) -> str | None:
    found = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return found if isinstance(found, str) else None


def _known(written: WrittenSyntax) -> dict[str, set[str]]:
    """The attributes of objects and the keys of items in a file, also before the edit, as they stand behind a
    value."""
    out: dict[str, set[str]] = {}
    before = written.situation.before
    sources = [repo.index.source(written.path) for repo in (written.repo, before) if repo is not None]
    for source in sources:
        for node in walk(source.tree):
            if isinstance(node, ast.Attribute) and not isinstance(source.parents.get(node), ast.Call):
                out.setdefault(key(node.attr), set()).add(f".{node.attr}")
            elif isinstance(node, ast.Subscript) and (name := _key_of(node)) is not None:
                out.setdefault(key(name), set()).add(f'["{name}"]')
    return out
