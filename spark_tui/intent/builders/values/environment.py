"""Calls that read a setting from an environment variable, with its value as what is taken without one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.building.building import Built, builder, call, filled
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key, plain_name, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk

_TAKES_TEXT = ("Path", "pathlib.Path", "int", "float", "str", "Decimal")


@builder("from_environment")
def from_environment(context: Context) -> Iterator[Built]:
    found = list(_places(context))
    if not found:
        raise Unresolved(f"nothing is set to a value as {context.text('variable') or 'that'}")
    exact = [item for item in found if item[3] == 1.0] or found
    for area, owner, value, score in exact:
        source = context.source(area.path)
        goal = _goal(owner, value)
        made = _read(context, area, source, goal, value)
        if made is None:
            continue
        code, doubts = made
        if isinstance(owner, Function):
            target = f"{area.path}::{source.qualname(owner)}"
            edit = call("set_default", target=target, name=goal, default=code)
            doubts = (*doubts, "the variable is read once, when the function is defined")
        else:
            edit = replace_code(context, Anchor(area, value), code)
        several = (places_fit(len(exact)),) if len(exact) > 1 else ()
        yield Built((edit,), 0.95 * score * area.weight / len(exact), (*area.doubts, *doubts, *several))


def _places(context: Context) -> Iterator[tuple[Area, ast.AST, ast.expr, float]]:
    """Assignments and defaults of the name that is said, each with its value; else constants called alike."""
    variable_text = plain_name(context.text("variable") or context.text("name").lstrip("$"))
    words = {word for word in split_name(variable_text) if len(word) > 1}
    for area, _, node in context.find(ast.AST):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            goal = node.targets[0] if isinstance(node, ast.Assign) else node.target
            score = _alike(ast.unparse(goal).removeprefix("self."), variable_text, words)
            if isinstance(goal, ast.Name | ast.Attribute) and score:
                yield area, node, node.value, score
        elif isinstance(node, Function):
            for parameter in parameters(node):
                old = default_of(node, parameter.arg)
                if old is not None and (score := _alike(parameter.arg, variable_text, words)):
                    yield area, node, old, 0.9 * score


def _alike(name: str, text: str, words: set[str]) -> float:
    if key(name) == key(text):
        return 1.0
    own = set(split_name(name))
    return 0.7 * len(own & words) / len(own) if words and own & words else 0.0


def _goal(owner: ast.AST, value: ast.expr) -> str:
    if isinstance(owner, Function):
        return next(
            parameter.arg for parameter in parameters(owner) if default_of(owner, parameter.arg) is value
        )
    assert isinstance(owner, ast.Assign | ast.AnnAssign)
    goal = owner.targets[0] if isinstance(owner, ast.Assign) else owner.target
    return ast.unparse(goal).removeprefix("self.")


def _names_part(context: Context, value: ast.expr) -> bool:
    """Whether the words for a default are a part of the text that is there: *fall back to localhost*."""
    span, held = context.span("default"), getattr(value, "value", None)
    plain = span is not None and not span.quoted and span.text.isalpha() and isinstance(held, str)
    return plain and span is not None and held != span.text and span.text in re.split(r"\W+", str(held))


def _read(
    context: Context, area: Area, source: Source, goal: str, value: ast.expr
) -> tuple[str, tuple[str, ...]] | None:
    """The code that reads the variable, and what was guessed."""
    told = re.sub(r"[^\w]", "", context.text("name"))
    name = (
        told if told and re.fullmatch(r"[A-Z][A-Z\d_]*", told) else "_".join(split_name(told or goal)).upper()
    )
    doubts = (
        () if told or goal.isupper() else (assumed(f"{name} was assumed to be the name of the variable"),)
    )
    stays = phrases.is_said("as_before", context.text("default")) or _names_part(context, value)
    given = None if stays else filled(context, "{default:value}", Anchor(area, value, extra={"old": value}))
    if given and given[0].text:
        try:
            value = ast.parse(given[0].text, mode="eval").body
        except SyntaxError:
            return None
    shown = given[0].text if given and given[0].text else source.segment(value)
    if "environ" in shown or "getenv" in shown:
        raise Unresolved(f"{shown} already reads the environment", nothing=True)
    called = literal(name, source)
    inner = (
        value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords else None
    )
    if inner is not None and isinstance(value, ast.Call) and ast.unparse(value.func) in _TAKES_TEXT:
        return f"{source.segment(value.func)}({_get(source, called, source.segment(inner))})", doubts
    plain = value.operand if isinstance(value, ast.UnaryOp) else value
    constant = plain.value if isinstance(plain, ast.Constant) else ...
    if constant is None:
        return _get(source, called), doubts
    if isinstance(constant, bool):
        fallback, sign = literal("1" if constant else "0", source), "!=" if constant else "=="
        other = literal("0" if constant else "1", source)
        return f"{_get(source, called, fallback)} {sign} {other}", (*doubts, "1 means on, 0 off")
    if isinstance(constant, int | float):
        kind = type(constant).__name__
        return f"{kind}({_get(source, called, literal(shown.replace('_', ''), source))})", doubts
    if isinstance(value, ast.List | ast.Dict | ast.Set | ast.Tuple):
        raise Unresolved(f"{goal} is not text: the instruction does not say how to split the variable")
    if isinstance(value, ast.BinOp) and not any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) for node in walk(value)
    ):
        return f"int({_get(source, called, shown)})", (
            *doubts,
            assumed(f"{shown} was assumed to be a whole number"),
        )
    if not isinstance(value, ast.Constant | ast.JoinedStr):
        doubts = (*doubts, assumed(f"{shown} was assumed to be a text"))
    return _get(source, called, shown), doubts


def _get(source: Source, name: str, fallback: str = "") -> str:
    """The call that asks for a variable, as the file does it."""
    text = source.text
    callee = "os.getenv" if "os.getenv(" in text and "environ" not in text else "os.environ.get"
    if re.search(r"^from os import .*\benviron\b", text, re.MULTILINE):
        callee = "environ.get"
    elif re.search(r"^from os import .*\bgetenv\b", text, re.MULTILINE):
        callee = "getenv"
    return f"{callee}({name}, {fallback})" if fallback else f"{callee}({name})"
