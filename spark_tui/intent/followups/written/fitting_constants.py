"""Constants of a file in the place of literals that an edit wrote: *use the constant*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax
from spark_tui.intent.words import phrases

_LIKELY = 0.95


def fitting_constant(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """The only constant of the same value as a written literal, or else that is called like what the literal
    is for, or that is of its kind if the message knows of one, wherever the literal was written."""
    source, weight = written.source, _LIKELY
    known = {
        target.id: item.value
        for item in source.body
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant)
        for target in item.targets
        if isinstance(target, ast.Name) and target.id.isupper()
    }
    new = {*re.findall(r"(?<!\w)[A-Z][A-Z\d_]{2,}(?!\w)", written.instruction)} - known.keys()
    if new:
        return  # it is given a name of its own
    told = {name: held for name, held in known.items() if re.search(rf"\b{name}\b", written.instruction)}
    known = told or known
    told_of = re.search(followup_table()["known_constant"]["words"], written.instruction, re.IGNORECASE)
    others = [*known] if told_of else []
    for node in reversed(written.nodes):
        if not isinstance(node, ast.Constant) or not written.is_whole(node) or not known:
            continue
        equal = [name for name, held in known.items() if ast.dump(held) == ast.dump(node)]
        words = set(_purpose(written, node))
        kind = type(node.value)
        alike = [
            name
            for name, held in known.items()
            if isinstance(held.value, kind) and words & set(split_name(name))
        ]
        found = equal or alike or [name for name in others if isinstance(known[name].value, kind)]
        if len(found) == 1 and node.value is not None and kind is not bool:
            yield NodeRewrite(node, found[0], weight)
            weight *= SECOND


def says_constant(text: str) -> bool:
    """Whether words are no more than that a constant is meant."""
    return phrases.without_articles(text).lower() in followup_table()["kinds"]["constant"]


def _purpose(written: WrittenSyntax, node: ast.Constant) -> Iterator[str]:
    """The words of what a literal is given for, set to or compared with."""
    parent = written.source.parents.get(node)
    if isinstance(parent, ast.keyword):
        yield from split_name(parent.arg or "")
    elif isinstance(parent, ast.Compare):
        yield from split_name(written.source.segment(parent))
    elif isinstance(parent, ast.Assign):
        yield from split_name(written.source.segment(parent.targets[0]))
    elif isinstance(parent, ast.arguments):
        for name, default in zip(reversed(parent.args), reversed(parent.defaults), strict=False):
            if default is node:
                yield from split_name(name.arg)
