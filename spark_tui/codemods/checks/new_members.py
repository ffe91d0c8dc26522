"""Uses of a member that the class of an object does not have: `self.unregister()` where there is none."""

from __future__ import annotations

import ast
import builtins
import collections
import re
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import ClassValue, class_behind
from spark_tui.pysource.names.scopes import AttributeUse
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import walk

_ON_ALL = frozenset((*dir(type), "__dict__", "__slots__"))
"""What every object or class has."""
_OPEN = ("__getattr__", "__getattribute__")
_BASES = {
    "NamedTuple": collections.namedtuple("NamedTuple", ()),
    **dict.fromkeys(("ABC", "Generic", "Protocol"), object),
}
"""What classes of the library give that are not built in."""
_SETTING = re.compile(
    r"\bsetattr\(\s*(?:self|cls)\b"
    r"|\b(?:vars\((?:self|cls)\)|(?:self|cls)\.__dict__)(?:\.update|\.setdefault|\[|\s*=)"
)
"""What in a class may give its objects members by names in strings."""


def new_members(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change uses a member that a class of the repository and its bases do not have."""
    for path in paths:
        # A file that is not there has no members, and uses none.
        yield from _lost_beginnings(before, after, path)
        known_errors = _of_errors(before, path)
        for (kind, name, where), line in _of_errors(after, path).items():
            if (kind, name, where) not in known_errors:
                yield Finding(path, line, "new members", f"{kind} has no {name}", sure=False)
        had = before.index.scopes(path).attributes_by_name
        for name, uses in after.index.scopes(path).attributes_by_name.items():
            if len(uses) <= len(had.get(name, ())) or name in _ON_ALL:
                continue
            known = [_key(use) for use in had.get(name, ())]
            for use in uses:
                if isinstance(use.node.ctx, ast.Load) and _key(use) not in known:
                    yield from _missing(after, path, use)


def _of_errors(repo: Repository, path: str) -> dict[tuple[str, str, str], int]:
    """What handlers use of an error that a kind which they catch does not have: the kind, the member and the
    function, with the first line."""
    out: dict[tuple[str, str, str], int] = {}
    source, scopes = repo.index.source(path), repo.index.scopes(path)
    for handler in (one for node in source.statements if isinstance(node, ast.Try) for one in node.handlers):
        uses = [node for node in walk(handler) if isinstance(node, ast.Attribute)] if handler.name else []
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind, use in ((kind, use) for use in uses for kind in kinds if kind is not None):
            if not isinstance(use.value, ast.Name) or use.value.id != handler.name:
                continue
            known = repo.infer.values(path, kind, scopes.around(kind))
            owners = [one for one in known if isinstance(one, ClassValue)]
            own = getattr(builtins, kind.id, None) if isinstance(kind, ast.Name) and not owners else None
            lacks = isinstance(own, type) and not hasattr(own, use.attr)
            if lacks or (owners and all(_lacks(repo, owner, use.attr) for owner in owners)):
                around = source.function_of(handler)
                key = last_name(kind), use.attr, source.qualname(around) if around else ""
                out.setdefault(key, use.lineno)
    return out


def _key(use: AttributeUse) -> tuple[str, str]:
    """An attribute and the function that uses it."""
    return ast.unparse(use.node), getattr(use.scope.node, "name", "")


def _holds(owner: ast.ClassDef, node: ast.AST) -> bool:
    return owner.lineno <= getattr(node, "lineno", 0) <= (owner.end_lineno or 0)


def _missing(after: Repository, path: str, use: AttributeUse) -> Iterator[Finding]:
    values = after.infer.values(path, use.node.value, use.scope)
    owners = [owner for owner in map(class_behind, values) if owner is not None]
    if owners and all(_lacks(after, owner, use.name) for owner in owners):
        reason = f"{owners[0].node.name} has no {use.name}"
        yield Finding(path, use.node.lineno, "new members", reason, sure=False)


def _lost_beginnings(before: Repository, after: Repository, path: str) -> Iterator[Finding]:
    """Attributes that `__init__` no longer sets, and that a method reads."""
    old, new = before.index.source(path), after.index.source(path)
    for owner in old.classes.keys() & new.classes.keys():
        then, now = old.classes[owner][-1], new.classes[owner][-1]
        if old.segment(then) == new.segment(now):
            continue
        above = after.classes.ancestors(ClassValue(path, now))
        given = {name for one in above for name in _set_first(one.node)}
        for name in sorted(_set_first(then) - given):
            uses = after.index.scopes(path).attributes_by_name.get(name, ())
            reads = [use.node for use in uses if isinstance(use.node.ctx, ast.Load)]
            family = [
                one.node for one in after.classes.descendants(ClassValue(path, now)) if one.path == path
            ]
            others = [one for one in family if one is not now and name in _set_first(one)]
            own = (node for node in reads if any(_holds(one, node) for one in family))
            own = (node for node in own if not any(_holds(one, node) for one in others))
            line = next((node.lineno for node in own if ast.unparse(node.value) == "self"), 0)
            if line:
                is_method = any(isinstance(one, Function) and one.name == name for one in then.body)
                lost = f"{owner} has no {name}" if is_method else f"no __init__ sets self.{name}"
                yield Finding(path, line, "new members", f"{lost} any more", sure=False)


def _set_first(owner: ast.ClassDef) -> set[str]:
    """The names that a class sets in its body, or on its objects in `__init__`."""
    begun = [item for item in owner.body if not isinstance(item, Function) or item.name == "__init__"]
    return {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in (node for item in begun for node in walk(item))
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store)
    } | {item.name for item in owner.body if isinstance(item, Function)}


def _lacks(after: Repository, owner: ClassValue, name: str) -> bool:
    """Whether nothing gives the objects of a class such a member, as far as the repository tells."""
    classes = after.classes
    line = classes.ancestors(owner)
    if classes.lookup(owner, name) is not None or any(_may_inherit(after, one, name) for one in line):
        return False
    if any(classes.lookup(child, name) is not None for child in classes.descendants(owner)):
        return False  # a mixin, or a base that leaves it to its subclasses
    if any(hook in classes.own_members(one) for one in line for hook in _OPEN):
        return False
    if any(_may_get_more(after, one) for one in line):
        return False
    return not any(
        isinstance(other.node.ctx, ast.Store)
        for one in line
        for other in after.index.scopes(one.path).attributes_by_name.get(name, ())
    )


def _may_inherit(after: Repository, owner: ClassValue, name: str) -> bool:
    """Whether a base that is no class of the repository may have a member."""
    scopes = after.index.scopes(owner.path)
    scope = scopes.scope_at.get(owner.node, scopes.module)
    for base in owner.node.bases:
        node = base.value if isinstance(base, ast.Subscript) else base
        if all(isinstance(value, ClassValue) for value in after.infer.values(owner.path, node, scope)):
            continue
        known = _BASES.get(last_name(node), getattr(builtins, last_name(node), None))
        if known is None or known is type or hasattr(known, name):
            return True
    return False


def _may_get_more(after: Repository, owner: ClassValue) -> bool:
    """Whether a metaclass or a name in a string may give the objects of a class more members."""
    source = after.index.source(owner.path)
    methods = [source.segment(item) for item in owner.node.body if isinstance(item, Function)]
    made = any(last_name(keyword.value) != "ABCMeta" for keyword in owner.node.keywords)
    return made or any(map(_SETTING.search, methods))
