"""F-strings taken apart again."""

from __future__ import annotations

import ast
import re
import string

from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    plan_edits,
    read_expression,
    refuse_lost_comments,
    swap_expression,
)
from spark_tui.codemods.rewriting.text_doubts import format_doubts
from spark_tui.codemods.slots import Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_LITERAL = re.compile(
    r"(?P<prefix>[fFrR]+)(?P<quote>['\"])(?P<body>(?!(?P=quote){2}).*)(?P=quote)", re.DOTALL
)


@codemod
class FromFString:
    """Replace f-strings by strings and values joined with `+`."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        strings = [node for node in found.nodes(ast.JoinedStr) if found.source.span(node)[0] >= 0]
        if not strings:
            raise Refusal("no f-string stands there", why="nothing")
        edits = [swap_expression(found.source, one, _sum(found.source, one)) for one in strings]
        refuse_lost_comments(found.source, edits)
        named = repo.index.scopes(found.path).by_name
        if any(item.role.binds for name in ("str", "repr") for item in named.get(name, ())):
            raise Refusal("str or repr means something else in the file")
        values = [value.value for item in strings for value in _fields(item)]
        return plan_edits(repo, edits, format_doubts(repo, found.source, values))


def _fields(node: ast.JoinedStr) -> list[ast.FormattedValue]:
    return [value for value in node.values if isinstance(value, ast.FormattedValue)]


def _sum(source: Source, node: ast.JoinedStr) -> str:
    """The parts of an f-string with `+` between them."""
    line = f"{source.path}:{node.lineno}"
    literal = _LITERAL.fullmatch(source.segment(node))
    if literal is None:
        raise Refusal(f"{line}: this f-string is not a plain one")
    raw, quote = literal["prefix"].lower().replace("f", ""), literal["quote"]
    fields = _fields(node)
    parts = []
    try:
        pieces = list(string.Formatter().parse(literal["body"]))
    except ValueError:
        raise Refusal(f"{line}: this f-string is not a plain one") from None
    text = ""
    for piece, name, spec, conversion in pieces:
        text += piece
        if name is None:
            continue
        plain = bool(fields) and not spec and conversion in (None, "r", "s")
        if not plain or not is_same_tree(read_expression(name), fields.pop(0).value):
            raise Refusal(f"{line}: {{{name}}} is written in a format")
        parts += [f"{raw}{quote}{text}{quote}"] if text else []
        parts.append(f"{'repr' if conversion == 'r' else 'str'}({name.strip()})")
        text = ""
    parts += [f"{raw}{quote}{text}{quote}"] if text else []
    if fields or not parts:
        raise Refusal(f"{line}: this f-string is not a plain one")
    return " + ".join(parts)
