"""f-strings taken apart: joined with `+`, or formatted by `.format` or `%`."""

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
from spark_tui.codemods.slots import Choice, Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import text_in

_LITERAL = re.compile(
    r"(?P<prefix>[fFrR]+)(?P<quote>['\"])(?P<body>(?!(?P=quote){2}).*)(?P=quote)", re.DOTALL
)


class TextForm(Choice):
    """How values stand in a text."""

    JOINED = "+"
    FORMAT = "format"
    PERCENT = "%"


@codemod
class FromFString:
    """Replace f-strings by strings and values joined with `+`, or by `.format` or `%`."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")
    form: TextForm = slot("what they become", default=TextForm.JOINED)

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        specs = {value.format_spec for value in found.nodes(ast.FormattedValue)}
        strings = [node for node in found.nodes(ast.JoinedStr) if node not in specs]
        strings = [node for node in strings if found.source.span(node)[0] >= 0]
        if not strings:
            filled = any(isinstance(one.op, ast.Mod) and text_in(one.left) for one in found.nodes(ast.BinOp))
            raise Refusal("no f-string stands there", why="unfit" if filled else "nothing")
        source, form = found.source, self.form
        edits = [swap_expression(source, one, _written(source, one, form)) for one in strings]
        refuse_lost_comments(source, edits)
        named = repo.index.scopes(found.path).by_name
        taken = any(item.role.binds for name in ("str", "repr") for item in named.get(name, ()))
        if self.form is TextForm.JOINED and taken:
            raise Refusal("str or repr means something else in the file")
        values = [value.value for item in strings for value in _values_in(item)]
        return plan_edits(repo, edits, format_doubts(repo, source, values))


def _values_in(node: ast.JoinedStr) -> list[ast.FormattedValue]:
    return [value for value in node.values if isinstance(value, ast.FormattedValue)]


def _written(source: Source, node: ast.JoinedStr, form: TextForm) -> str:
    """An f-string in another form."""
    line = f"{source.path}:{node.lineno}"
    literal = _LITERAL.fullmatch(source.segment(node))
    if literal is None:
        raise Refusal(f"{line}: this f-string is not a plain one")
    quote = literal["quote"]
    begin, fields = literal["prefix"].lower().replace("f", "") + quote, _values_in(node)
    parts: list[tuple[str, str, str]] = []
    try:
        pieces = list(string.Formatter().parse(literal["body"]))
    except ValueError:
        raise Refusal(f"{line}: this f-string is not a plain one") from None
    text = ""
    for piece, name, spec, conversion in pieces:
        text += piece
        if name is None:
            continue
        kept = form is TextForm.FORMAT and "{" not in (spec or "")
        plain = bool(fields) and (kept or not spec) and conversion in (None, "r", "s")
        if not plain or not is_same_tree(read_expression(name), fields[0].value):
            raise Refusal(f"{line}: {{{name}}} is written in a format")
        if isinstance(fields.pop(0).value, ast.Tuple | ast.Yield | ast.YieldFrom):
            name = f"({name})"
        how = (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
        parts.append((text, name.strip(), how))
        text = ""
    if fields or not (parts or text):
        raise Refusal(f"{line}: this f-string is not a plain one")
    if form is TextForm.JOINED:
        joined: list[str] = []
        for front, name, how in parts:
            joined += [f"{begin}{front}{quote}"] if front else []
            joined.append(f"{'repr' if how == '!r' else 'str'}({name})")
        return " + ".join([*joined, *([f"{begin}{text}{quote}"] if text else [])])
    if not parts:
        return f"{begin}{text}{quote}"
    names = ", ".join(name for _, name, _ in parts)
    if form is TextForm.FORMAT:
        signs, values = "{}", f".format({names})"
        shown = [f"{{{how}}}" for _, _, how in parts]
    else:
        # A single value that is a tuple would be several.
        signs, values = "%", f" % ({names}{',' * (len(parts) == 1)})"
        shown = [f"%{how[1:] or 's'}" for _, _, how in parts]
    fronts = (_doubled(front, signs) for front, _, _ in parts)
    held = "".join(front + one for front, one in zip(fronts, shown, strict=True))
    return f"{begin}{held}{_doubled(text, signs)}{quote}{values}"


def _doubled(text: str, signs: str) -> str:
    """A text with some signs twice, as a format has them."""
    return "".join(sign * 2 if sign in signs else sign for sign in text)
