"""The callers of methods that become functions of their module, and what may call such a method besides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.imports.graph import files_reached
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.plan import Edit, Refusal, Unfollowed
from spark_tui.codemods.rewriting.edits import refuse_lost_comments
from spark_tui.codemods.rewriting.wrapping import shifted_lines
from spark_tui.codemods.signatures.edits import doubtful_callers, read_head
from spark_tui.codemods.uses.callsites import Sites, call_sites, find_overrides
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.calls.brackets import removal
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.scopes import Scope
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.parsing import positional, receiver
from spark_tui.pysource.syntax.walking import root_of, walk
from spark_tui.pysource.words import word_set

_KINDS = word_set("staticmethod classmethod")
KEPT_DECORATORS = word_set("contextmanager asynccontextmanager cache lru_cache")
"""Decorators that do the same for a function of the module."""


def out_of_class(
    repo: Repository, source: Source, node: Function, target: Target, name: str
) -> tuple[list[Edit], list[Unfollowed]]:
    """The edits of the head of a method and of its callers, and what may call it besides."""
    owner, located = source.class_of(node), [(source.path, node)]
    assert owner is not None
    kinds = decorator_names(node)
    if other := [one for one in kinds if one not in _KINDS | KEPT_DECORATORS]:
        raise Refusal(f"{node.name} has the decorator {other[0]}")
    family = repo.classes.descendants(ClassValue(source.path, owner))
    members = [one for below in family for one in repo.classes.own_members(below).get(node.name, ())]
    if len(members) > 1 or len(find_overrides(repo, source.path, node)) > 1:
        raise Refusal(f"other classes or objects have {node.name} too")
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
    for path in repo.index.files_with(node.name):
        for use in repo.index.scopes(path).attributes_by_name.get(node.name, ()):
            if isinstance(use.node.ctx, ast.Store):
                reason = f"{ast.unparse(use.node)} may be another method from there on"
                doubts.append(Unfollowed(path, use.node.lineno, reason))
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
    spec = positional(node)
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
    if not isinstance(use.ctx, ast.Load):
        raise Refusal(f"{where}: {node.name} is set or changed there")
    values = repo.infer.values(path, use, scope)
    bound = all(one.bound for one in values if isinstance(one, FunctionValue) and one.node is node)
    holder = source.function_of(use)
    own = holder is not None and ast.unparse(use.value) == receiver(holder)
    if not static and not (own if name != node.name else bound):
        raise Refusal(f"{where} calls it on the class")
    if not is_plain(use.value) and not _only_makes(repo, path, use.value, scope):
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


def is_plain(node: ast.expr) -> bool:
    """Whether an expression does nothing but to name an object."""
    root = root_of(node, ast.Attribute)
    return isinstance(root, ast.Name) or ast.unparse(root) in ("super()", "type(self)")


def _only_makes(repo: Repository, path: str, node: ast.expr, scope: Scope) -> bool:
    """Whether an expression makes an object of a class that does nothing then."""
    made = repo.infer.values(path, node.func, scope) if isinstance(node, ast.Call) else ()
    given = isinstance(node, ast.Call) and (node.args or node.keywords)
    return bool(made and not given) and all(
        isinstance(one, ClassValue)
        and not repo.classes.has_foreign_base(one)
        and all(repo.classes.lookup(one, name) is None for name in ("__init__", "__new__"))
        and not any(above.node.decorator_list or above.node.keywords for above in repo.classes.ancestors(one))
        for one in made
    )


def _imported(repo: Repository, path: str, home: str, name: str) -> Edit:
    """The edit that imports a function into a file, as that imports others from there."""
    source, modules = repo.index.source(path), repo.index.modules
    refuse_taken(repo, path, name)
    found = [one for one in source.body if isinstance(one, ast.ImportFrom)]
    known = next((one for one in found if modules.imported(path, one) == home), None)
    if known is None and path in files_reached(repo, home):
        raise Refusal(f"{path} and {home} would import each other")
    shown = "." * known.level + (known.module or "") if known is not None else modules.name(home)
    beside = home.rpartition("/")[0] == path.rpartition("/")[0]
    if known is None and beside and any(one.level == 1 for one in found):
        shown = f".{shown.rpartition('.')[2]}"
    return insert_import(repo, path, shown, name, "")


def refuse_taken(repo: Repository, path: str, name: str) -> None:
    """Refuse where the module has the name already, or uses a builtin of that name."""
    scopes = repo.index.scopes(path)
    used = any(one.name == name and one.scope in (None, scopes.module) for one in scopes.variables)
    if used or name in scopes.module.bound:
        raise Refusal(f"{name} means something else in {path}", why="name")
