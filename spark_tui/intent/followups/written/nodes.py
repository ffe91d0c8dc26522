"""Follow-ups that put another expression or statement in the place of one that somebody wrote."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from spark_tui.codemods.families.names.imports import AddImport
from spark_tui.codemods.joined import from_texts
from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.shown_code import shown_statements
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with, changes_of_edit, functions_changed
from spark_tui.intent.followups.written.collections import other_collection
from spark_tui.intent.followups.written.conditions import (
    also_allowed,
    also_required,
    other_condition,
    run_if,
    skipped_items,
)
from spark_tui.intent.followups.written.exits import (
    BRANCHES,
    break_instead,
    find_written_exits,
    raise_instead,
    return_instead,
)
from spark_tui.intent.followups.written.fitting_constants import fitting_constant, says_constant
from spark_tui.intent.followups.written.further_values import further_value
from spark_tui.intent.followups.written.guard_messages import with_messages_redone
from spark_tui.intent.followups.written.other_forms import other_form
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax, items_of, with_items
from spark_tui.intent.planning.executing import imports_for, plan_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import PLACES, Reading
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_MOST = 3
_OF_MODULE = 0.9
_ELSEWHERE = 0.3
"""How much a way counts to do elsewhere what can be done to what was written."""


def amended_nodes(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to write something else in the place of a node, for the repository before the edit."""
    way = _WAYS.get(reading.intent)
    return _candidates(reading, situation, way) if way is not None else []


def on_written(reading: Reading, situation: Situation, found: list[Candidate]) -> list[Candidate]:
    """The candidates of an order, and before them what it means for what the last edit wrote, unless it names
    another place."""
    if situation.earlier is None or reading.intent not in _WAYS:
        return found
    around = functions_changed(situation)
    named = [span.text.strip("`'\"()") for slot in PLACES for span in reading.slots.get(slot, ())]
    if any(text.rpartition(".")[2] not in around for text in named):
        return found
    there = amended_nodes(reading, situation)
    return [
        *there,
        *(
            replace(candidate, weight=_ELSEWHERE * candidate.weight) if there else candidate
            for candidate in found
        ),
    ]


def _candidates(
    reading: Reading, situation: Situation, way: Callable[[WrittenSyntax], Iterator[NodeRewrite]]
) -> list[Candidate]:
    found = changes_of_edit(situation)
    out: list[Candidate] = []
    for path in dict.fromkeys(change.path for change in found):
        own = [change for change in found if change.path == path]
        written = WrittenSyntax(reading, situation, path, own)
        made = (item for item in way(written) if item.code != written.source.segment(item.node))
        for alike in _alike(_in_named(list(islice(made, 2 * _MOST)), written), written):
            rewrite = alike[0]
            text = _with_imports(rewrite.code, path, written.rewritten(*alike), situation)
            text = with_messages_redone(written.source, text, own)
            calls = calls_with({path: text}, situation)
            if calls:
                out.append(Candidate(calls, reading, rewrite.doubts, rewrite.weight, from_before=True))
    return sorted(out, key=lambda item: -item.weight)[:_MOST]


def _alike(rewrites: Iterable[NodeRewrite], written: WrittenSyntax) -> list[list[NodeRewrite]]:
    """The rewrites, of which those are made together that write the same in the place of the same code in
    different functions, all of which are named, or none."""
    said = set(re.findall(r"\w+", written.instruction))
    out: dict[object, list[NodeRewrite]] = {}
    homes: dict[object, set[ast.AST | None]] = {}
    for one in rewrites:
        low, high = written.source.span(one.node)[0], written.source.span(one.last or one.node)[1]
        home = written.source.function_of(one.node)
        key = written.source.text[low:high], one.code, home is not None and home.name in said
        if home not in homes.setdefault(key, set()):
            out.setdefault(key, []).append(one)
            homes[key].add(home)
    return list(out.values())


def _with_imports(code: str, path: str, text: str, situation: Situation) -> str:
    """The new text of a file with the imports of modules that new code in it names and the file does not."""
    behind, said = situation.behind, set(re.findall(r"\w+", code))
    extra = imports_for(from_texts({path: text}, behind), behind)
    needed = [one for one in extra if isinstance(one, AddImport) and not one.name and one.module in said]
    now = behind.with_changes({path: text})
    plan = plan_of(needed, now) if needed else None
    return plan.texts(now)[path] or text if isinstance(plan, Plan) else text


def _in_named(rewrites: list[NodeRewrite], written: WrittenSyntax) -> list[NodeRewrite]:
    """The rewrites, of which those count less that are in another function than the one that is named."""
    functions = [written.source.function_of(item.node) for item in rewrites]
    said = set(re.findall(r"\w+", written.instruction))
    told = [function is not None and function.name in said for function in functions]
    if all(told) or not any(told):
        return rewrites
    best = max(item.weight for item in rewrites)
    return [
        item._replace(weight=best if here else _ELSEWHERE * item.weight)
        for item, here in zip(rewrites, told, strict=True)
    ]


def shown_nodes(situation: Situation) -> list[Candidate]:
    """The ways to write a piece of code that is shown in the instruction in the place of a node like it."""
    reading = Reading("amend.other_reading", 1.0)
    pieces = shown_statements(situation.instruction)
    return _candidates(reading, situation, lambda written: _rewrites_shown(written, pieces)) if pieces else []


