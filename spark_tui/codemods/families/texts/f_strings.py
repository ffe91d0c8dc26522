"""Strings: f-strings from `%`, `.format` and `+`."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import parses_to, plan_edits, refuse_lost_comments
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.rewriting.text_doubts import percent_doubts, sum_doubts
from spark_tui.codemods.slots import Place, Text
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_CONVERSION = re.compile(r"%(?:\((?P<key>\w+)\))?(?P<spec>[-0+ ]*\d*(?:\.\d+)?)(?P<kind>[srdfxXeEg%])")
_SAME_SPEC = re.compile(r"<?[+ ]?(?:[1-9]\d*)?(?:\.\d+)?|[+ ]?0\d+(?:\.\d+)?")
"""What stands before the letter of a number in both, with `<` for `-`."""
_SPECS = {"d": "d", "f": "f", "x": "x", "X": "X", "e": "e", "E": "E", "g": "g"}


@dataclass(frozen=True, slots=True)
class _Field:
    """A value in a string: its tree, `!r` or `!s` as a number, and its format: texts and values in them."""

    value: ast.expr
    conversion: int = -1
    spec: tuple[str | ast.expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """An f-string that takes the place of an expression, as an edit and as the tree that it has to be."""

    node: ast.expr
    literal: ast.Constant | None
    edit: Edit
    tree: ast.JoinedStr


_Part = str | _Field
"""A piece of the literal as it stands between the quotes, with braces as they mean themselves, or a field."""


@codemod
class ToFString:
    """Turn strings built with `%`, `.format` or `+` into f-strings."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")
    form: Text = slot("only what is built by `%`, `format` or `+`", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source = found.source
        made: list[_Made] = []
        left: list[Unfollowed] = []
        done = -1
        for node in found.nodes(ast.expr):
            literal = _literal(node)
            built = literal is not None or _joins_texts(node)
            if not built or self.form not in ("", _form(node)) or source.span(node)[0] < done:
                continue
            try:
                made.append(_Made(node, literal, *_edit(source, node, literal)))
            except Refusal as error:
                left.append(Unfollowed(source.path, node.lineno, str(error)))
                continue
            done = source.span(node)[1]
        if not parses_to(source, [one.edit for one in made], {one.node: one.tree for one in made}):
            # Together they are looked at once; here one of them is another text than it was.
            kept = [one for one in made if parses_to(source, [one.edit], {one.node: one.tree})]
            reason = "the f-string would say something else"
            left += [Unfollowed(source.path, one.node.lineno, reason) for one in made if one not in kept]
            made = kept
        for one in made:
            if (
                isinstance(one.node, ast.BinOp)
                and isinstance(one.node.op, ast.Mod)
                and one.literal is not None
            ):
                left += percent_doubts(repo, source, one.node, _filled(source, one.node, one.literal))
            elif isinstance(one.node, ast.BinOp):
                left += sum_doubts(repo, source, one.node, _joined(one.node))
        if not made:
            if left:
                raise Refusal(left[0].reason)
            whole = found.node is source.tree  # what a definition lacks may stand elsewhere
            raise Refusal("no string there is built by %, format or +", why="nothing" if whole else "unfit")
        return plan_edits(repo, [one.edit for one in made], left)


def _joins_texts(node: ast.expr) -> bool:
    """Whether a chain of `+` joins a text made by `str` to others, without a literal."""
    parts = _joined(node)
    made = any(isinstance(part, ast.Call) and ast.unparse(part.func) == "str" for part in parts)
    plain = all(isinstance(part, ast.Name | ast.Attribute | ast.Call) for part in parts)
    return len(parts) > 1 and made and plain


def _form(node: ast.expr) -> str:
    """By what a string is built."""
    if isinstance(node, ast.BinOp):
        return "%" if isinstance(node.op, ast.Mod) else "+"
    return "format"


def _literal(node: ast.expr) -> ast.Constant | None:
    """The literal that a `%` or `.format` fills, or the first that a `+` joins to something."""
    inner: ast.expr | None = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        literals = [item for item in _joined(node) if isinstance(item, ast.Constant)]
        if len(literals) < len(_joined(node)):
            inner = next((literal for literal in literals if isinstance(literal.value, str)), None)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        inner = node.left
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        inner = node.func.value
    return inner if isinstance(inner, ast.Constant) and isinstance(inner.value, str) else None


def _joined(node: ast.expr) -> list[ast.expr]:
    """What a chain of `+` joins, from the left."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_joined(node.left), node.right]
    return [node]


def _sum(source: Source, node: ast.expr, prefix: str) -> Iterator[_Part]:
    """The parts of a chain of `+` whose literals are written like the first."""
    for inner in _joined(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            body = source.quoted(inner)
            if body is None or source.text[source.span(inner)[0] : body[0]] != prefix:
                raise Refusal("the literals are not written alike")
            yield source.text[slice(*body)]
        elif isinstance(inner, ast.Call) and ast.unparse(inner.func) == "str" and len(inner.args) == 1:
            yield _Field(inner.args[0])
        elif isinstance(inner, ast.Constant | ast.JoinedStr | ast.Dict | ast.Set):
            raise Refusal(f"{source.segment(inner)} cannot be taken into the string")
        else:
            yield _Field(inner)


def _edit(source: Source, node: ast.expr, literal: ast.Constant | None) -> tuple[Edit, ast.JoinedStr]:
    low, high = source.span(node)
    parts: list[_Part]
    if literal is None:
        raw, quote = "", '"'
        parts = [part for part in _sum(source, node, "") if isinstance(part, _Field)]
    else:
        body = source.quoted(literal)
        if body is None or "\\N" in source.text[slice(*body)]:
            raise Refusal("the literal has several parts, or names of characters")
        prefix = source.text[source.span(literal)[0] : body[0]]
        quote = prefix.lstrip("uUrR")
        raw = prefix[: -len(quote)].lower().replace("u", "")
        text = source.text[slice(*body)]
        if not isinstance(node, ast.BinOp):
            parts = list(_format(text, node))
        elif isinstance(node.op, ast.Add):
            parts = list(_sum(source, node, prefix))
        else:
            parts = list(_percent(text, node))
    if not any(isinstance(part, _Field) for part in parts):
        raise Refusal("it has no places for values")
    shown = "".join(
        part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else _shown(source, part, quote)
        for part in parts
    )
    around = source.parents.get(node)
    in_brackets = source.text[low - 1] == "(" and not source.text[low - 2 : low - 1].isalnum()
    if isinstance(around, ast.BinOp | ast.Assign | ast.Return) and in_brackets:
        # The brackets of a sum are of no use around a text.
        low, high = (low - 1, high + 1) if source.text[high : high + 1] == ")" else (low, high)
    edit = Edit(source.path, low, high, f"{raw}f{quote}{shown}{quote}")
    refuse_lost_comments(source, [edit])
    return edit, _tree(parts, raw, quote)


def _shown(source: Source, field: _Field, quote: str) -> str:
    inner = (item if isinstance(item, str) else _shown(source, _Field(item), quote) for item in field.spec)
    spec = "".join(inner)
    text = _in_other_quotes(source.segment(field.value), quote[0], field.value)
    if quote[0] in text or "\\" in text or "\n" in text or "#" in text:
        raise Refusal(f"{text.splitlines()[0]} cannot be in an f-string with these quotes")
    text = f"({text})" if isinstance(field.value, ast.Lambda | ast.NamedExpr) else text
    text = f" {text}" if text.startswith("{") else text
    mark = f"!{chr(field.conversion)}" if field.conversion > 0 else ""
    return "{" + text + mark + (f":{spec}" if spec else "") + "}"


def _in_other_quotes(text: str, quote: str, value: ast.expr) -> str:
    """The code of a value whose plain strings are in the quotes that the text around it does not have."""
    other = "'" if quote == '"' else '"'
    inner = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
    plain = not any(quote in item for item in inner if isinstance(item, str))
    return text.replace(quote, other) if other not in text and plain else text


def _tree(parts: list[_Part], raw: str, quote: str) -> ast.JoinedStr:
    values: list[ast.expr] = []
    for part in parts:
        if isinstance(part, _Field):
            within: list[ast.expr] = [
                ast.Constant(item) if isinstance(item, str) else ast.FormattedValue(item, -1, None)
                for item in part.spec
            ]
            spec = ast.JoinedStr(within) if within else None
            values.append(ast.FormattedValue(part.value, part.conversion, spec))
            continue
        piece = ast.literal_eval(f"{raw}{quote}{part}{quote}") if part else ""
        last = values[-1] if values else None
        if isinstance(last, ast.Constant):
            values[-1] = ast.Constant(str(last.value) + piece)
        elif piece:
            values.append(ast.Constant(piece))
    return ast.JoinedStr(values)


def _percent(text: str, node: ast.BinOp) -> Iterator[_Part]:
    right = node.right
    if isinstance(right, ast.Dict):
        raise Refusal("% with a dictionary is not supported")
    values = list(right.elts) if isinstance(right, ast.Tuple) else [right]
    if any(isinstance(value, ast.Starred) for value in values):
        raise Refusal("* fills an unknown number of places")
    done = 0
    for found in _CONVERSION.finditer(text):
        yield text[done : found.start()]
        done = found.end()
        if found["kind"] == "%":
            if found[0] != "%%":
                raise Refusal(f"{found[0]} has no counterpart")
            yield "%"
            continue
        if found["key"] or not values:
            raise Refusal("the places and the values do not fit")
        yield _converted(values.pop(0), found["spec"], found["kind"])
    if values or "%" in text[done:]:
        raise Refusal("the places and the values do not fit")
    yield text[done:]


def _filled(source: Source, node: ast.BinOp, literal: ast.expr) -> list[tuple[ast.expr, str]]:
    """The values of `text % values`, each with the letter of its conversion."""
    text = source.segment(literal)
    kinds = [found["kind"] for found in _CONVERSION.finditer(text) if found["kind"] != "%"]
    values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    return list(zip(values, kinds, strict=True))


def _converted(value: ast.expr, spec: str, kind: str) -> _Field:
    if kind in "sr":
        if not spec:
            return _Field(value, ord("r") if kind == "r" else -1)
        if not re.fullmatch(r"-?[1-9]\d*", spec):
            raise Refusal(f"%{spec}{kind} has no counterpart")
        return _Field(value, ord(kind), (("<" if spec[0] == "-" else ">") + spec.lstrip("-"),))
    shown = f"<{spec[1:]}" if spec.startswith("-") else spec
    if not _SAME_SPEC.fullmatch(shown) or (kind in "dxX" and "." in spec):
        raise Refusal(f"%{spec}{kind} has no counterpart")
    return _Field(value, -1, _without_empty(shown + _SPECS[kind]))


def _format(text: str, node: ast.expr) -> Iterator[_Part]:
    assert isinstance(node, ast.Call)
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if None in named or any(isinstance(arg, ast.Starred) for arg in node.args):
        raise Refusal("* and ** pass an unknown number of values")
    used: list[ast.expr] = []
    count = 0

    def value(name: str) -> ast.expr:
        nonlocal count
        if not name:
            name, count = str(count), count + 1
        found = node.args[int(name)] if name.isdigit() and int(name) < len(node.args) else named.get(name)
        if found is None:
            raise Refusal(f"the place {{{name}}} cannot be filled exactly")
        used.append(found)
        return found

    for piece, name, spec, conversion in _fields(text):
        yield piece
        if name is None:
            continue
        shown = value(name)
        parts: list[str | ast.expr] = []
        for before, inner, more, how in _fields(spec or ""):
            if more or how or "\\" in before:
                raise Refusal(f"the format {spec} cannot be written exactly")
            parts += _without_empty(before) if inner is None else (*_without_empty(before), value(inner))
        yield _Field(shown, ord(conversion) if conversion else -1, tuple(parts))
    given = [*node.args, *named.values()]
    acting = [arg for arg in given if has_effects(arg)]
    if any(used.count(arg) != 1 for arg in acting) or not set(given) <= set(used):
        raise Refusal("a value is used more than once, or not at all")
    if [item for item in used if item in acting] != acting:
        raise Refusal("what is called would run in another order")


def _fields(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(text))
    except ValueError as error:
        raise Refusal(str(error)) from None


def _without_empty(text: str) -> tuple[str, ...]:
    return (text,) if text else ()
