"""Rename a method or attribute in its class, in related classes, and on objects whose class can be
inferred."""

from __future__ import annotations

import ast
import builtins
from functools import partial

from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.codemods.renaming.module_level import rename_in_string
from spark_tui.codemods.renaming.receivers import (
    has_given_base,
    is_above,
    is_alone,
    is_declared_above,
    is_other,
    may_have_more,
    subclasses_meant,
)
from spark_tui.codemods.renaming.shown_names import note_lookups_by_text
from spark_tui.codemods.uses.by_string import attribute_by_string
from spark_tui.codemods.uses.class_doubts import used_by_objects
from spark_tui.codemods.uses.library_source import bases_know
from spark_tui.codemods.uses.mocks import find_stand_ins
from spark_tui.codemods.uses.protocols import base_names, protocol_doubts
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.classes import mangled
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, SuperValue, class_behind, is_unknown
from spark_tui.pysource.names.scope_records import KeywordUse
from spark_tui.pysource.names.scopes import Scope, Scopes
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Span
from spark_tui.pysource.syntax.parsing import targets

CLASS_UNKNOWN = "the class of the object is not known"
_PLAIN_MAKERS = ("ABCMeta", "EnumMeta", "EnumType", "type")
_NAME_LISTS = ("__slots__", "__match_args__")


def rename_member(renaming: Renaming, target: Target) -> None:
    """Rename a member of a class and of the classes that share it, in the whole repository."""
    assert target.owner is not None
    classes = renaming.repo.classes
    key = mangled(target.owner.node, renaming.old)
    if key.startswith("__") and key.endswith("__"):
        raise Refusal(f"{renaming.old} is a special name of Python")
    family = _with_twins(renaming.repo, classes.family(target.owner, key))
    _check_family(renaming, family)
    for class_value in family:
        _in_class(renaming, class_value, key)
    renaming.unfollowed.update(find_stand_ins(renaming.repo, family, renaming.old))
    if any(_is_field(item, key) for item in family):
        _given_by_mapping(renaming, family)
    full_names = {name for item in family for name in _full_names(renaming.repo, item, renaming.old)}
    renaming.full_names |= full_names
    for path in sorted(renaming.repo.index.files_with_member(renaming.old)):
        _in_file(renaming, path, key, family)
        note_lookups_by_text(renaming, path)
        for node in renaming.repo.index.scopes(path).source.strings:
            if renaming.old in str(node.value):
                rename_in_string(renaming, path, node, full_names)
            if node.value == key != renaming.old:
                renaming.unsure(path, node.lineno, f"the string {key!r} may mean it")


def _full_names(repo: Repository, class_value: ClassValue, name: str) -> list[str]:
    qualname = repo.index.source(class_value.path).qualname(class_value.node)
    return [f"{module}.{qualname}.{name}" for module in repo.index.modules.names(class_value.path)]


def _with_twins(repo: Repository, family: list[ClassValue]) -> list[ClassValue]:
    """The classes, and those of the same name in the stubs or modules beside them."""
    out = list(family)
    for class_value in family:
        twin = repo.index.modules.twin(class_value.path)
        if twin is not None and repo.index.text(twin) is not None:
            found = repo.classes.find(twin, repo.index.source(class_value.path).qualname(class_value.node))
            out += [item for item in found if item not in out]
    return out


