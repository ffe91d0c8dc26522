"""A value that the answer brought gets a name: as a constant, or as a parameter.

Comes in: a text, a message. Goes out: texts that may be wanted. Must not know: engines, ids.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.known import PLAIN, known, with_hunks
from spark_tui.refactor.source import Change, Source, parameters
from spark_tui.steers.otherwise_base import Base
from spark_tui.steers.otherwise_said import Said

CONSTANT = r"\bconst(?:ant)?s?\b|\bmodule[- ]level\b|\bmagic number\b|\bglobal\b|\bhard-?coded\b"
PARAMETER = r"\b(?:parameter|argument|param|kwarg|arg|keyword)s?\b|\bpass(?:ed)? (?:it|that) in\b|\bconfigurable\b|\bhand(?:ed)? (?:it|that) in\b"
_NO_NAME = frozenset(
    """
    with default defaulting instead keyword optional only new own extra second and there please too for from that the this
    its function make of in to on at as
    """.split()  # noqa: SIM905
)


def _literal(base: Base, said: Said) -> ast.Constant | None:
    """The one value that was brought; of several the one that is said."""
    found = [
        one
        for one in base.stands.new(ast.Constant)
        if isinstance(one, ast.Constant)
        and isinstance(one.value, (int, float, str))
        and not isinstance(one.value, bool)
        and base.src.function_of(one) is not None
        and not isinstance(base.src.parents.get(one), (ast.JoinedStr, ast.FormattedValue, ast.Expr))
        and one not in _defaults(base.src, one)
    ]
    spelled_out = [
        one for one in found if re.search(rf"(?<![\w.]){re.escape(base.src.segment(one))}(?![\w.])", said.message)
    ]
    numbers = [one for one in found if isinstance(one.value, (int, float))]
    for some in (spelled_out, numbers, found):
        if some:
            return some[0] if len(some) == 1 else None
    return None


def _defaults(src: Source, node: ast.AST) -> list[ast.expr]:
    function = src.function_of(node)
    return [*function.args.defaults, *filter(None, function.args.kw_defaults)] if function is not None else []


def _called(base: Base, node: ast.Constant) -> str:
    """By which name a value goes where it stands: a keyword, a variable that it is compared with or put in."""
    parent = base.src.parents.get(node)
    if isinstance(parent, ast.keyword) and parent.arg:
        return parent.arg
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        return parent.targets[0].id
    if isinstance(parent, ast.Call) and len(parent.args) == 1:
        called = base.src.segment(parent.func).rpartition(".")[2]
        return {"range": "attempts", "sleep": "delay"}.get(called, "")
    return ""


def as_constant(base: Base, said: Said) -> Iterator[str]:
    """*constant for that, TIMEOUT*: for the one value that was brought."""
    node = _literal(base, said) if base.new else None
    if node is None or re.search(r"\bconstant|const\b", said.against, re.I):
        return
    names = [
        one for one in re.findall(r"\b[A-Z][A-Z_\d]{2,}\b", said.message) if not re.search(rf"\b{one}\b", base.src.text)
    ]
    called = _called(base, node)
    name = names[0] if len(names) == 1 else called.upper() if not names else ""
    if not name:
        return
    found = known(base.src.lines, f"extract {base.src.segment(node)} into a constant {name}", headers=base.src.headers)
    if found and found[0].plain == PLAIN:
        yield "".join(f"{line}\n" for line in with_hunks(base.src.lines, found[0].hunks))


def as_parameter(base: Base, said: Said) -> Iterator[str]:
    """*make that a parameter*: of the function in which the one value was brought."""
    src = base.src
    node = _literal(base, said) if base.new else None
    function = src.function_of(node) if node is not None else None
    if node is None or function is None or re.search(r"\bparam|\barg", said.against, re.I):
        return
    named = re.search(
        r"\b(?:parameter|argument|param|kwarg|arg) (?:called |named )?`?([a-z_]\w*)`?(?= |$|,)|\b`?([a-z]\w*_\w+|[a-z]{3,})`? (?:parameter|argument|param|kwarg|arg)\b",
        said.orders,
    )
    name = (named[1] or named[2] or "") if named is not None else ""
    name = _called(base, node) if not name or name in _NO_NAME else name
    spec = function.args
    if (
        not name.isidentifier()
        or name in {one.arg for one in parameters(function)}
        or spec.vararg
        or spec.kwarg
        or spec.kwonlyargs
    ):
        return
    given = re.search(r"\bdefault(?:s|ing)?(?: to| of| is|:)? (-?\d[\d.]*|\"[^\"]*\"|'[^']*')", said.message)
    default = given[1] if given else src.segment(node)
    typed = any(one.annotation is not None for one in spec.args)
    made = f"{name}: {type(node.value).__name__} = {default}" if typed else f"{name}={default}"
    if re.search(r"\bkeyword[- ]only\b", said.message):
        made = f"*, {made}"
    changes: list[Change] = [(*src.span(node), name)]
    parent = src.parents.get(node)
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and parent.targets[0].id == name:
        changes = [(*src.line_span(src.first_line(parent), src.last_line(parent)), "")]
    if spec.args:
        last = spec.defaults[-1] if spec.defaults else spec.args[-1]
        at = src.span(last)[1]
        changes.append((at, at, f", {made}"))
    else:
        at = src.text.index("(", src.text.index(function.name, src.span(function)[0])) + 1
        changes.append((at, at, made))
    yield src.changed(changes)
