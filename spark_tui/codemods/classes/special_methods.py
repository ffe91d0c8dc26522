"""The code of special methods, from the attributes of a class."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.slots import Choice
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes


class SpecialMethod(Choice):
    """A special method that can be written from attributes."""

    REPR = "repr"
    STR = "str"
    EQ = "eq"
    HASH = "hash"
    LT = "lt"
    LEN = "len"
    ITER = "iter"
    CONTAINS = "contains"
    GETITEM = "getitem"
    BOOL = "bool"
    ENTER_EXIT = "enter_exit"


_OF_ONE = {
    SpecialMethod.STR: "def __str__(self):\n    return str(self.{0})\n",
    SpecialMethod.LT: "def __lt__(self, other):\n    if not isinstance(other, {1}):\n"
    "        return NotImplemented\n"
    "    return self.{0} < other.{0}\n",
    SpecialMethod.LEN: "def __len__(self):\n    return len(self.{0})\n",
    SpecialMethod.ITER: "def __iter__(self):\n    return iter(self.{0})\n",
    SpecialMethod.CONTAINS: "def __contains__(self, item):\n    return item in self.{0}\n",
    SpecialMethod.GETITEM: "def __getitem__(self, key):\n    return self.{0}[key]\n",
    SpecialMethod.BOOL: "def __bool__(self):\n    return bool(self.{0})\n",
}
_BY_METHOD = {
    SpecialMethod.CONTAINS: "def __contains__(self, item):\n    return self.{0}(item)\n",
    SpecialMethod.GETITEM: "def __getitem__(self, key):\n    return self.{0}(key)\n",
}


def write_delegating(method: SpecialMethod, given: Function) -> str:
    """The special method that gives back what another one does with its one argument; empty where that needs
    none, and refused where it needs others."""
    needed = [one.arg for one in parameters(given)[1:] if one.arg not in defaults(given)]
    if not needed:
        return ""
    if len(needed) > 1 or method not in _BY_METHOD:
        raise Refusal(f"{given.name} needs {', '.join(needed)}")
    return _BY_METHOD[method].format(given.name)


def write_special_method(method: SpecialMethod, owner: str, fields: Sequence[str]) -> str:
    """The method as code; refuses where it is not known which attributes it is about."""
    if method in _OF_ONE:
        only = fields[0] if len(fields) == 1 else ""
        if not only:
            raise Refusal(f"say which attribute __{method.value}__ uses", tuple(fields))
        return _OF_ONE[method].format(only, owner)
    if method is SpecialMethod.ENTER_EXIT:
        return (
            "def __enter__(self):\n    return self\n\ndef __exit__(self, exc_type, exc, traceback):\n"
            "    {close}\n"
        )
    if not fields:
        raise Refusal("the class sets no attributes in __init__")
    if method is SpecialMethod.REPR:
        shown = ", ".join(f"{field}={{self.{field}!r}}" for field in fields)
        return f'def __repr__(self):\n    return f"{owner}({shown})"\n'
    mine = ", ".join(f"self.{field}" for field in fields)
    if method is SpecialMethod.HASH:
        comma = "," if len(fields) == 1 else ""
        return f"def __hash__(self):\n    return hash(({mine}{comma}))\n"
    theirs = ", ".join(f"other.{field}" for field in fields)
    same = f"{mine} == {theirs}" if len(fields) == 1 else f"({mine}) == ({theirs})"
    return (
        f"def __eq__(self, other):\n    if not isinstance(other, {owner}):\n        return NotImplemented\n"
        f"    return {same}\n"
    )


def gives_count(source: Source, method: Function) -> bool:
    """Whether a method gives back a whole number, as its annotation or all its results show."""
    if method.returns is not None:
        return ast.unparse(method.returns) == "int"
    results = source.returned(method) or (None,)
    return all(
        called_name(result) in ("len", "sum", "int") or _is_int(result) or _is_counted(method, result)
        for result in results
    )


def _is_int(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def adds_unknown(method: Function) -> bool:
    """Whether a method adds up something that may be no whole number: prices, as well as rows."""
    added = [one.value for one in find_nodes(method, ast.AugAssign)]
    return not all(_is_int(one) or called_name(one) == "len" for one in added)


def _is_counted(method: Function, result: ast.expr | None) -> bool:
    """Whether a name begins as a whole number in a method, as what is counted does."""
    if not isinstance(result, ast.Name):
        return False
    begun = [one.value for one in find_nodes(method, ast.Assign) if ast.unparse(one.targets[0]) == result.id]
    return bool(begun) and all(map(_is_int, begun))
