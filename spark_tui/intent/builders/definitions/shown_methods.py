"""Methods that are shown with what they return: `__contains__(self, key) -> key in self.items`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.slots import CLASS
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Function
from spark_tui.pysource.tree_comparison import parse_statement


def shown_method(context: Context, slot: str) -> Iterator[Built]:
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
