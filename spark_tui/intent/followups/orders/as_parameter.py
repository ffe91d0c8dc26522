"""A value that an edit wrote, as a parameter of its function: *make it a parameter*."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.codemods.families.functions.signature import AddParameter
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.codemods.slots import Expression, NewName, Symbol
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with, changes_of_edit
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.left_to_written import definitions_written, drop_pronoun_slots
from spark_tui.intent.followups.written.syntax import WrittenSyntax
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading

_LIKELY, _ELSEWHERE, _SAID = 0.9, 0.3, 0.8


def with_parameter(order: Order, situation: Situation) -> Order:
    """The order as one for a parameter, where it says that callers give what was written."""
    asks = re.compile(followup_table()["parametrized"]["asks"], re.IGNORECASE)
    first, text = order.readings[0], situation.instruction[order.start : order.end]
    known = (one.slots["default"] for one in order.readings if one.slots.get("default"))
    reading = Reading("add_parameter", _SAID, {"default": given} if (given := next(known, ())) else {})
    if first.intent == reading.intent or first.probability > _SAID or not asks.search(text):
        return order
    return order.preferring(reading) if as_parameter(reading, [], situation) else order


def as_parameter(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order to add a parameter, and before them that it takes the place of a literal or
    constant that was written, which becomes its default."""
    if situation.earlier is None or reading.intent != "add_parameter":
        return found
    reading = drop_pronoun_slots(reading)
    said = phrases.without_articles(reading.text("name")).strip("`'\"")
    said = "" if not said.islower() or phrases.is_said("constructor", said) else said
    if said and not re.search(
        followup_table()["parametrized"]["words"], situation.instruction, re.IGNORECASE
    ):
        return found
    named = [span.text.strip("`'\"()").rpartition(".")[2] for span in reading.slots.get("function", ())]
    own = {home.rpartition(".")[2] for home in definitions_written(situation)}
    if named and own.isdisjoint(named):
        return found
    changes = changes_of_edit(situation)
    for path in dict.fromkeys(change.path for change in changes):
        written = WrittenSyntax(reading, situation, path, [one for one in changes if one.path == path])
        for node in reversed(written.nodes):
            name = said or _purpose(written, node)
            default = isinstance(written.source.parents.get(node), ast.arguments)
            if is_fixed(node) and written.is_whole(node) and name.isidentifier() and not default:
                made = _candidate(written, node, name)
                if made is not None:
                    return [made, *(replace(one, weight=_ELSEWHERE * one.weight) for one in found)]
    return found


def is_fixed(node: ast.AST) -> bool:
    """Whether a node is a literal or a constant."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def _purpose(written: WrittenSyntax, node: ast.AST) -> str:
    """What a value is called where it stands: by its keyword, what is set to it, as a constant, or by the
    parameter that it is given for."""
    parent = written.source.parents.get(node)
    if isinstance(parent, ast.keyword):
        return parent.arg or ""
    if isinstance(parent, ast.Assign | ast.AnnAssign):
        target = ast.unparse(parent.targets[0] if isinstance(parent, ast.Assign) else parent.target)
        return target.removeprefix("self.").lstrip("_")
    if isinstance(node, ast.Name):
        return node.id.lower()
    if isinstance(parent, ast.Call) and node in parent.args:
        known = [*parameters_called(written.repo, written.source, parent)]
        return "".join(known[parent.args.index(node) :][:1])
    return ""


def _candidate(written: WrittenSyntax, literal: ast.AST, name: str) -> Candidate | None:
    """The edit with a name in the place of a literal, wherever that was written in the function."""
    source, function = written.source, written.source.function_of(literal)
    if function is None:
        return None
    code, path = source.segment(literal), written.path
    given = [option.text for option in written.read("default", "value", literal)]
    default = Expression((*given, code)[0])
    order = AddParameter(Symbol(source.qualname(function), path), NewName(name), default=default)
    plan = plan_of((order,), written.repo)
    texts = plan.texts(written.repo) if isinstance(plan, Plan) else {}
    text = texts.get(path) or ""
    shift = len(text) - len(source.text)  # all of it in the head of the function
    for node in reversed(written.nodes):
        low, high = (at + shift for at in source.span(node))
        same = is_fixed(node) and written.is_whole(node) and text[low:high] == code
        if same and source.function_of(node) is function:
            text = text[:low] + name + text[high:]
    calls = calls_with({**texts, path: text}, written.situation) if name in text else ()
    return Candidate(calls, written.reading, weight=_LIKELY, from_before=True) if calls else None