def _check_family(renaming: Renaming, family: list[ClassValue]) -> None:
    classes = renaming.repo.classes
    for one in family:
        new = mangled(one.node, renaming.new)
        for ancestor in [*classes.ancestors(one), *classes.descendants(one)]:
            if new in classes.own_members(ancestor):
                shown = f"class {ancestor.node.name} ({ancestor.path})"
                raise Refusal(f"{shown} already has a member {renaming.new}")
        if classes.has_foreign_base(one):
            if _is_foreign_member(one, renaming.old) or _is_foreign_member(one, renaming.new):
                shown = f"{one.node.name} ({', '.join(map(ast.unparse, one.node.bases))})"
                raise Refusal(f"{renaming.old} or {renaming.new} belongs to a base of {shown}")
            outside = f"class {one.node.name} has a base outside of the repository"
            if bases_know(renaming.repo, one, renaming.old):
                renaming.unsure(one.path, one.node.lineno, f"{outside} that may need {renaming.old}")
            elif bases_know(renaming.repo, one, renaming.new):
                renaming.unsure(one.path, one.node.lineno, f"{outside} that may have {renaming.new}")
        for above in classes.ancestors(one):
            makers = (last_name(item.value) for item in above.node.keywords if item.arg == "metaclass")
            if any(maker not in _PLAIN_MAKERS for maker in makers):
                reason = f"the metaclass of {above.node.name} is given the names of its members"
                renaming.unsure(above.path, above.node.lineno, reason)
    if renaming.new.endswith("__") or renaming.old.endswith("__"):
        raise Refusal("Python itself calls a special method: add one and call the other from it")
    if renaming.new.startswith("__") != renaming.old.startswith("__"):
        raise Refusal("a name that begins with two underscores is private to its class: rename it by hand")
    renaming.unfollowed.update(protocol_doubts(renaming.repo, renaming.old, family))
    for use in used_by_objects(renaming.repo, family, renaming.new):
        renaming.unsure(use.path, use.line, use.reason)


def _is_foreign_member(class_value: ClassValue, name: str) -> bool:
    """Whether a builtin base of a class has a member."""
    known = (getattr(builtins, base, None) for base in base_names(class_value))
    return any(isinstance(base, type) and hasattr(base, name) for base in known)


def _in_class(renaming: Renaming, class_value: ClassValue, key: str) -> None:
    """The name in the class's own scope: definitions, uses in the class body, `__slots__`."""
    scopes = renaming.repo.index.scopes(class_value.path)
    scope = scopes.scope_of.get(class_value.node)
    variable = scopes.variable(key, scope) if scope is not None else None
    if variable is not None:
        renaming.variable(class_value.path, variable)
    fields = [stmt for stmt in class_value.node.body if isinstance(stmt, ast.AnnAssign | ast.Assign)]
    if key.startswith("_") and any(_sets(field, key) for field in fields) and class_value.node.decorator_list:
        reason = f"a decorator of {class_value.node.name} may make an argument of {key}, under another name"
        renaming.unsure(class_value.path, class_value.node.lineno, reason)
    told = (
        renaming.repo.infer.values(class_value.path, field.value, scope)
        for field in fields
        if scope and field.value and _sets(field, key)
    )
    if any(
        of is not None and renaming.repo.classes.lookup(of, "__set_name__") is not None
        for values in told
        for of in map(class_behind, values)
    ):
        renaming.unsure(class_value.path, class_value.node.lineno, f"the value of {key} is told its name")
    for statement in class_value.node.body:
        if isinstance(statement, ast.Assign) and any(_sets(statement, name) for name in _NAME_LISTS):
            for node in ast.walk(statement):
                if isinstance(node, ast.Constant) and node.value == renaming.old:
                    renaming.rename(class_value.path, scopes.source.literal_body(node), node.lineno)


def _sets(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in targets(statement))


def _in_file(renaming: Renaming, path: str, key: str, family: list[ClassValue]) -> None:
    scopes = renaming.repo.index.scopes(path)
    if scopes.source.tree is None:
        return  # the check of hidden uses names it
    for use in scopes.attributes_by_name.get(key, ()):
        _use(renaming, path, use.span, use.node.value, use.scope, family, ast.unparse(use.node))
    for keyword in scopes.keywords:
        if keyword.name == renaming.old:
            _keyword(renaming, path, keyword, scopes, family)
    for node, scope in scopes.scope_at.items():
        found = attribute_by_string(node, renaming.old) if isinstance(node, ast.Call) else None
        if found is not None and found[2]:
            span = scopes.source.literal_body(found[1])
            _use(renaming, path, span, found[0], scope, family, ast.unparse(node))
        elif found is not None:
            values = renaming.repo.infer.values(path, found[0], scope)
            if any(class_behind(value) in family for value in values):
                renaming.unsure(path, found[1].lineno, f"the string {renaming.old!r} may mean it")


