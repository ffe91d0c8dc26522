"""Random calls of every operation on real code, such that a program does the same before and after."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling import blocks, definitions, statements
from spark_tui.bench.sampling.places import Draw, Drawn, FileSample, NothingFits, Sampler, sampler
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import (
    CALLABLE,
    Annotation,
    Expression,
    FilePath,
    NewName,
    Symbol,
    SymbolKind,
    Text,
)
from spark_tui.codemods.uses.symbols import Target, list_targets
from spark_tui.pysource.source import Function, parameters


def _target(at: FileSample, kinds: frozenset[SymbolKind] = frozenset(SymbolKind)) -> Target:
    found = [
        target
        for target in list_targets(at.repo, at.path)
        if target.kind in kinds and not target.name.startswith("__")
    ]
    if not found:
        raise NothingFits
    return at.rng.choice(sorted(found, key=str))


def symbol_of(target: Target) -> Symbol:
    return Symbol(target.qualname, target.path, target.line)


def _rename(at: FileSample) -> Drawn:
    found = _target(at)
    lead = "_" if found.name.startswith("_") else ""
    return symbol_of(found), NewName(f"{lead}renamed_{found.name.strip('_')}")


def _function(at: FileSample) -> tuple[Target, Function]:
    found = _target(at, CALLABLE)
    if not isinstance(found.node, Function):
        raise NothingFits
    return found, found.node


def _plain_parameters(function: Function) -> list[str]:
    return [parameter.arg for parameter in parameters(function) if parameter.arg not in ("self", "cls")]


def _with_parameter(at: FileSample) -> Drawn:
    found, function = _function(at)
    names = _plain_parameters(function)
    return (symbol_of(found), NewName(at.rng.choice(names))) if names else None


def _set_default(at: FileSample) -> Drawn:
    """A new default, or the one that is there in brackets: what the function does stays the same."""
    found, function = _function(at)
    name = at.rng.choice([parameter.arg for parameter in parameters(function)] or [""])
    value = default_of(function, name)
    default = "None" if value is None else f"({ast.unparse(value)})"
    return symbol_of(found), NewName(name), Expression(default)


def _add_parameter(at: FileSample) -> Drawn:
    try:
        found = symbol_of(_function(at)[0])
    finally:  # drawn in any case: what is drawn after it stays the same
        default, value = at.rng.choice([("None", ""), ("", "0")])
    return found, NewName("added_parameter"), Annotation(""), Expression(default), Expression(value)


def _reorder(at: FileSample) -> Drawn:
    found, function = _function(at)
    order = _plain_parameters(function)
    at.rng.shuffle(order)
    return symbol_of(found), tuple(map(NewName, order))


def _split_import(at: FileSample) -> Drawn:
    node = at.node(ast.ImportFrom, lambda item: len(item.names) > 1)
    return FilePath(at.path), Text("." * node.level + (node.module or ""))


def _add_import(at: FileSample) -> Drawn:
    module, name = at.rng.choice([("colorsys", ""), ("collections", "OrderedDict"), ("xml.dom", "minidom")])
    return FilePath(at.path), module, NewName(name)


_DRAWS: dict[str, Draw] = {
    "rename": _rename,
    "add_parameter": _add_parameter,
    "remove_parameter": _with_parameter,
    "reorder_parameters": _reorder,
    "set_default": _set_default,
    "remove_default": _with_parameter,
    "make_keyword_only": _with_parameter,
    "remove_unused_imports": lambda at: (FilePath(at.path),),
    "sort_imports": lambda at: (FilePath(at.path),),
    "add_import": _add_import,
    "merge_imports": lambda at: (FilePath(at.path),),
    "split_import": _split_import,
}
_ALL_DRAWS = {**_DRAWS, **statements.DRAWS, **definitions.DRAWS, **blocks.DRAWS}
SAMPLERS: dict[str, Sampler] = {name: sampler(name, draw) for name, draw in _ALL_DRAWS.items()}
