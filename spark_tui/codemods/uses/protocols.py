"""Protocols and the classes that fit them without being below them: neither follows a change of the other."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, parameters


def protocol_doubts(
    repo: Repository, name: str, family: Collection[ClassValue], parameter: str = ""
) -> Iterator[Unfollowed]:
    """The protocols that have a member of some classes (which takes a parameter), and what may implement it
    where one of the classes is a protocol."""
    implemented = any(map(_is_protocol, family))
    for path, symbol in repo.index.symbols(name):
        owners = repo.classes.find(path, symbol.qualname.rpartition(".")[0])
        others = [one for one in owners if one not in family and _has(repo, one, name, parameter)]
        for one in filter(_is_protocol, others):
            yield Unfollowed(path, symbol.line, f"the protocol {one.node.name} has a member {name}")
        member = symbol.kind in ("method", "attribute")
        if implemented and member and others and len(others) == len(owners):
            yield Unfollowed(path, symbol.line, f"{symbol.qualname} may implement the protocol")


def base_names(class_value: ClassValue) -> list[str]:
    """The last names of the bases of a class, without their type parameters."""
    bases = class_value.node.bases
    return [last_name(base.value if isinstance(base, ast.Subscript) else base) for base in bases]


def _has(repo: Repository, one: ClassValue, name: str, parameter: str) -> bool:
    nodes = [item for item in repo.classes.own_members(one).get(name, ()) if isinstance(item, Function)]
    return not parameter or any(item.arg == parameter for node in nodes for item in parameters(node))


def _is_protocol(class_value: ClassValue) -> bool:
    return "Protocol" in base_names(class_value)