def _given_by_mapping(renaming: Renaming, family: list[ClassValue]) -> None:
    """Name the calls that make an object of what a mapping holds: `Cart(**data)`."""
    for path in sorted(renaming.repo.index.files_with(*(value.node.name for value in family))):
        scopes = renaming.repo.index.scopes(path)
        for call in scopes.calls:
            if any(keyword.arg is None for keyword in call.keywords):
                values = renaming.repo.infer.values(path, call.func, scopes.scope_at[call])
                if any(value in family for value in values):
                    renaming.unsure(path, call.lineno, f"{ast.unparse(call)}: ** may hold {renaming.old}")


def _is_field(class_value: ClassValue, name: str) -> bool:
    """Whether the arguments of a class are made of its fields, and this is one of them."""
    fields = [stmt for stmt in class_value.node.body if isinstance(stmt, ast.AnnAssign)]
    return any(last_name(field.target) == name for field in fields)


def _use(
    renaming: Renaming,
    path: str,
    span: Span | None,
    receiver: ast.expr,
    scope: Scope,
    family: list[ClassValue],
    shown: str,
) -> None:
    """Rename the member of one receiver if its class is known to be of the family."""
    values = renaming.repo.infer.values(path, receiver, scope)
    line = getattr(receiver, "lineno", 0)
    for value in values:
        if isinstance(value, SuperValue) and value.of in family and not is_above(renaming, value.of, family):
            shown = value.of.node.name
            raise Refusal(f"{shown} overrides {renaming.old} of a base outside of the repository")
    if any(class_behind(value) in family for value in values):
        renaming.rename(path, span, line)
        others = [item for item in map(class_behind, values) if item is not None and item not in family]
        if others:
            reason = f"{shown}: the object may also be a {others[0].node.name}"
            renaming.unsure(path, line, f"{reason}; renamed anyway (imported class)")
    elif below := subclasses_meant(renaming, values, family):
        if below <= set(family):
            renaming.rename(path, span, line)
            if UNKNOWN in values or any(map(partial(may_have_more, renaming.repo), below)):
                renaming.unsure(path, line, f"{shown}: {CLASS_UNKNOWN}; renamed anyway (a subclass has it)")
        else:
            renaming.unsure(path, line, f"{shown}: {CLASS_UNKNOWN}", "of unknown class")
    elif is_unknown(values) or any(has_given_base(renaming.repo, value) for value in values):
        reason = f"{shown}: {CLASS_UNKNOWN}"
        if is_alone(renaming, path, family) and not is_other(renaming.repo, path, receiver, family):
            renaming.rename(path, span, line)
            renaming.unsure(path, line, f"{reason}; renamed anyway (nothing else has that name)")
        else:
            renaming.unsure(path, line, reason, "of unknown class")
    elif is_declared_above(renaming, path, receiver, family):
        renaming.unsure(path, line, f"{shown}: {CLASS_UNKNOWN}", "of unknown class")


def _keyword(
    renaming: Renaming, path: str, keyword: KeywordUse, scopes: Scopes, family: list[ClassValue]
) -> None:
    """A field given by keyword: `Cart(total=1)`, `replace(cart, total=1)`, `case Cart(total=1)`."""
    call = keyword.call
    scope = scopes.scope_at.get(call, scopes.module)
    values = renaming.repo.infer.values
    if isinstance(call, ast.MatchClass):
        if any(value in family for value in values(path, call.cls, scope)):
            renaming.rename(path, keyword.span, call.lineno)
    elif isinstance(call, ast.Call):
        replaces = last_name(call.func) == "replace"
        for value in values(path, call.args[0] if replaces and call.args else call.func, scope):
            owner = class_behind(value) if replaces or isinstance(value, ClassValue) else None
            made = owner is not None and renaming.repo.classes.lookup(owner, "__init__") is None
            if made and owner in family:
                renaming.rename(path, keyword.span, call.lineno)
