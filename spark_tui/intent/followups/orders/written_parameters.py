"""A value that was just written as a parameter of its function: *make it a parameter*."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import call
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.reading.shared_places import has_pronoun
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Function, Source, parameters

_LIKELY = 0.8


def written_parameters(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to add a parameter whose default is the value that was written, and to take it there. It has
    the name that is said, or that of the keyword."""
    name_texts = [item.text.strip("` ") for item in reading.slots.get("name", ())]
    if reading.intent != "add_parameter" or reading.slots.get("default") or len(name_texts) > 1:
        return []
    if name_texts and not has_pronoun(situation.instruction):
        return []
    out: list[Candidate] = []
    for source, keyword, value in _values(situation):
        name, inside = name_texts[0] if name_texts else keyword, source.function_of(value)
        if (
            not name
            or not isinstance(inside, Function)
            or name in {parameter.arg for parameter in parameters(inside)}
        ):
            continue
        target = f"{source.path}::{source.qualname(inside)}"
        shown, line = source.segment(value), f"{source.path}:{value.lineno}"
        calls = (
            call("add_parameter", target=target, name=name, default=shown),
            call("replace_expression", place=line, old=shown, new=name),
        )
        out.append(Candidate(calls, reading, weight=_LIKELY))
    return out if len(out) == 1 else []


def _values(situation: Situation) -> Iterator[tuple[Source, str, ast.expr]]:
    """The literals and constants that were written, each with the keyword that it is passed by."""
    written = {token.text for change in changes_of_edit(situation) for token in change.written()}
    for source, node in nodes_on_lines(situation):
        holder = source.parents.get(node)
        constant = isinstance(node, ast.Constant) and not isinstance(node.value, bool | None)
        named = isinstance(node, ast.Name) and node.id.isupper() and isinstance(holder, ast.keyword)
        if (constant or named) and isinstance(node, ast.expr) and source.segment(node) in written:
            yield source, (holder.arg or "") if isinstance(holder, ast.keyword) else "", node
