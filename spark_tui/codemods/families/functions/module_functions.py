"""Methods that do not use their object, and inner functions, as functions of their module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.checks.early_names import is_late
from spark_tui.codemods.families.statements.branches import dedent_lines
from spark_tui.codemods.imports.graph import files_reached
from spark_tui.codemods.imports.lines import insert_import
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
from spark_tui.codemods.rewriting.alignment import shifted_lines
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments
from spark_tui.codemods.signatures.edits import doubtful_callers, read_head
from spark_tui.codemods.slots import CALLABLE, Symbol
from spark_tui.codemods.uses.callsites import Sites, call_sites, find_overrides
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.calls.brackets import removal
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.imports import has_lazy_annotations
from spark_tui.pysource.names.places import head_name
from spark_tui.pysource.names.scopes import Role, Scope
from spark_tui.pysource.names.type_hints import decorator_names, last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_KINDS = word_set("staticmethod classmethod")
_MOVED = word_set("contextmanager asynccontextmanager cache lru_cache")
"""Decorators that do the same for a function of the module."""
_CACHES = word_set("cache lru_cache")
_OF_METHODS = word_set("super __class__")


@codemod
class ToModuleLevel:
    """Make a method that does not use its object, or a function inside of another one, a function of the
    module, in front of the class or function; its callers follow."""

    target: Symbol = slot("the method or inner function", kinds=CALLABLE)

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
        name = f"_{name.strip('_')}" if private else name
        _refuse_taken(repo, source.path, name)
        _refuse_captured(repo, source, node, target)
        _refuse_late(repo, source, node, top)
        edits: list[Edit] = []
        if name != node.name:
            edits.append(Edit(source.path, *head_name(source, node), name))
        if source.class_of(node) is not None:
            follow, doubts = _out_of_class(repo, source, node, target, name)
            edits += follow
        else:
            doubts = _out_of_function(repo, source, node, target)
            if private:
                raise Refusal(f"{node.name} is private to the class")
        refuse_lost_comments(source, edits)
        return plan_edits(repo, [*_moved(source, node, top, edits)], doubts)


def _refuse_taken(repo: Repository, path: str, name: str) -> None:
    """Refuse where the module has the name already, or uses a builtin of that name."""
    scopes = repo.index.scopes(path)
    used = any(one.name == name and one.scope in (None, scopes.module) for one in scopes.variables)
    if used or name in scopes.module.bound:
        raise Refusal(f"{name} means something else in {path}", why="name")


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


def _out_of_class(
    repo: Repository, source: Source, node: Function, target: Target, name: str
) -> tuple[list[Edit], list[Unfollowed]]:
    """The edits of the head of a method and of its callers, and what may call it besides."""
    owner, located = source.class_of(node), [(source.path, node)]
    assert owner is not None
    kinds = decorator_names(node)
    if other := [one for one in kinds if one not in _KINDS | _MOVED]:
        raise Refusal(f"{node.name} has the decorator {other[0]}")
    if len(find_overrides(repo, source.path, node)) > 1:
        raise Refusal(f"other classes have {node.name} too")
    if node.name.startswith("_") and node.name.endswith("_"):
        raise Refusal(f"Python calls {node.name} by itself")
    bare = target.variable.loads if target.variable is not None else []
    if bare:
        raise Refusal(
            f"{source.path}:{source.line_number(bare[0].span[0])}: the class itself uses {node.name}"
        )
    if "Protocol" in map(last_name, owner.bases):
        raise Refusal(f"{owner.name} says that its objects have {node.name}")
    sites, static = call_sites(repo, located), "staticmethod" in kinds
    if name != node.name:
        own = {one for one in walk(owner) if isinstance(one, ast.Attribute) and one.attr == node.name}
        sites = Sites(values=[(source.path, one) for one in own])
    given = [site.call.args[0] if site.partial else site.call.func for site in sites.sites]
    uses = [*zip((site.path for site in sites.sites), given, strict=True), *sites.values]
    uses = [(path, one) for path, one in uses if last_name(one) == node.name]
    if sites.shared:
        raise Refusal(f"{sites.shared[0].path}:{sites.shared[0].call.lineno} may call something else too")
    edits = [*_without_object(repo, source, node, {one for _, one in uses})] if not static else []
    for one, kind in zip(node.decorator_list, kinds, strict=True):
        if kind in _KINDS:
            edits.append(Edit(source.path, *source.line_span(one.lineno - 1, source.last_line(one)), ""))
    for path, one in uses:
        edits += _named_alone(repo, path, one, node, name, static)
    for path in sorted({path for path, _ in uses} - {source.path}):
        edits.append(_imported(repo, path, source.path, name))
    doubts = list(doubtful_callers(repo, located, replace(sites, values=[])))
    if not uses:
        reason = f"nothing here names {node.name}: what calls it may look for it on the object"
        doubts.append(Unfollowed(source.path, node.lineno, reason))
    doc = docstring(node)
    said = doc is not None and re.search("overrid|subclass|hook", source.segment(doc), re.IGNORECASE)
    if said or all(map(_does_nothing, node.body)):
        reason = f"{node.name} may be there for other classes to override"
        doubts.append(Unfollowed(source.path, node.lineno, reason))
    return edits, doubts


def _does_nothing(node: ast.stmt) -> bool:
    """Whether a statement is what stands in a method that others are meant to fill."""
    value = getattr(node, "value", None)
    given = value is None or isinstance(value, ast.Constant | ast.List | ast.Tuple | ast.Dict)
    return isinstance(node, ast.Pass | ast.Raise) or (isinstance(node, ast.Return | ast.Expr) and given)


def _without_object(repo: Repository, source: Source, node: Function, uses: set[ast.expr]) -> Iterator[Edit]:
    """The edit that takes the object out of the head of a method, which calls at most itself on it."""
    spec = [*node.args.posonlyargs, *node.args.args]
    if not spec or len(spec) == len(node.args.defaults):
        raise Refusal(f"{node.name} takes no object")
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable(spec[0].arg, scopes.scope_of[node])
    for one in variable.occurrences if variable is not None else ():
        if one.node is not spec[0] and source.parents.get(one.node) not in uses:
            raise Refusal(f"{node.name} uses its object: line {getattr(one.node, 'lineno', node.lineno)}")
    found = read_head(source, node)
    if "/" in found.names[1:2]:
        raise Refusal("its head has a / after the object")
    yield Edit(source.path, *removal(found.brackets, 0, source.text))


def _named_alone(
    repo: Repository, path: str, use: ast.expr, node: Function, name: str, static: bool
) -> Iterator[Edit]:
    """The edits of one use of a method, which names the function in place of the object and the method."""
    source, scopes = repo.index.source(path), repo.index.scopes(path)
    where = f"{path}:{use.lineno}"
    low, high = source.span(use)
    scope = scopes.around(use)
    if not isinstance(use, ast.Attribute) or low < 0:
        raise Refusal(f"{where}: the use of {node.name} cannot be edited exactly")
    values = repo.infer.values(path, use, scope)
    bound = all(one.bound for one in values if isinstance(one, FunctionValue) and one.node is node)
    holder = source.function_of(use)
    own = holder is not None and ast.unparse(use.value) in [one.arg for one in holder.args.args[:1]]
    if not static and not (own if name != node.name else bound):
        raise Refusal(f"{where} calls it on the class")
    if not _is_plain(use.value):
        raise Refusal(f"{where}: {ast.unparse(use.value)} would no longer run")
    if scopes.lookup(name, scope) is not None:
        raise Refusal(f"{name} means something else in {where}", why="name")
    edit = Edit(path, low, high, name)
    refuse_lost_comments(source, [edit])
    yield edit
    outer = source.parents.get(use)
    if (
        isinstance(outer, ast.Call)
        and outer.func is use
        and source.position(low)[0] == source.position(high)[0]
    ):
        yield from shifted_lines(source, low, source.span(outer)[1], len(name) - (high - low))


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression does nothing but to name an object."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) or ast.unparse(node) in ("super()", "type(self)")


def _imported(repo: Repository, path: str, home: str, name: str) -> Edit:
    """The edit that imports a function into a file, as that imports others from there."""
    source, modules = repo.index.source(path), repo.index.modules
    _refuse_taken(repo, path, name)
    found = [one for one in source.body if isinstance(one, ast.ImportFrom)]
    known = next((one for one in found if modules.imported(path, one) == home), None)
    if known is None and path in files_reached(repo, home):
        raise Refusal(f"{path} and {home} would import each other")
    shown = "." * known.level + (known.module or "") if known is not None else modules.name(home)
    beside = home.rpartition("/")[0] == path.rpartition("/")[0]
    if known is None and beside and any(one.level == 1 for one in found):
        shown = f".{shown.rpartition('.')[2]}"
    return insert_import(repo, path, shown, name, "")


def _out_of_function(repo: Repository, source: Source, node: Function, target: Target) -> list[Unfollowed]:
    """What may be another thing than before where an inner function is made only once."""
    scopes, variable = repo.index.scopes(source.path), target.variable
    assert variable is not None and variable.scope is not None
    kinds = decorator_names(node)
    if other := [one for one in kinds if one not in _MOVED]:
        raise Refusal(f"its decorator {other[0] or 'there'} would run when the module is imported")
    for outer in list(variable.scope.chain())[1:]:
        if outer is not scopes.module and node.name in outer.bound:
            raise Refusal(f"{node.name} means something else around {target.qualname}", why="name")
    for one in variable.occurrences:
        holder = source.parents.get(one.node)
        if one.role not in (Role.LOAD, Role.FUNCTION) or _sets_attribute(holder):
            line = getattr(one.node, "lineno", node.lineno)
            raise Refusal(f"{source.path}:{line}: {node.name} is set or changed there")
    for default in filter(None, (*node.args.defaults, *node.args.kw_defaults)):
        if not isinstance(default, ast.Constant | ast.UnaryOp) and not _is_plain(default):
            raise Refusal(f"its default {ast.unparse(default)} would be made only once")
    doubts = []
    if not _CACHES.isdisjoint(kinds):
        doubts.append(Unfollowed(source.path, node.lineno, "what its cache keeps lives on between the calls"))
    if node.name.startswith("test"):
        doubts.append(Unfollowed(source.path, node.lineno, f"{node.name} may be run as a test"))
    return doubts


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
