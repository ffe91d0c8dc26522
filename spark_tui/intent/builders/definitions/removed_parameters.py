"""Parameters that go with what is done with them: an attribute that nobody reads, or the default in their
place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.building.building import Built, builder, call, calls_table, from_entry, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.pysource.names.type_hints import called_name, decorator_names
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes

_MOST_USES = 4


@builder("remove_parameter")
def remove_parameter(context: Context) -> Iterator[Built]:
    """As it is; a parameter that is used goes with the attribute that keeps it, if nothing reads that, else
    its default takes its place."""
    entry = calls_table()["remove_parameter"]
    used = {
        anchor.words["parameter"]: anchor
        for anchor in anchors(context, "parameter:parameter")
        if isinstance(anchor.node, Function) and any(_uses(anchor.node, anchor.words["parameter"]))
    }
    for built in from_entry(context, entry):
        anchor = used.get(str(getattr(built.calls[0], "name", "")))
        is_its = anchor is not None and str(getattr(built.calls[0], "target", "")).startswith(anchor.path)
        yield _with_uses(context, built, anchor) if anchor is not None and is_its else built


def _uses(function: ast.AST, name: str) -> Iterator[ast.Name]:
    return (node for node in find_nodes(function, ast.Name) if node.id == name)


def _with_uses(context: Context, built: Built, anchor: Anchor) -> Built:
    function, name = anchor.node, anchor.words["parameter"]
    assert isinstance(function, Function)
    source, uses = context.source(anchor.path), list(_uses(function, name))
    kept = source.statement(uses[0])
    if len(uses) == 1 and isinstance(kept, ast.Assign) and kept.value is uses[0]:
        goal = kept.targets[0]
        is_own = (
            isinstance(goal, ast.Attribute) and ast.unparse(goal.value) == "self" and len(kept.targets) == 1
        )
        if is_own and isinstance(goal, ast.Attribute) and not _is_read(context, goal):
            gone = call("delete_statements", place=place(context, replace(anchor, node=kept)))
            shown = re.search(r"\b(?:vars|asdict)\(|__dict__", source.text)
            doubts = (assumed(f"{shown[0].strip('(')} was assumed not to need {name}"),) if shown else ()
            return replace(built, calls=(gone, *built.calls), doubts=(*built.doubts, *doubts))
    default = default_of(function, name)
    stays = isinstance(kept, ast.Assign) and len(uses) == 1 and kept.value is uses[0]
    # None, True and False in the place of what is tested or called would make no sense.
    state = isinstance(default, ast.Constant) and (default.value is None or isinstance(default.value, bool))
    plain = isinstance(default, ast.Constant | ast.Name) and (stays or not state)
    lines = {node.lineno for node in uses if isinstance(node.ctx, ast.Load)}
    if not isinstance(default, ast.expr) or not plain or not len(lines) == len(uses) <= _MOST_USES:
        return built
    if _is_passed(context, source, function, name):
        return built
    code = source.segment(default)
    edits = [replace_code(context, replace(anchor, node=one), code) for one in reversed(uses)]
    doubt = Doubt(f"{name} is always {code} now", DoubtKind.DROPPED)
    return replace(built, calls=(*edits, *built.calls), doubts=(*built.doubts, doubt))


def _is_passed(context: Context, source: Source, function: Function, name: str) -> bool:
    """Whether a call anywhere passes a parameter, as far as the names of functions tell."""
    owner = source.class_of(function)
    called = owner.name if owner is not None and function.name == "__init__" else function.name
    bound = owner is not None and "staticmethod" not in decorator_names(function)
    before = [item.arg for item in function.args.posonlyargs + function.args.args][bound:]
    many = before.index(name) if name in before else len(before)
    index = context.repo.index
    trees = (index.source(path).tree for path in index.paths if called in (index.text(path) or ""))
    calls = (node for tree in trees for node in find_nodes(tree, ast.Call) if called_name(node) == called)
    return any(len(node.args) > many or name in [item.arg for item in node.keywords] for node in calls)


def _is_read(context: Context, stored: ast.Attribute) -> bool:
    """Whether an attribute of that name is read anywhere, or its name stands in a text."""
    index = context.repo.index
    for path in index.paths:
        if stored.attr not in (index.text(path) or ""):
            continue
        tree = index.source(path).tree
        if any(node.attr == stored.attr and node is not stored for node in find_nodes(tree, ast.Attribute)):
            return True
        if any(node.value == stored.attr for node in find_nodes(tree, ast.Constant)):
            return True
    return False
