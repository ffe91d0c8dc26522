"""Names that are used and defined nowhere."""

from __future__ import annotations

import builtins

from spark_tui.pysource.names.scopes import Occurrence, Role, Scopes, Variable

_OF_MODULES = frozenset(
    ("__file__", "__path__", "__name__", "__doc__", "__spec__", "__loader__", "__package__", "__builtins__")
)
_OF_CLASSES = frozenset(
    ("__module__", "__qualname__", "__class__", "__annotations__", "WindowsError", "__debug__")
)
KNOWN = frozenset(dir(builtins)) | _OF_MODULES | _OF_CLASSES


def undefined(scopes: Scopes) -> list[Occurrence]:
    """Uses of names that no scope binds and that are no builtins. Empty where a star import may bind them."""
    if scopes.undefined is None:
        scopes.undefined = [] if scopes.module.star_import else _undefined(scopes)
    return scopes.undefined


def _undefined(scopes: Scopes) -> list[Occurrence]:
    out = []
    lenient = "__getattr__" in scopes.module.bound
    deleted = {occurrence.name for occurrence in scopes.occurrences if occurrence.role is Role.DELETE}
    for variable in scopes.variables:
        only_deleted = variable.name in deleted and _is_only_deleted(variable)
        if (variable.scope is not None and not only_deleted) or variable.name in KNOWN:
            continue
        for item in variable.occurrences:
            if item.role is Role.EXPORT and (lenient or scopes.source.path.endswith("__init__.py")):
                continue
            out.append(item)
    return out


def _is_only_deleted(variable: Variable) -> bool:
    roles = {occurrence.role for occurrence in variable.occurrences}
    return Role.DELETE in roles and not any(role.binds for role in roles)


def is_fragment(scopes: Scopes) -> bool:
    """Whether a file uses names that it does not define: a part of a file, whose imports stand elsewhere."""
    return bool(undefined(scopes))