def _rewrites_shown(written: WrittenSyntax, pieces: Sequence[str]) -> Iterator[NodeRewrite]:
    for piece in pieces:
        read = parse(piece)
        if read is None:
            continue
        tree = read.body[0]
        if not isinstance(tree, ast.Expr):
            for weight, end in find_written_exits(written, type(tree)):
                if isinstance(end, type(tree)) or isinstance(written.source.parents.get(end), BRANCHES):
                    yield NodeRewrite(end, piece, weight)
            continue
        callee = tree.value.func if isinstance(tree.value, ast.Call) else tree.value
        owner = ast.unparse(callee.value) if isinstance(callee, ast.Attribute) else ""
        for node in reversed(written.nodes):
            if not isinstance(node, ast.Call):
                continue
            same = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == owner
            if isinstance(tree.value, ast.Call) and (same or ast.unparse(node.func) == ast.unparse(callee)):
                yield NodeRewrite(node, piece, 0.8)
            elif isinstance(tree.value, ast.Attribute) and same:
                yield NodeRewrite(node.func, piece, 0.8)


def _exchanged(
    written: WrittenSyntax, slot: str, converter: str, holders: Callable[[ast.AST], Iterator[ast.expr]]
) -> Iterator[NodeRewrite]:
    """Another expression in the place of one that some nodes hold, the last of them first."""
    nodes = set(written.nodes)
    held = [holder for node in written.nodes for holder in holders(node) if holder in nodes]
    weight = 0.9
    for node in filter(written.is_old, reversed(held)):
        for option in written.read(slot, converter, node)[:2]:
            yield NodeRewrite(node, option.text, weight * option.weight, option.doubts)
        weight *= SECOND


def _values(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Return | ast.Assign | ast.AnnAssign | ast.keyword) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.arguments):
        yield from (default for default in (*node.defaults, *node.kw_defaults) if default is not None)


def _value(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    if says_constant(written.said("value")):
        yield from fitting_constant(written)
    yield from _of_module(written)
    number = phrases.number(written.said("value")) is not None

    def values(node: ast.AST) -> Iterator[ast.expr]:
        return (one for one in _values(node) if not (number and _has_number(one)))

    yield from _exchanged(written, "value", "value", values)


def _has_number(node: ast.expr) -> bool:
    """Whether a number stands in an expression, in whose place another one comes before all of it."""
    inside = find_nodes(node, ast.Constant) if not isinstance(node, ast.Constant) else ()
    return any(type(one.value) in (int, float) for one in inside)


def _of_module(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """Code of bare names in the place of a member of the module that has all of them: *tau / 2*."""
    code = written.said("value").strip("`")
    tree = parsed(code)
    names, homes = names_in(tree) if tree is not None else set(), standard_homes()
    for node in reversed(written.nodes):
        if not isinstance(node, ast.Attribute) or not names or tree is None:
            continue
        owner = ast.unparse(node.value)
        if all(owner in homes.get(name, ()) for name in names):
            told = re.sub(rf"(?<![\w.])({'|'.join(map(re.escape, names))})(?!\w)", rf"{owner}.\1", code)
            within = isinstance(written.source.parents.get(node), ast.BinOp | ast.UnaryOp | ast.Compare)
            loose = within and not isinstance(tree, ast.Name | ast.Call | ast.Attribute)
            yield NodeRewrite(node, f"({told})" if loose else told, _OF_MODULE)
            return


def _message(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A message for an error that was raised without a text."""
    for node in reversed(written.nodes):
        if isinstance(node, ast.Raise) and node.exc is not None:
            called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            for option in written.message(node):
                code = f"{written.source.segment(called)}({option.text})"
                yield NodeRewrite(node.exc, code, 0.8, option.doubts)
            return


def _reordered(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """The one of several items that was written at another place among them."""
    source, kind = written.source, written.reading.intent.removeprefix("amend.")
    for node in written.nodes:
        items, new = items_of(node), written.new_items(node)
        spans = [(source.span(first)[0], source.span(last)[1]) for first, last in items]
        if len(new) != 1 or len(spans) < 2 or "#" in source.text[spans[0][0] : spans[-1][1]]:
            continue
        texts = [source.text[low:high] for low, high in spans]
        moved = texts.pop(new[0])
        anchor_texts = [span.text.strip("`'\"") for span in written.reading.slots.get("anchor", ())]
        at = {"first": 0, "last": len(texts)}.get(kind, -1)
        named = [
            place
            for place, text in enumerate(texts)
            if re.split("[:=]", text)[0].strip("'\"") in anchor_texts
        ]
        if at < 0 and len(named) == 1:
            at = named[0] + (kind == "after")
        if at < 0:
            continue
        texts.insert(at, moved)
        code = with_items(source, node, spans, texts)
        if parsed(code) is not None:
            yield NodeRewrite(node, code, 0.9)


_WAYS: Mapping[str, Callable[[WrittenSyntax], Iterator[NodeRewrite]]] = {
    "amend.condition": other_condition,
    "also_require": also_required,
    "also_allow": also_allowed,
    "run_only_if": run_if,
    "skip_in_loop": skipped_items,
    "amend.value": _value,
    "extract_constant": fitting_constant,
    "amend.message": _message,
    "amend.return_instead": return_instead,
    "amend.raise_instead": raise_instead,
    "stop_loop": break_instead,
    "amend.exception": raise_instead,
    "amend.further": further_value,
    "amend.other_reading": other_form,
    "amend.type": other_collection,
    **dict.fromkeys(("amend.first", "amend.last", "amend.before", "amend.after"), _reordered),
}
