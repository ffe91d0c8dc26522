"""Stubs that say something else than the code beside them, or describe code that is not here."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import Signature, defaults
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function

_DEFAULT = "a default of "
_Heads = dict[str, Signature | dict[str, str] | None]


def stubs(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change leaves a stub or its code behind, or is one of what describes a compiled module."""
    for stub in dict.fromkeys(path if path.endswith(".pyi") else f"{path}i" for path in paths):
        code = stub.removesuffix("i")
        if not (before.has(stub) and after.has(stub)):
            continue
        was, now = _heads(before, stub), _heads(after, stub)
        if before.has(code) and after.has(code):
            of_code, own = _heads(before, code), _heads(after, code)
            agreed = (name for name in was if name in of_code and was[name] == of_code[name])
            other = [name for name in agreed if (name in now, now.get(name)) != (name in own, own.get(name))]
            for name in other:
                place = name.removeprefix(_DEFAULT)
                above = {place[:at] for at, sign in enumerate(place) if sign == "."}
                if above.union([place] if name != place else []).isdisjoint(other):
                    yield Finding(stub, 1, "stubs", f"{name} is another one here than in {code}", sure=False)
        elif was != now and any(path.endswith(".py") for path in after.index.importers(stub)):
            yield Finding(stub, 1, "stubs", "the code that this stub describes is not here", sure=False)


def _heads(repo: Repository, path: str) -> _Heads:
    """The functions and classes of a file, with what the functions take, and by default."""
    source, out = repo.index.source(path), _Heads()
    for one in source.definitions:
        name = source.qualname(one)
        out[name] = Signature.of(one) if isinstance(one, Function) else None
        if isinstance(one, Function):
            out[f"{_DEFAULT}{name}"] = {key: ast.unparse(value) for key, value in defaults(one).items()}
    return out
