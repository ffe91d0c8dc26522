"""Follow-ups that quote an expression to replace a written one that uses the same names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import call
from spark_tui.intent.building.shown_code import shown_statements
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.homes import home_of
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with, changes_of_edit
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import names_in, walk

_INTENTS = frozenset(("amend.value", "convert_value", "apply_function"))
_SHOWN = 0.9
_WHATEVER = 0.7
"""How likely it is meant that a shown expression takes the place of a guard, whatever else was read."""
_VALUES = (ast.BoolOp, ast.IfExp, ast.Call, ast.BinOp, ast.Subscript, ast.ListComp)


def shown_expressions(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to write an expression that the message shows in the place of one, or of a guard that sets a
    name, that was written with the same local names."""
    if situation.before is None or reading.intent not in _INTENTS:
        return []
    out: list[Candidate] = []
    for piece in _pieces(reading, situation.instruction):
        for source, text in (*_in_place_of_guard(piece, situation), *_in_place_of_value(piece, situation)):
            text = _with_imports(source, text, situation)
            calls = calls_with({source.path: text}, situation)
            if calls:
                out.append(Candidate(calls, reading, weight=_SHOWN, from_before=True))
    return [replace(candidate, weight=candidate.weight / len(out)) for candidate in out]


def _with_imports(source: Source, text: str, situation: Situation) -> str:
    """The text with the imports that it needs, and without those that the edit made and nothing needs now."""
    repo, path = situation.behind.with_changes({source.path: text}), source.path
    missing = {occurrence.name for occurrence in undefined(repo.index.scopes(path))}
    homes = {name: home for name in sorted(missing) if (home := home_of(name, repo, path))}
    bound = {imported.alias for imported in repo.index.summary(path).imports}
    was = situation.before.index.text(path) or "" if situation.before is not None else ""
    idle = [
        item
        for item in bound
        if not re.search(rf"\b{item}\b", was) and len(re.findall(rf"\b{item}\b", text)) == 1
    ]
    for one in idle:
        text = re.sub(rf"^import {one}\n", "", text, count=1, flags=re.MULTILINE)
    repo = repo.with_changes({path: text})
    calls = [
        call("add_import", path=path, module=home, **({} if home == name else {"name": name}))
        for name, home in homes.items()
    ]
    plan = plan_of(tuple(calls), repo) if calls else None
    return plan.texts(repo)[path] or text if isinstance(plan, Plan) else text


def shown_for_guard(situation: Situation) -> list[Candidate]:
    """A shown expression in the place of a written guard that sets its name, however a message was read."""
    piece = re.fullmatch(r"[^`]*`([^`]+)`[^`]*", situation.instruction)
    if piece is None or situation.before is None or not isinstance(parsed(piece[1]), _VALUES):
        return []
    reading = Reading("amend.value", 1.0)
    found = list(_in_place_of_guard(piece[1], situation))
    made = (calls_with({source.path: text}, situation) for source, text in found)
    return [Candidate(calls, reading, weight=_WHATEVER, from_before=True) for calls in made if calls]


def _pieces(reading: Reading, instruction: str) -> list[str]:
    """The expressions with a name in them that a message shows, and that are more than the name."""
    value_texts = [span.text.strip("` ") for span in reading.slots.get("value", ())]
    shown = [
        item for item in value_texts or shown_statements(instruction) if isinstance(parsed(item), _VALUES)
    ]
    return list(dict.fromkeys(item for item in shown if names_in(parsed(item))))[:1]


def _in_place_of_guard(piece: str, situation: Situation) -> Iterator[tuple[Source, str]]:
    """`if x is None: x = []` goes, and `x` is the expression where it is used, or set to it."""
    for source, node in nodes_on_lines(situation):
        if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1:
            continue
        goal = node.body[0].targets[0] if isinstance(node.body[0], ast.Assign) else None
        if not isinstance(goal, ast.Name) or goal.id not in names_in(parsed(piece)) & names_in(node.test):
            continue
        inside = source.function_of(node)
        low, high = source.span(node)
        used = [
            inner
            for inner in walk(inside)
            if isinstance(inner, ast.Name) and inner.id == goal.id and source.span(inner)[0] >= high
        ]
        if len(used) == 1 and isinstance(used[0].ctx, ast.Load):
            start, end = source.span(used[0])
            first, last = source.starts[source.first_line(node)], source.starts[source.last_line(node)]
            bare = isinstance(source.parents.get(used[0]), ast.Assign | ast.Return | ast.keyword | ast.Call)
            code = piece if bare or isinstance(parsed(piece), ast.Call) else f"({piece})"
            yield source, source.text[:first] + source.text[last:start] + code + source.text[end:]
        else:
            yield source, source.text[:low] + f"{goal.id} = {piece}" + source.text[high:]


def _in_place_of_value(piece: str, situation: Situation) -> Iterator[tuple[Source, str]]:
    """The largest expression that was written with a local name of the one that is shown."""
    wanted, tree = names_in(parsed(piece)), parsed(piece)
    written = {token.text for change in changes_of_edit(situation) for token in change.written()}
    for source, node in nodes_on_lines(situation):
        parts = ast.Subscript | ast.BinOp
        if not isinstance(node, _VALUES) or (isinstance(node, parts) and type(node) is not type(tree)):
            continue
        if tree is None:
            continue
        inside = source.function_of(node)
        known = _local(inside) if isinstance(inside, Function) else set()
        if not wanted & known & names_in(node) or ast.dump(node) == ast.dump(tree):
            continue
        if not _words(source, node) - known <= written:
            continue
        low, high = source.span(node)
        yield source, source.text[:low] + piece + source.text[high:]
        return


def _words(source: Source, node: ast.AST) -> set[str]:
    """The names in a node, of attributes too, and what joins its parts."""
    every = {inner.attr for inner in walk(node) if isinstance(inner, ast.Attribute)} | names_in(node)
    return every | {"or", "and", "if"} & set(source.segment(node).split())


def _local(function: Function) -> set[str]:
    given = {node.arg for node in walk(function) if isinstance(node, ast.arg)}
    return given | {
        node.id for node in walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
