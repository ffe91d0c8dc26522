"""Classes whose objects have slots in place of a dictionary."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.classes.members import is_dataclass
from spark_tui.codemods.places.named import insert_at_start, need_class
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import CLASS, Symbol
from spark_tui.codemods.uses.by_string import attribute_by_string
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, InstanceValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_WIDEST = 88
_HARMLESS = frozenset(("total_ordering", "final", "runtime_checkable"))
_FREE = word_set("vars setattr delattr __dict__ __setattr__ cached_property ref proxy")
"""Names of what sets any attribute of an object, or needs its dictionary."""


@codemod
class AddSlots:
    """Give a class `__slots__` for the attributes that its methods set."""

    target: Symbol = slot("the class", kinds=CLASS)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        own = ClassValue(source.path, node)
        members = repo.classes.own_members(own)
        if "__slots__" in members:
            raise Refusal(f"{target.qualname} has __slots__ already", why="nothing")
        _refuse_kinds(repo, own)
        names = _stored(repo, own)
        doubts = [*_dictionaries(repo, own), *_other_stores(repo, own, names)]
        shown = [f'"{name}"' for name in names]
        text = f"({', '.join(shown)}{',' if len(shown) == 1 else ''})"
        code = f"__slots__ = {text}"
        if len(source.indent(node.body[0])) + len(code) > _WIDEST:
            code = "__slots__ = (\n" + "".join(f"{source.indent_unit}{one},\n" for one in shown) + ")"
        edit = insert_at_start(source, node, code)
        first = node.body[0]
        after_doc = edit.start > source.span(first)[0]
        below = source.text[edit.start :].split("\n", 1)[0].strip()
        new = (source.newline if after_doc else "") + edit.new + (source.newline if below else "")
        return plan_edits(repo, [type(edit)(edit.path, edit.start, edit.end, new)], doubts)


def _refuse_kinds(repo: Repository, own: ClassValue) -> None:
    """Refuse classes whose objects are made in another way, or share their layout with other classes."""
    node = own.node
    if is_dataclass(node):
        raise Refusal(f"{node.name} is a dataclass, which takes slots=True")
    if other := [name for name in decorator_names(node) if name not in _HARMLESS]:
        raise Refusal(f"@{other[0]} may set attributes of its own")
    if any(keyword.arg != "metaclass" or last_name(keyword.value) != "ABCMeta" for keyword in node.keywords):
        raise Refusal(f"the metaclass of {node.name} may set attributes of its own")
    if repo.classes.has_foreign_base(own):
        raise Refusal(f"{node.name} has a base class that is not here")
    if any(last_name(base) in ("Protocol", "NamedTuple", "TypedDict") for base in node.bases):
        raise Refusal(f"{node.name} is no plain class")
    for below in repo.classes.descendants(own):
        if len(repo.classes.bases(below)[0]) > 1 and below != own:
            raise Refusal(f"{below.node.name} inherits from other classes too, which slots may rule out")
    if len(node.bases) > 1 and len(repo.classes.bases(own)[0]) > 1:
        raise Refusal(f"{node.name} has several bases, which slots may rule out")
    for inner in walk(node):
        name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
        if name in _FREE:
            raise Refusal(f"line {getattr(inner, 'lineno', 0)}: {name} there needs objects without slots")


def _stored(repo: Repository, own: ClassValue) -> list[str]:
    """The attributes that need a slot, in the order in which `__init__` and the other methods set them."""
    above = repo.classes.ancestors(own)
    held: set[str] = set()
    for one in above[1:]:
        nodes = repo.classes.own_members(one).get("__slots__", ())
        held |= {name for item in nodes for name in _slot_names(repo.index.source(one.path), item)}
    members = (node for nodes in repo.classes.own_members(own).values() for node in nodes)
    found = [node for node in members if isinstance(node, ast.Attribute)]
    first: dict[str, ast.Attribute] = {}
    for item in sorted(found, key=lambda item: (item.lineno, item.col_offset)):
        first.setdefault(item.attr, item)
    source = repo.index.source(own.path)
    inits = [stmt for stmt in own.node.body if isinstance(stmt, Function) and stmt.name == "__init__"]
    names = sorted(first, key=lambda name: source.function_of(first[name]) not in inits)
    return [name for name in names if name not in held and not _is_property(repo, above, name)]


def _slot_names(source: Source, item: ast.AST) -> Iterator[str]:
    statement = source.statement(item)
    for inner in walk(statement):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _is_property(repo: Repository, above: list[ClassValue], name: str) -> bool:
    """Whether a property takes what is set. Refuses what a slot would hide or be hidden by."""
    for one in above:
        for item in repo.classes.own_members(one).get(name, ()):
            if isinstance(item, Function) and {"setter", "property"} & set(decorator_names(item)):
                return True
            source = repo.index.source(one.path)
            annotated = isinstance(source.parents.get(item), ast.AnnAssign)
            empty = annotated and getattr(source.parents.get(item), "value", None) is None
            if not isinstance(item, ast.Attribute) and not empty:
                raise Refusal(f"{name} is set in the body of {one.node.name} too, where a slot has no value")
    return False


def _dictionaries(repo: Repository, own: ClassValue) -> Iterator[Unfollowed]:
    """Bases whose objects have a dictionary, and code around that may need one."""
    for one in repo.classes.ancestors(own)[1:]:
        if "__slots__" not in repo.classes.own_members(one):
            reason = f"{one.node.name} has no __slots__, so that objects keep their dictionary"
            yield Unfollowed(own.path, own.node.lineno, reason)
    around = {own.path, *repo.index.importers(own.path)}
    for path in sorted(around.intersection(repo.index.files_with(*_FREE, "weakref"))):
        for inner in walk(repo.index.source(path).tree):
            name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            line = getattr(inner, "lineno", 1)
            if name in _FREE:
                yield Unfollowed(path, line, f"{name} fails there if it is given {own.node.name}")
            elif isinstance(inner, ast.Import | ast.ImportFrom) and _is_weak(inner):
                yield Unfollowed(path, line, f"a weak reference to {own.node.name} fails now")


def _is_weak(node: ast.Import | ast.ImportFrom) -> bool:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
    return "weakref" in modules


def _other_stores(repo: Repository, own: ClassValue, names: list[str]) -> Iterator[Unfollowed]:
    """Where an object gets an attribute that has no slot."""
    if any("__slots__" not in repo.classes.own_members(one) for one in repo.classes.ancestors(own)[1:]):
        return
    known = set(names)
    for one in repo.classes.ancestors(own):
        for name, nodes in repo.classes.own_members(one).items():
            setter = any("setter" in decorator_names(item) for item in nodes if isinstance(item, Definition))
            known |= {name} if setter or (one != own and isinstance(nodes[0], ast.Attribute)) else set()
    for path in sorted({own.path, *repo.index.importers(own.path)}):
        for use in repo.index.scopes(path).attributes:
            if use.name in known or isinstance(use.node.ctx, ast.Load):
                continue
            values = repo.infer.values(path, use.node.value, use.scope)
            within = UNKNOWN in values and own.node in repo.index.source(path).ancestors(use.node)
            if within or any(isinstance(value, InstanceValue) and value.of == own for value in values):
                reason = f"{ast.unparse(use.node)} has no slot, so that setting it fails"
                yield Unfollowed(path, use.node.lineno, reason)
        yield from _patched(repo, path, own, known)


def _patched(repo: Repository, path: str, own: ClassValue, known: set[str]) -> Iterator[Unfollowed]:
    """Where a test sets an attribute of an object by its name: `patch.object(cart, "total")`."""
    scopes = repo.index.scopes(path)
    for call in scopes.calls:
        owner, name = (*call.args, None, None)[:2]
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str) and owner is not None):
            continue
        if attribute_by_string(call, name.value) is None or name.value in known:
            continue
        values = repo.infer.values(path, owner, scopes.scope_at.get(call, scopes.module))
        sets = last_name(call.func) in ("object", "setattr", "spy", "delattr")
        if sets and any(isinstance(value, InstanceValue) and value.of == own for value in values):
            reason = f"{ast.unparse(owner)}.{name.value} has no slot, so that setting it fails"
            yield Unfollowed(path, call.lineno, reason)
