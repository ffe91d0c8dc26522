"""Methods that do not use their object, and inner functions, as functions of their module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.checks.early_names import is_late
from spark_tui.codemods.families.functions.method_callers import (
    KEPT_DECORATORS,
    is_plain,
    out_of_class,
    refuse_taken,
)
from spark_tui.codemods.families.statements.branches import dedent_lines
from spark_tui.codemods.places.named import (
    comment_lines_above,
    delete_definition,
    extent,
    insert_at_line,
    need_function,
    own_lines,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, edited
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments
from spark_tui.codemods.slots import CALLABLE, NewName, Symbol
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.names.imports import has_lazy_annotations
from spark_tui.pysource.names.places import head_name
from spark_tui.pysource.names.scopes import Occurrence, Role, Scope
from spark_tui.pysource.names.type_hints import decorator_names, last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_CACHES = word_set("cache lru_cache")
_SHOWING = word_set("eval exec locals")
_CALLING_KEYWORDS = word_set("key target default default_factory object_hook")
_CALLING = word_set(
    "sorted min max map filter reduce sub subn submit apply defaultdict Thread Process Timer run"
    " run_in_executor to_thread takewhile dropwhile groupby starmap callable"
)
"""What only calls a function that it is given."""
_OF_METHODS = _SHOWING | word_set("super __class__")


@codemod
class ToModuleLevel:
    """Make a method that does not use its object, or a function inside of another one, a function of the
    module, in front of the class or function; its callers follow."""

    target: Symbol = slot("the method or inner function", kinds=CALLABLE)
    new: NewName = slot("the name that it gets; empty for its own", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target, alone=True)
        around = [one for one in source.ancestors(node) if isinstance(one, Definition)]
        if not around:
            raise Refusal(f"{target.qualname} is a function of the module already", why="nothing")
        if target.variable is not None and len(target.variable.bindings) > 1:
            raise Refusal(f"{target.qualname} is defined more than once")
        if isinstance(source.parents[node], ast.If | ast.Try | ast.Match):
            raise Refusal(f"{target.qualname} is defined under a condition")
        top, name = around[-1], node.name
        private = name.startswith("__") and any(isinstance(one, ast.ClassDef) for one in around)
        name = self.new or (f"_{name.strip('_')}" if private else name)
        refuse_taken(repo, source.path, name)
        if self.new and name != node.name and name in names_within(top):
            raise Refusal(f"{name} is used in {top.name}", why="name")
        _refuse_captured(repo, source, node, target)
        _refuse_late(repo, source, node, top)
        edits: list[Edit] = []
        if name != node.name:
            edits.append(Edit(source.path, *head_name(source, node), name))
        if source.class_of(node) is not None:
            follow, doubts = out_of_class(repo, source, node, target, name)
            edits += follow
        else:
            doubts = _out_of_function(repo, source, node, target, name)
            assert target.variable is not None
            uses = [one for one in target.variable.occurrences if one.role is Role.LOAD]
            edits += [Edit(source.path, *one.span, name) for one in uses if name != node.name]
            if private:
                raise Refusal(f"{node.name} is private to the class")
        kinds = set(decorator_names(node))
        if kinds & _CACHES and "staticmethod" not in kinds:
            reason = "what its cache keeps lives on, for all objects and calls"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        refuse_lost_comments(source, edits)
        return plan_edits(repo, [*_moved(source, node, top, edits)], doubts)


def _refuse_captured(repo: Repository, source: Source, node: Function, target: Target) -> None:
    """Refuse where a function needs a name of the class or function around it."""
    scopes, nodes = repo.index.scopes(source.path), set(walk(node))
    low, high = extent(source, [node])
    for variable in scopes.variables:
        scope = variable.scope
        if (
            scope in (None, scopes.module)
            or variable is target.variable
            or scopes.scope_of[node] in _out(scope)
        ):
            continue
        for one in variable.occurrences:
            if low <= one.span[0] < high or one.node in nodes:
                line = source.line_number(max(one.span[0], low))
                raise Refusal(f"{node.name} uses {variable.name} of what is around it: line {line}")
    of_class = any(isinstance(one, ast.ClassDef) for one in source.ancestors(node))
    if used := names_within(node) & _OF_METHODS:
        raise Refusal(f"{node.name} uses {min(used)}")
    for inner in walk(node) if of_class else ():
        name = last_name(inner)
        if name.startswith("__") and not name.endswith("__") and name != node.name:
            raise Refusal(f"{node.name} uses {name}, which is private to the class")


def _out(scope: Scope | None) -> list[Scope]:
    return list(scope.outwards()) if scope is not None else []


def _refuse_late(repo: Repository, source: Source, node: Function, top: ast.stmt) -> None:
    """Refuse where the head of a function names what is not there in front of a definition."""
    head = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    if not has_lazy_annotations(source):
        head += filter(None, (node.returns, *(one.annotation for one in parameters(node))))
    scopes = repo.index.scopes(source.path)
    for name in sorted(names_within(*head)):
        if is_late(scopes, name, top):
            raise Refusal(f"{name} is not there yet where {node.name} would be defined")


def _out_of_function(
    repo: Repository, source: Source, node: Function, target: Target, name: str
) -> list[Unfollowed]:
    """What may be another thing than before where an inner function is made only once."""
    scopes, variable = repo.index.scopes(source.path), target.variable
    assert variable is not None and variable.scope is not None
    kinds = decorator_names(node)
    if other := [one for one in kinds if one not in KEPT_DECORATORS]:
        raise Refusal(f"its decorator {other[0] or 'there'} would run when the module is imported")
    for outer in list(variable.scope.chain())[1:]:
        if outer is not scopes.module and name in outer.bound:
            raise Refusal(f"{name} means something else around {target.qualname}", why="name")
    if used := names_within(next(source.ancestors(node))) & _SHOWING:
        raise Refusal(f"{min(used)} may show {node.name}")
    for one in variable.occurrences:
        holder = source.parents.get(one.node)
        if one.role not in (Role.LOAD, Role.FUNCTION) or _sets_attribute(holder):
            line = getattr(one.node, "lineno", node.lineno)
            raise Refusal(f"{source.path}:{line}: {node.name} is set or changed there")
    for default in filter(None, (*node.args.defaults, *node.args.kw_defaults)):
        known = [scopes.resolve(scopes.by_node[one]) for one in walk(default) if one in scopes.by_node]
        plain = isinstance(default, ast.Constant | ast.UnaryOp) or is_plain(default)
        if not plain or any(len(one.bindings) > 1 for one in known):
            raise Refusal(f"its default {ast.unparse(default)} would be made only once")
    doubts = list(_shared_objects(source, variable.loads, variable.scope.node))[:1]
    if node.name.startswith("test"):
        doubts.append(Unfollowed(source.path, node.lineno, f"{node.name} may be run as a test"))
    return doubts


def _shared_objects(source: Source, loads: list[Occurrence], around: ast.AST) -> Iterator[Unfollowed]:
    """Where an inner function gets away: what is set on it, or what it is a key of, was its own for each call
    of the function around it."""
    for one in loads:
        holder = source.parents.get(one.node)
        if isinstance(holder, ast.Call) and holder.func is one.node:
            continue
        call = source.parents.get(holder) if isinstance(holder, ast.keyword) else holder
        taken = isinstance(holder, ast.keyword) and holder.arg in _CALLING_KEYWORDS
        if not (isinstance(call, ast.Call) and (taken or last_name(call.func) in _CALLING)):
            name = getattr(around, "name", "")
            reason = f"each call of {name} made a function of its own, with its own attributes"
            yield Unfollowed(source.path, source.line_number(one.span[0]), reason)


def _sets_attribute(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)


def _moved(source: Source, node: Function, top: Definition, edits: list[Edit]) -> Iterator[Edit]:
    """The edits that move a function in front of a definition, with the edits inside of it made."""
    first, last = own_lines(source, [node])
    cut = delete_definition(source, node)
    first = first if cut.new else comment_lines_above(source, first)
    low, high = source.line_span(first, last)
    inside = [one for one in edits if one.path == source.path and low <= one.start < high]
    yield from (one for one in edits if one not in inside)
    indent = source.indent(top)
    inside += _outdented_docstrings(source, node, len(source.indent(node)) - len(indent))
    after = Source(edited(source.text, inside), source.path)
    text = dedent_lines(after, first, last + len(after.lines) - len(source.lines), indent)
    text = text.rstrip("\r\n") + source.newline
    at = source.first_line(top)
    above = comment_lines_above(source, at)
    yield cut
    yield insert_at_line(source, above or at, text + source.newline * (1 if indent else 2))


def _outdented_docstrings(source: Source, node: Function, by: int) -> Iterator[Edit]:
    """The edits that move the lines of docstrings with their functions."""
    for one in (inner for inner in walk(node) if by > 0 and isinstance(inner, Function)):
        doc, indent = docstring(one), source.indent(one)
        rows = range(doc.lineno, source.last_line(doc)) if doc is not None else ()
        filled = [at for at in rows if source.lines[at].strip()]
        if all(source.lines[at].startswith(indent) for at in filled):
            yield from (Edit(source.path, source.starts[at], source.starts[at] + by, "") for at in filled)
