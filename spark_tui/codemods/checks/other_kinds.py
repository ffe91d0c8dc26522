"""Collections, numbers and texts that a name of a module or an attribute becomes, and code that uses it as
what it was: `add` on what is a list now, a call of a number. Local ones are looked at by `value_uses`."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.operators import COMPARING, takes_format
from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.known_types import BUILTIN_TYPES
from spark_tui.pysource.inference.plain_types import plain_type
from spark_tui.pysource.inference.values import UNKNOWN, InstanceValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes

_NUMBERS = ("int", "float", "bool")
_WITHOUT_ITEMS = ("set", "frozenset", *_NUMBERS)
_FIXED = ("tuple", *_WITHOUT_ITEMS)
_UNHASHED = ("list", "set", "dict")
_TAKEN = {
    **dict.fromkeys(("isinstance", "issubclass"), ("tuple",)),
    **dict.fromkeys(("startswith", "endswith"), ("tuple", "str", "bytes")),
    **dict.fromkeys(("range", "chr"), ("int", "bool")),
    **dict.fromkeys(("abs", "round", "sleep"), _NUMBERS),
}
"""The kinds that some functions take; of the first two what their second argument may be."""


def other_kinds(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a value is used as the kind that it was before."""
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        lines = frozenset(changed_lines(before, after, path))
        statements = after.index.source(path).statements if lines else ()
        own = after.index.source(path)
        if not any(node.lineno in lines and _kind(own, getattr(node, "value", None)) for node in statements):
            continue
        old, new = _kinds(before.index.source(path)), _kinds(own)
        for place, kind in new.items():
            was = old.get(place)
            if was is None or not kind or kind == was:
                continue
            for where, use in _uses(after, path, *place):
                if wrong := _wrong(after.index.source(where), use, was, kind):
                    reason = f"{ast.unparse(use)} is {_shown(kind)} now: {wrong}"
                    yield Finding(where, use.lineno, "other kinds", reason, sure=False)


def _shown(kind: str) -> str:
    return f"an {kind}" if kind == "int" else f"a {kind}"


def _kind(source: Source, value: ast.expr | None) -> str:
    """The kind of collection, text or number that an expression gives; empty where its form does not tell
    it. What is None may be looked at only where it is not."""
    kind = plain_type(source, value)
    return kind if kind in BUILTIN_TYPES else ""


def _kinds(source: Source) -> dict[tuple[str, str], str]:
    """The names of a module and the attributes of its classes that always begin as one kind, if known."""
    found: dict[tuple[str, str], set[str]] = {}
    for node in source.statements:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        inside = source.function_of(node)
        owner = source.class_of(inside or node)
        for goal in targets(node):
            own = isinstance(goal, ast.Attribute) and ast.unparse(goal.value) == "self" and owner is not None
            if own or (isinstance(goal, ast.Name) and inside is None):
                place = source.qualname(owner) if owner is not None else "", last_name(goal)
                found.setdefault(place, set()).add(_kind(source, node.value))
    return {place: kinds.pop() for place, kinds in found.items() if len(kinds) == 1}


def _uses(repo: Repository, path: str, owner: str, name: str) -> Iterator[tuple[str, ast.expr]]:
    """Where a name of a module or an attribute of a class is read, as far as that is known."""
    for where in sorted({path, *repo.index.files_with(name)}):
        scopes = repo.index.scopes(where)
        for node in find_nodes(scopes.source.tree, ast.Attribute) if scopes.source.tree else ():
            read = node.attr == name and _is_read(scopes.source, node)
            if read and _is_of(repo, where, node.value, path, owner, name):
                yield where, node
        imported = where == path or any(one.name == name for one in repo.index.imports(where))
        for used in scopes.by_name.get(name, ()) if imported and not owner else ():
            own = scopes.resolve(used).scope is scopes.module
            if own and isinstance(used.node, ast.Name) and _is_read(scopes.source, used.node):
                yield where, used.node


def _is_read(source: Source, use: ast.Name | ast.Attribute) -> bool:
    return isinstance(use.ctx, ast.Load) or isinstance(source.parents.get(use), ast.AugAssign)


