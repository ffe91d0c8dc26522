"""Calls that make a dataclass or a named tuple, and do not fit its fields any more or fill another one."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from typing import NamedTuple

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import Signature, fit
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import called_name, decorator_names, is_class_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import text_in

_WITHOUT_FIELDS = ("NamedTuple", "object", "ABC", "Generic", "Protocol")
"""Classes of libraries that add no field."""


class _Field(NamedTuple):
    name: str
    required: bool
    named: bool
    """Whether it is keyword-only."""
    taken: bool
    """Whether it gets a value when the class is made."""
    sure: bool
    """Whether what it is set to is a default, and not what another `field` says."""


_Changed = dict[ClassValue, tuple[tuple[_Field, ...], tuple[_Field, ...]]]


def field_order(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which calls a change of the fields of a class leaves without a value, or with another field's."""
    changed: _Changed = {}
    for path in paths:
        old, new = before.index.source(path), after.index.source(path)
        for name, nodes in new.classes.items():
            was = old.classes.get(name)
            if not was or not _makes_fields(nodes[-1]) or _own_fields(was[-1]) == _own_fields(nodes[-1]):
                continue
            for value in after.classes.descendants(ClassValue(path, nodes[-1])):
                known = before.classes.find(value.path, after.index.source(value.path).qualname(value.node))
                fields = _all_fields(after, value)
                had = _all_fields(before, known[-1]) if known else None
                if fields is None or had is None or fields == had:
                    continue
                if (late := _late(fields)) and not _late(had):
                    reason = f"{late} has no default and comes after a field that has one"
                    reason += ": the class cannot be made"
                    yield Finding(value.path, value.node.lineno, "field order", reason)
                else:
                    changed[value] = had, fields
    yield from _misfits(before, after, changed)


def _misfits(before: Repository, after: Repository, changed: _Changed) -> Iterator[Finding]:
    kinds = {value: (_signature(had), _signature(fields)) for value, (had, fields) in changed.items()}
    for path, call, value, is_new in _calls(before, after, kinds):
        old, new = kinds[value]
        reason = ""
        if problem := fit(new, call).problem:
            reason = problem if is_new or not fit(old, call).problem else ""
        elif not is_new and (moved := _moved(call, _places(old.positional, new.positional))):
            reason = f"takes {moved[1]} where this call passes {moved[0]}"
        if reason:
            yield Finding(path, call.lineno, "field order", f"{value.node.name} {reason}", sure=False)


def _calls(
    before: Repository, after: Repository, classes: Collection[ClassValue]
) -> Iterator[tuple[str, ast.Call, ClassValue, bool]]:
    """The calls that make objects of the classes, each with its file and whether the change wrote it."""
    for path in after.index.files_with(*sorted({value.node.name for value in classes})) if classes else ():
        scopes = after.index.scopes(path)
        calls = [
            (call, value)
            for call in scopes.calls
            for value in after.infer.values(path, call.func, scopes.scope_at[call])
            if isinstance(value, ClassValue) and value in classes
        ]
        known = before.index.scopes(path).calls if calls and before.has(path) else ()
        earlier = set(map(ast.dump, known))
        yield from ((path, call, value, ast.dump(call) not in earlier) for call, value in calls)


def _places(old: tuple[str, ...], new: tuple[str, ...]) -> list[tuple[str, str]]:
    """The field at each place before and after, where it is another one and not the same by another name."""
    pairs = zip(old, new, strict=False)
    return [(was, now) if was != now and (was in new or now in old) else ("", "") for was, now in pairs]


def _moved(call: ast.Call, places: list[tuple[str, str]]) -> tuple[str, str] | None:
    """The first value that a call passes by its place to another field: what that was, and is."""
    plain = next((at for at, one in enumerate(call.args) if isinstance(one, ast.Starred)), len(call.args))
    return next((pair for pair in places[:plain] if pair[0]), None)


def _late(fields: tuple[_Field, ...]) -> str:
    """The first field without a default behind one with it; empty where there is none."""
    ordered = [field for field in fields if not field.named]
    first = next((at for at, one in enumerate(ordered) if one.sure and not one.required), len(ordered))
    return next((field.name for field in ordered[first:] if field.required), "")


def _signature(fields: tuple[_Field, ...]) -> Signature:
    places = tuple(field.name for field in fields if not field.named)
    named = tuple(field.name for field in fields if field.named)
    return Signature((), places, named, frozenset(field.name for field in fields if field.required))


def _makes_fields(node: ast.ClassDef) -> bool:
    return "dataclass" in decorator_names(node) or any(last_name(base) == "NamedTuple" for base in node.bases)


def _all_fields(repo: Repository, value: ClassValue) -> tuple[_Field, ...] | None:
    """What a class takes when it is made, in order; nothing where a method or a library says that."""
    line = repo.classes.ancestors(value)
    if not any(_makes_fields(one.node) for one in line):
        return None
    if any(repo.classes.lookup(value, name) is not None for name in ("__init__", "__new__")):
        return None
    found: dict[str, _Field] = {}
    for one in reversed(line):
        bases = [
            last_name(base.value if isinstance(base, ast.Subscript) else base) for base in one.node.bases
        ]
        if repo.classes.bases(one)[1] and not set(bases) <= {*_WITHOUT_FIELDS}:
            return None
        if _makes_fields(one.node):
            found |= {field.name: field for field in _own_fields(one.node)}
    return tuple(field for field in found.values() if field.taken)


def _own_fields(node: ast.ClassDef) -> tuple[_Field, ...]:
    """The fields that a class declares, also those that take the place of one of a base and get no value."""
    named, out = _says(node, "kw_only"), []
    for stmt in node.body:
        if not isinstance(stmt, ast.AnnAssign) or not isinstance(stmt.target, ast.Name):
            continue
        hint = stmt.annotation
        kind = last_name(hint.value if isinstance(hint, ast.Subscript) else hint)
        kind = kind or text_in(hint).partition("[")[0].rpartition(".")[2]
        if kind == "KW_ONLY":
            named = True
            continue
        given = (
            stmt.value if isinstance(stmt.value, ast.Call) and called_name(stmt.value) == "field" else None
        )
        options = {item.arg: item.value for item in given.keywords} if given is not None else {}
        required = (
            not options.keys() & {"default", "default_factory", None}
            if given is not None
            else stmt.value is None
        )
        taken = kind != "ClassVar" and not _is(options.get("init"), False)
        sure = given is not None or not (maker := called_name(stmt.value)) or _makes_value(maker)
        out.append(_Field(stmt.target.id, required, named or _is(options.get("kw_only"), True), taken, sure))
    return tuple(out)


def _makes_value(maker: str) -> bool:
    """Whether what is called by this name is a class, or one of Python's functions."""
    return is_class_name(maker) or hasattr(builtins, maker)


def _says(node: ast.ClassDef, option: str) -> bool:
    """Whether the decorator of a dataclass has an option."""
    calls = (one for one in node.decorator_list if isinstance(one, ast.Call))
    return any(item.arg == option and _is(item.value, True) for call in calls for item in call.keywords)


def _is(value: ast.expr | None, what: bool) -> bool:
    return isinstance(value, ast.Constant) and value.value is what
