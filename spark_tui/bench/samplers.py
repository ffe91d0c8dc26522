"""Random calls of every operation on real code, such that a program does the same before and after."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable

from spark_tui.bench.sampling import blocks, definitions, files, statements
from spark_tui.codemods.registry import Operation, operations
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import CALLABLE, Expression, FilePath, NewName, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, targets
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, parameters

Sampler = Callable[[Repository, str, random.Random], Operation | None]


def symbol(target: Target) -> Symbol:
    return Symbol(target.qualname, target.path, target.line)


def pick(
    repo: Repository, path: str, rng: random.Random, kinds: frozenset[SymbolKind] = frozenset(SymbolKind)
) -> Target | None:
    found = [one for one in targets(repo, path) if one.kind in kinds and not one.name.startswith("__")]
    return rng.choice(sorted(found, key=str)) if found else None


def _rename(repo: Repository, path: str, rng: random.Random) -> Operation | None:
    found = pick(repo, path, rng)
    if found is None:
        return None
    lead = "_" if found.name.startswith("_") else ""
    made: Operation = operations()["rename"](symbol(found), NewName(f"{lead}renamed_{found.name.strip('_')}"))
    return made


def _function(repo: Repository, path: str, rng: random.Random) -> tuple[Symbol, list[str]] | None:
    found = pick(repo, path, rng, CALLABLE)
    if found is None or not isinstance(found.node, Function):
        return None
    return symbol(found), [one.arg for one in parameters(found.node) if one.arg not in ("self", "cls")]


def _with_parameter(name: str) -> Sampler:
    def sample(repo: Repository, path: str, rng: random.Random) -> Operation | None:
        found = _function(repo, path, rng)
        if found is None or not found[1]:
            return None
        made: Operation = operations()[name](found[0], NewName(rng.choice(found[1])))
        return made

    return sample


def _set_default(repo: Repository, path: str, rng: random.Random) -> Operation | None:
    """A new default, or the one that is there in brackets: what the function does stays the same."""
    found = pick(repo, path, rng, CALLABLE)
    if found is None or not isinstance(found.node, Function):
        return None
    name = rng.choice([one.arg for one in parameters(found.node)] or [""])
    value = default_of(found.node, name)
    default = "None" if value is None else f"({ast.unparse(value)})"
    made: Operation = operations()["set_default"](symbol(found), NewName(name), Expression(default))
    return made


def _add_parameter(repo: Repository, path: str, rng: random.Random) -> Operation | None:
    found = _function(repo, path, rng)
    given = rng.choice([{"default": Expression("None")}, {"value": Expression("0")}])
    return operations()["add_parameter"](found[0], NewName("added_parameter"), **given) if found else None


def _reorder(repo: Repository, path: str, rng: random.Random) -> Operation | None:
    found = _function(repo, path, rng)
    if found is None:
        return None
    order = list(found[1])
    rng.shuffle(order)
    made: Operation = operations()["reorder_parameters"](found[0], tuple(map(NewName, order)))
    return made


def _of_file(name: str) -> Sampler:
    def sample(_repo: Repository, path: str, _rng: random.Random) -> Operation | None:
        made: Operation = operations()[name](FilePath(path))
        return made

    return sample


def _add_import(_repo: Repository, path: str, rng: random.Random) -> Operation | None:
    module, name = rng.choice([("colorsys", ""), ("collections", "OrderedDict"), ("xml.dom", "minidom")])
    made: Operation = operations()["add_import"](FilePath(path), module, NewName(name))
    return made


SAMPLERS: dict[str, Sampler] = {
    "rename": _rename,
    "add_parameter": _add_parameter,
    "remove_parameter": _with_parameter("remove_parameter"),
    "reorder_parameters": _reorder,
    "set_default": _set_default,
    "remove_default": _with_parameter("remove_default"),
    "make_keyword_only": _with_parameter("make_keyword_only"),
    "remove_unused_imports": _of_file("remove_unused_imports"),
    "sort_imports": _of_file("sort_imports"),
    "add_import": _add_import,
    **statements.SAMPLERS,
    **definitions.SAMPLERS,
    **files.SAMPLERS,
    **blocks.SAMPLERS,
}