def _is_of(repo: Repository, where: str, value: ast.expr, path: str, owner: str, name: str) -> bool:
    """Whether an attribute is asked of the module, or of an object of the class or of one based on it; of an
    object that is not known, whether only that class has it."""
    scopes = repo.index.scopes(where)
    used = scopes.by_node.get(value)
    known = repo.infer.values(where, value, used.scope if used is not None else scopes.of_function(value))
    if not owner:
        module = repo.index.modules.name(path)
        return any(getattr(one, "name", "") == module for one in known)
    if set(known) == {UNKNOWN} and not any(hasattr(getattr(builtins, one), name) for one in BUILTIN_TYPES):
        return [(at, one.qualname) for at, one in repo.index.symbols(name)] == [(path, f"{owner}.{name}")]
    classes = [one.of for one in known if isinstance(one, InstanceValue)]
    return any(
        (line.path, repo.index.source(line.path).qualname(line.node)) == (path, owner)
        for one in classes
        for line in repo.classes.ancestors(one)
    )


def _wrong(source: Source, use: ast.expr, was: str, kind: str) -> str:
    """What the new kind does not allow and the old one did, or may have."""
    match source.parents.get(use):
        case ast.Call(func=called) if called is use:
            return "it is called"
        case ast.Attribute(attr=member):
            had = not was or hasattr(getattr(builtins, was), member)
            return f"it has no {member}" if had and not hasattr(getattr(builtins, kind), member) else ""
        case ast.For(iter=gone_through) | ast.comprehension(iter=gone_through) if gone_through is use:
            return "it has no items" if kind in _NUMBERS and was not in _NUMBERS else ""
        case ast.Subscript(value=value, ctx=ast.Load()) if value is use and kind in _WITHOUT_ITEMS:
            return "it has no items by number" if was not in _WITHOUT_ITEMS else ""
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if value is use and kind in _FIXED:
            return "its items cannot be set" if was not in _FIXED else ""
        case ast.UnaryOp(op=ast.UAdd() | ast.USub() | ast.Invert()) | ast.Slice():
            return "it is no number" if was in _NUMBERS and kind not in _NUMBERS else ""
        case ast.Subscript(held, slice=index) if index is use and was in _NUMBERS and kind not in _NUMBERS:
            of = {kind for (_, name), kind in _kinds(source).items() if name == last_name(held)}
            return "it is no number" if of != {"dict"} or kind in _UNHASHED else ""
        case ast.FormattedValue(conversion=-1, format_spec=ast.JoinedStr([ast.Constant(str(form))])):
            example = getattr(builtins, kind)()
            return f"it takes no format {form}" if not takes_format(example, form) else ""
        case ast.BinOp(op=ast.Mod(), right=filling) if filling is use and "tuple" in (was, kind):
            return "it fills one place of a text" if was == "tuple" else "it fills several places of a text"
        case ast.BinOp(ast.Constant(str(text)), ast.Mod()) if re.search(r"%[-\d.]*[sra]", text):
            return ""
        case ast.BinOp(left, sign, right) | ast.AugAssign(left, sign, right):
            other = _kind(source, right if left is use else left) or was
            if isinstance(sign, ast.Add):
                return f"it is added to {_shown(other)}" if _differ(other, kind) else ""
            return "it is no number" if was in _NUMBERS and kind not in _NUMBERS else ""
        case ast.Compare(comparators=[ast.Constant(None)]):
            return ""
        case ast.Compare(left, [sign], [right]) if isinstance(sign, COMPARING):
            other = _kind(source, right if left is use else left) or was
            return f"it is compared with {_shown(other)}" if _differ(other, kind) else ""
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), args) if name in _TAKEN:
            wrong = use in args[name.startswith("is") :] and kind not in _TAKEN[name]
            return f"{name} takes no {kind}" if wrong and was in ("", *_TAKEN[name]) else ""
        case ast.Dict() | ast.Set() | ast.Subscript() | ast.Call(ast.Name("hash")) as holder:
            keys = holder.keys if isinstance(holder, ast.Dict) else [getattr(holder, "slice", use)]
            return "it is no key" if use in keys and kind in _UNHASHED and was not in _UNHASHED else ""
    return ""


def _differ(one: str, other: str) -> bool:
    """Whether values of two kinds never equal each other, and have neither a sum nor an order."""
    alike = (_NUMBERS, ("set", "frozenset"))
    return bool(one) and one != other and not any({one, other} <= {*kinds} for kinds in alike)
