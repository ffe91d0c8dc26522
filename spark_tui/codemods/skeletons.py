"""The text of test skeletons: calls with plain values where annotations tell them, and marks where not.

A test that needs a value which nobody can know is skipped until somebody fills it in.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.words import word_set

_VALUES = {
    "int": "1",
    "float": "1.0",
    "str": '"text"',
    "bytes": 'b"bytes"',
    "bool": "True",
    "complex": "1j",
    "object": "object()",
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "tuple": "()",
    "frozenset": "frozenset()",
    "Sequence": "[]",
    "Iterable": "[]",
    "Collection": "[]",
    "Mapping": "{}",
    "List": "[]",
    "Dict": "{}",
    "None": "None",
    "Optional": "None",
}
_CHECKED = ("int", "float", "str", "bytes", "bool", "list", "dict", "set", "tuple", "frozenset")
_PLAIN = word_set("staticmethod classmethod property cached_property cache lru_cache override final")
"""Decorators after which a call gives what the function does."""
_SKIP = '@pytest.mark.skip(reason="values to fill in")\n'
_NOT_TESTED = ("abstractmethod", "overload", "setter", "deleter", "fixture")


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Tests as code, the names that they bind, and the modules that they need."""

    code: str
    names: tuple[str, ...]
    imports: tuple[str, ...]


def skeleton(source: Source, node: Definition, owner: ast.ClassDef | None, init: Function | None) -> Skeleton:
    """The tests of a definition; of a class one for each public method, or one that makes an object.

    `init` is the `__init__` that makes it, wherever it is defined."""
    if isinstance(node, ast.ClassDef):
        methods = [one for one in node.body if isinstance(one, Function) and _is_public(one)]
        owner = node
        tested: Sequence[Function | None] = methods or [None]
    else:
        if not _is_tested(node):
            raise Refusal(f"{node.name} has nothing to call by itself")
        tested = [node]
    names: list[str] = []
    tests: list[str] = []
    imports: set[str] = set()
    for one in tested:
        name = _test_name(owner, one)
        if name in names:
            continue
        code, needed = _test(source, owner, one, name, init)
        names.append(name)
        tests.append(code)
        imports |= needed
    return Skeleton("\n\n".join(tests), tuple(names), tuple(sorted(imports)))


def _is_public(one: Function) -> bool:
    return not one.name.startswith("_") and _is_tested(one)


def _is_tested(one: Function) -> bool:
    return not any(name in _NOT_TESTED for name in decorator_names(one))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def _local_name(owner: ast.ClassDef) -> str:
    """What an object of the class is called; never like the class itself or a keyword."""
    name = _snake(owner.name) or "made"
    return f"made_{name}" if name == owner.name or keyword.iskeyword(name) else name


def _test_name(owner: ast.ClassDef | None, one: Function | None) -> str:
    words = [_snake(owner.name)] if owner is not None else []
    words += [_snake(one.name)] if one is not None else []
    return "test_" + "_".join(words)


def _test(
    source: Source, owner: ast.ClassDef | None, one: Function | None, name: str, init: Function | None
) -> tuple[str, set[str]]:
    """One test, and the modules that it needs."""
    lines: list[str] = []
    unknown = False
    imports: set[str] = set()
    kinds = set(decorator_names(one)) if one is not None else set()
    called = one.name if one is not None else ""
    full_name = local = ""
    if owner is not None:
        full_name, local = source.qualname(owner), _local_name(owner)
        instance = one is None or not kinds & {"staticmethod", "classmethod"}
        if instance:
            made, unknown = _call(full_name, init, skip=1, known=not (owner.bases or owner.decorator_list))
            lines.append(f"{local} = {made}")
        called = f"{local if instance else full_name}.{called}"
    if one is None:
        lines.append(f"assert isinstance({local}, {full_name})")
    else:
        skip = 1 if owner is not None and "staticmethod" not in kinds else 0
        is_property = bool(kinds & {"property", "cached_property"})
        made, more = (called, False) if is_property else _call(called, one, skip=skip, known=True)
        unknown |= more
        if isinstance(one, ast.AsyncFunctionDef) and not _yields(source, one):
            imports.add("asyncio")
            made = f"asyncio.run({made})"
        lines += _checked(one, made, kinds)
        unknown |= bool(kinds - _PLAIN) or (isinstance(one, ast.AsyncFunctionDef) and _yields(source, one))
    if unknown:
        imports.add("pytest")
    body = "".join(f"    {line}\n" for line in lines)
    return f"{_SKIP if unknown else ''}def {name}() -> None:\n{body}", imports


def _yields(source: Source, one: Function) -> bool:
    kinds = ast.Yield | ast.YieldFrom
    return any(isinstance(node, kinds) and source.function_of(node) is one for node in ast.walk(one))


def _call(called: str, function: Function | None, *, skip: int, known: bool) -> tuple[str, bool]:
    """A call with values for what has no default, and whether one of them is to be filled in."""
    if function is None:
        return f"{called}()", not known
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    needed = positional[: len(positional) - len(spec.defaults)][skip:]
    named = [one for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value is None]
    values = [_value(one) for one in (*needed, *named)]
    shown = [*values[: len(needed)]]
    shown += [f"{one.arg}={value}" for one, value in zip(named, values[len(needed) :], strict=True)]
    return f"{called}({', '.join(shown)})", "..." in values


def _value(parameter: ast.arg) -> str:
    hint = parameter.annotation
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        try:
            hint = ast.parse(hint.value, mode="eval").body
        except SyntaxError:
            return "..."
    if isinstance(hint, ast.BinOp):
        hint = hint.left
    if isinstance(hint, ast.Constant) and hint.value is None:
        return "None"
    return (
        _VALUES.get(last_name(hint.value if isinstance(hint, ast.Subscript) else hint), "...")
        if hint
        else "..."
    )


def _checked(one: Function, made: str, kinds: set[str]) -> list[str]:
    """The lines that call and check as much of the result as the annotation tells."""
    hint = one.returns
    if isinstance(hint, ast.Constant) and hint.value is None:
        return [made]
    word = last_name(hint.value if isinstance(hint, ast.Subscript) else hint) if hint is not None else ""
    if word in _CHECKED and not kinds - _PLAIN:
        return [f"result = {made}", f"assert isinstance(result, {word})"]
    return [f"result = {made}", "assert result is not None"]
