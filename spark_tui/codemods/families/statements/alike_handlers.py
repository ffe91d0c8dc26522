"""Handlers of one `try` that do the same become one that catches a tuple of errors."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.families.statements.alike_branches import (
    Part,
    do_the_same,
    join_each,
    join_heads,
    read_heads,
    runs_in,
    runs_of,
    suite_end,
)
from spark_tui.codemods.places.named import Region, extent, find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    one_line,
    plan_edits,
    read_expression,
    refuse_lost_comments,
)
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.inference.values import NONE, ClassValue, Container
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import find_nodes


@codemod
class MergeHandlers:
    """Join neighbouring `except`s that do the same into one that catches a tuple; a class that another one
    of them catches anyway is left out."""

    place: Place = slot("where: `in fetch`, or the line of an except")
    old: Expression = slot("one of the classes, if several groups are there", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        runs = runs_in(within, alike_handlers(within.source.tree))
        if not runs and within.node is None:
            runs = runs_in(within, _doubled(repo, within))
        if self.old:
            wanted = read_expression(self.old)
            runs = [run for run in runs if any(is_same_tree(wanted, kind) for kind in _classes(run))]
        if not runs:
            if reason := _reason(within):
                raise Refusal(reason)
            raise Refusal("no handlers beside each other do the same", why="nothing")
        edits, left = join_each(within.source, runs, lambda run: _joined(repo, within, run))
        doubts = [doubt for run in runs for doubt in _doubts(repo, within, run)]
        return plan_edits(repo, edits, [*left, *doubts])


def alike_handlers(root: ast.AST | None) -> Iterator[list[ast.ExceptHandler]]:
    """The runs of handlers that do the same in `try`s."""
    for node in find_nodes(root, ast.Try):
        yield from runs_of(node.handlers, _are_alike)


def _are_alike(one: ast.ExceptHandler, two: ast.ExceptHandler) -> bool:
    return one.name == two.name and do_the_same(one, two)


def _doubled(repo: Repository, within: Region) -> Iterator[list[ast.ExceptHandler]]:
    """Handlers with a class that another one of their tuple catches."""
    for node in find_nodes(within.source.tree, ast.ExceptHandler):
        if len(_needed(repo, within, [node])) < len(_classes([node])):
            yield [node]


def _reason(within: Region) -> str:
    """Why handlers that do the same are not joined."""
    for node in within.nodes(ast.Try):
        for at, one in enumerate(node.handlers):
            for two in node.handlers[at + 1 :]:
                between = node.handlers[at + 1 : node.handlers.index(two)]
                if not do_the_same(one, two):
                    continue
                if between and one.name == two.name:
                    caught = within.source.segment(between[0].type) if between[0].type is not None else "all"
                    return f"the handler of {caught} is between them, and may catch it first"
                return "only one of them names the error, or they name it differently"
    return ""


def _classes(run: Sequence[ast.ExceptHandler]) -> list[ast.expr]:
    kinds = [one.type for one in run if one.type is not None]
    return [each for kind in kinds for each in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]


def _needed(repo: Repository, within: Region, run: Sequence[ast.ExceptHandler]) -> list[ast.expr]:
    """The classes without those that another one catches."""
    scopes = repo.index.scopes(within.path)
    scope = scopes.of_function(run[0])
    every = _classes(run)
    known = {node: _builtin(node) for node in every if scopes.lookup(ast.unparse(node), scope) is None}

    def catches(wide: ast.expr, node: ast.expr) -> bool:
        one, kind = known.get(wide), known.get(node)
        if is_same_tree(wide, node) or one is None or kind is None:
            return is_same_tree(wide, node)
        return issubclass(kind, one) and (kind is not one or ast.unparse(wide) == one.__name__)

    def goes(at: int, node: ast.expr) -> bool:
        before = any(catches(one, node) for one in every[:at])
        return before or any(catches(one, node) and not catches(node, one) for one in every[at + 1 :])

    return [node for at, node in enumerate(every) if not goes(at, node)]


def _builtin(node: ast.expr) -> type | None:
    found = getattr(builtins, node.id, None) if isinstance(node, ast.Name) else None
    return found if isinstance(found, type) else None


def _joined(repo: Repository, within: Region, run: Sequence[ast.ExceptHandler]) -> Edit:
    source = within.source
    heads = read_heads(source, run)
    bare = run[-1].type is None
    kept = [] if bare else _needed(repo, within, run)
    shown = [_shown(repo, within, node) for node in kept]
    name = f" as {run[-1].name}" if run[-1].name else ""
    line = "" if bare else shown[0] if len(shown) == 1 and shown[0][0] != "*" else f"({', '.join(shown)})"
    owners = {id(kind): head for one, head in zip(run, heads, strict=True) for kind in _classes([one])[-1:]}
    above = {id(kind): head for one, head in zip(run, heads, strict=True) for kind in _classes([one])[:1]}
    parts = [
        Part(
            f"{text},",
            owners[id(node)].comment if id(node) in owners else "",
            above[id(node)].above if id(node) in above else (),
        )
        for node, text in zip(kept, shown, strict=True)
    ]
    edit = join_heads(source, run, heads, parts, line, name)
    body = source.text[heads[-1].colon : source.starts[suite_end(source, run[-1].body)]]
    refuse_lost_comments(source, [Edit(edit.path, edit.start, edit.end, edit.new + body)])
    return edit


def _shown(repo: Repository, within: Region, node: ast.expr) -> str:
    text = within.source.segment(node)
    return f"*{text}" if _is_several(repo, within, node) else text


def _is_several(repo: Repository, within: Region, node: ast.expr) -> bool | None:
    """Whether what is caught is a tuple of classes; None where that cannot be told."""
    scopes = repo.index.scopes(within.path)
    scope = scopes.of_function(node)
    values = repo.infer.values(within.path, node, scope)
    if all(isinstance(value, Container) for value in values):
        return True
    if value_kind(repo, within.path, node, scope) is ValueKind.TUPLE:
        return True
    if all(isinstance(value, ClassValue) for value in values):
        return False
    if any(isinstance(value, Container) for value in values) or not _names_class(node):
        return None
    home = scopes.lookup(node.id, scope) if isinstance(node, ast.Name) else None
    variable = scopes.variable(node.id, home) if isinstance(node, ast.Name) and home is not None else None
    for one in variable.bindings if variable is not None else ():
        setting = scopes.setting(one.node)
        aliased = isinstance(setting, ast.Assign) and _names_class(setting.value)
        if not (aliased or isinstance(one.node, ast.alias | ast.ClassDef)):
            return None
    return False


def _names_class(node: ast.expr) -> bool:
    """Whether an expression is a name as classes of errors have it."""
    last = last_name(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    constant = last.isupper() and len(last) > 1
    return (last[:1].isupper() and not constant) or last.endswith(("error", "timeout"))


def _doubts(repo: Repository, within: Region, run: Sequence[ast.ExceptHandler]) -> Iterator[Unfollowed]:
    """Of classes that may be several, which a tuple would have to spread, and of those that are looked up
    earlier now, when they may not be there yet."""
    if run[-1].type is None:
        return
    for one in run:
        node = one.type
        if node is None or isinstance(node, ast.Tuple) or _is_several(repo, within, node) is not None:
            continue
        shown = one_line(within.source, node)
        yield Unfollowed(within.path, one.lineno, f"if {shown} is several classes, this fails: *{shown}")
    scopes = repo.index.scopes(within.path)
    around = within.source.parents[run[0]]
    assert isinstance(around, ast.Try)
    low, high = extent(within.source, around.body)
    names = (name for one in run[1:] if one.type is not None for name in find_nodes(one.type, ast.Name))
    for name in names:
        places = [one.span[0] for one in scopes.resolve(scopes.by_node[name]).bindings]
        if any(low <= at < high for at in places) and not any(at < low for at in places):
            yield Unfollowed(within.path, name.lineno, f"{name.id} may not be set yet when others are caught")
        if NONE in repo.infer.values(within.path, name, scopes.of_function(name)):
            yield Unfollowed(within.path, name.lineno, f"{name.id} may be None when others are caught")
