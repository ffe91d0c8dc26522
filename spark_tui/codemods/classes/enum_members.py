"""Members of an enumeration: how a new one is spelled, and its value in the way of the others."""

from __future__ import annotations

import ast
from collections.abc import Callable

from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Source

_FORMS: tuple[Callable[[str], str], ...] = (
    str,
    str.lower,
    str.upper,
    lambda name: name.lower().replace("_", "-"),
    lambda name: name.lower().replace("_", " "),
    lambda name: name.title().replace("_", " "),
    lambda name: name.capitalize().replace("_", " "),
)
"""How the text of a member may follow from its name."""


def is_enumeration(node: ast.ClassDef) -> bool:
    return any(last_name(base).endswith(("Enum", "Flag")) for base in node.bases)


def _members(node: ast.ClassDef) -> dict[str, ast.expr]:
    return {
        stmt.targets[0].id: stmt.value
        for stmt in node.body
        if isinstance(stmt, ast.Assign)
        and isinstance(stmt.targets[0], ast.Name)
        and stmt.targets[0].id[0] != "_"
    }


def next_member(source: Source, node: ast.ClassDef, name: str) -> tuple[str, str]:
    """A new member as the others are spelled, and its value as code."""
    known = _members(node)
    if all(one.isupper() for one in known):
        name = name.upper()
    values = list(known.values())
    if values and all(called_name(value) == "auto" for value in values):
        return name, source.segment(values[-1])
    given = [value.value for value in values if isinstance(value, ast.Constant)]
    if values and len(given) == len(values):
        if len(numbers := [one for one in given if type(one) is int]) == len(given):
            return name, _next_number(node, numbers)
        for form in _FORMS:
            if given == [form(one) for one in known]:
                return name, source.segment(values[-1])[0] + form(name) + source.segment(values[-1])[-1]
    raise Refusal(f"say the value of {name}: those of the others do not tell")


def _next_number(node: ast.ClassDef, given: list[int]) -> str:
    """The number behind the last one, or the next bit of a flag."""
    if any(last_name(base).endswith("Flag") for base in node.bases):
        return str(1 << max(given).bit_length())
    if given != list(range(given[0], given[0] + len(given))):
        raise Refusal("say its value: those of the others do not follow each other")
    return str(given[-1] + 1)
