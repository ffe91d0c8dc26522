"""Methods that are shown with what they return: `__contains__(self, key) -> key in self.items`; those of
which only the result is told: *`__bool__` always True*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.slots import CALLABLE, CLASS, Symbol, SymbolKind
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Function
from spark_tui.pysource.tree_comparison import parse_statement

_OF_ITSELF = frozenset(("__bool__", "__len__", "__str__", "__repr__", "__hash__"))
"""Methods that are given nothing but the object."""


def shown_or_told(context: Context, slot: str) -> Iterator[Built]:
    """The methods that a slot names and its class does not have, with what they are said to return."""
    yield from list(_shown(context, slot)) or _told(context, slot)


def _told(context: Context, slot: str) -> Iterator[Built]:
    """The special method that is to return a literal, in the class that is named, or the only one of the open
    file, if that does not have it. True and False are results without a slot, too."""
    name, result = plain_name(context.text(slot)), context.text("result").strip("`")
    if not result and len(said := set(re.findall(r"\b(?:True|False)\b", context.beside_slots()))) == 1:
        result = said.pop()
    if name not in _OF_ITSELF or not isinstance(parsed(result), ast.Constant):
        return
    path = context.situation.path
    if owner := context.text("class"):
        every = [Symbol(one.target.qualname, one.target.path) for one in context.names.find(owner, CLASS)]
    else:
        here = (one for own in context.names.in_file(path).values() for one in own)
        every = [Symbol(one.qualname, path) for one in here if one.kind is SymbolKind.CLASS]
    bodies = (match.target.node for match in context.names.find(name, CALLABLE))
    if len(every) == 1 and not any(bodies):
        code = f"def {name}(self):\n    return {result}\n"
        yield Built((call("add_method", target=str(every[0]), code=code),))


def _shown(context: Context, slot: str) -> Iterator[Built]:
    """The method that a slot names and its class does not have, where what stands after `->` is made of the
    parameters, so that it is what the method returns, and no type."""
    span, instruction = context.span(slot), context.situation.instruction
    if span is None or span.start < 0:
        return
    owner, _, name = plain_name(span.text.partition("(")[0]).rpartition(".")
    rest = instruction[instruction.find(name, span.start) + len(name) :].partition("\n")[0].strip(" `:.")
    shown = f"def {name}{rest if rest.startswith('(') else f'(self) {rest}'}"
    head = parse_statement(f"{shown}: pass") if name.isidentifier() else None
    if not isinstance(head, ast.FunctionDef) or head.returns is None:
        return
    given = {argument.arg for argument in (*head.args.posonlyargs, *head.args.args)}
    if not given & {node.id for node in ast.walk(head.returns) if isinstance(node, ast.Name)}:
        return
    result = ast.get_source_segment(shown, head.returns)
    code = f"{shown.partition('->')[0].rstrip()}:\n    return {result}\n"
    for match in context.names.find(owner or context.text("class"), CLASS):
        methods = (stmt.name for stmt in getattr(match.target.node, "body", ()) if isinstance(stmt, Function))
        if name not in methods:
            yield build_at(match, call("add_method", target=match.symbol, code=code))
