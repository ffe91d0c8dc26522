"""The type of what a function returns, where its code tells it."""

from __future__ import annotations

import ast
from typing import TypeGuard

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk


def _by_name(**names: str) -> dict[str, str]:
    """The type of what each name gives, of names by their type."""
    return {name: kind for kind, some in names.items() for name in some.split()}


_METHODS = _by_name(
    str="join format strip lstrip rstrip lower upper title capitalize casefold replace zfill ljust rjust"
    " center removeprefix removesuffix isoformat strftime hexdigest decode read_text swapcase expandtabs",
    bool="startswith endswith isdigit isdecimal isnumeric isalpha isalnum isspace isupper islower exists"
    " is_file is_dir isfile isdir",
    list="split rsplit splitlines readlines",
    bytes="encode read_bytes digest",
    int="find rfind index",
    float="total_seconds",
)
_MODULE_CALLS = _by_name(
    float="time.time time.monotonic time.perf_counter random.random random.uniform math.sqrt math.sin"
    " math.cos math.tan math.asin math.acos math.atan math.atan2 math.radians math.degrees math.exp math.log"
    " math.hypot math.pow",
    str="time.strftime os.getcwd os.path.join os.path.basename os.path.dirname json.dumps",
    int="os.getpid os.path.getsize random.randint",
    list="os.listdir",
)
_MOST_STEPS = 4
_NUMBERS = {"int", "float"}


def returned_type(node: Function, source: Source) -> str:
    """The type that all returns of a function have; empty where their form does not tell."""
    own = [inner for inner in find_nodes(node, ast.Return) if source.function_of(inner) is node]
    if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in walk(node)):
        return ""
    found = [
        expression_type(inner.value, node, source) if inner.value is not None else "None" for inner in own
    ]
    kinds = list(dict.fromkeys(found))
    if not kinds:
        return "None"
    if "" in kinds or len(kinds) > 2:
        return ""
    return " | ".join(sorted(kinds, key=lambda one: one == "None"))


def returns_alike(node: ast.AST | None, value: ast.expr | None, source: Source) -> float:
    """How well a value fits what a function returns, from 0 to 1; one that is None or not known fits any."""
    if not isinstance(node, Function) or value is None or is_none(value):
        return 1.0
    known, kind = returned_type(node, source), literal_type(value)
    if known == "None":
        return 0.1
    return 1.0 if known == kind or {known, kind} <= _NUMBERS or not (known and kind) else 0.5


def expression_type(
    node: ast.expr | None, function: Function, source: Source, steps: int = _MOST_STEPS
) -> str:
    """The type of an expression in a function; empty where its form does not tell."""
    plain = literal_type(node)
    if plain or node is None or not steps:
        return plain

    def inner(node: ast.expr) -> str:
        return expression_type(node, function, source, steps - 1)

    if isinstance(node, ast.BoolOp):
        kinds = {inner(value) for value in node.values}
        return kinds.pop() if len(kinds) == 1 else ""
    if isinstance(node, ast.IfExp):
        kinds = {inner(node.body), inner(node.orelse)}
        return kinds.pop() if len(kinds) == 1 else ""
    if isinstance(node, ast.BinOp):
        sides = {inner(node.left), inner(node.right)}
        if "str" in sides and isinstance(node.op, ast.Add | ast.Mod):
            return "str" if isinstance(node.op, ast.Add) or inner(node.left) == "str" else ""
        if sides <= {"int", "float"}:
            return "float" if "float" in sides or isinstance(node.op, ast.Div) else "int"
        return ""
    if isinstance(node, ast.Call):
        return _called(node, function, source)
    return _named(node, function, source, steps) if isinstance(node, ast.Name) else ""


def _called(node: ast.Call, function: Function, source: Source) -> str:
    name = ast.unparse(node.func)
    if isinstance(node.func, ast.Name) and name == "round":
        return "int" if len(node.args) == 1 and not node.keywords else ""
    if isinstance(node.func, ast.Name) and name in ("max", "min") and len(node.args) > 1:
        return next((kind for kind in map(literal_type, node.args) if kind in _NUMBERS), "")
    if isinstance(node.func, ast.Name):
        made = [definition for definition in source.definitions if definition.name == name]
        owner = source.class_of(function)
        if name == "cls" and owner is not None:
            return owner.name
        if len(made) == 1 and isinstance(made[0], ast.ClassDef):
            return made[0].name
        hint = getattr(made[0], "returns", None) if len(made) == 1 else None
        return ast.unparse(hint) if hint is not None else ""
    return _MODULE_CALLS.get(name) or _METHODS.get(name.rpartition(".")[2], "")


def _sets(node: ast.AST, stores: list[ast.Name]) -> TypeGuard[ast.Assign | ast.AugAssign]:
    """Whether a statement sets one of some names, or adds to it."""
    if isinstance(node, ast.AugAssign):
        return node.target in stores and not isinstance(node.op, ast.Div)
    return isinstance(node, ast.Assign) and any(target in stores for target in node.targets)


def _fills(value: ast.expr, name: str) -> bool:
    """Whether a new value of a name is the old one, where there is one: `day = day or today()`."""
    return isinstance(value, ast.BoolOp) and _added(value, name) is not value


def _added(value: ast.expr, name: str) -> ast.expr:
    """What is added to a name in its new value, or fills it in: `end = end + 1` leaves it of its type."""
    match value:
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=own), other]) if own == name:
            return other
        case ast.BinOp(left=ast.Name(id=own), op=ast.Add() | ast.Sub() | ast.Mult()) if own == name:
            return value.right
    return value


def _named(node: ast.Name, function: Function, source: Source, steps: int) -> str:
    """The type of a parameter that has one, or of a local that is set once and not counted up."""
    given = next((parameter for parameter in parameters(function) if parameter.arg == node.id), None)
    stores = [
        inner
        for inner in find_nodes(function, ast.Name)
        if inner.id == node.id and not isinstance(inner.ctx, ast.Load)
    ]
    sets = [inner for inner in walk(function) if _sets(inner, stores)]
    if given is not None and given.annotation is not None:
        return "" if stores else ast.unparse(given.annotation)
    if node.id == "self" and given is parameters(function)[0] and not stores:
        owner = source.class_of(function)
        return owner.name if owner is not None else ""
    if given is not None and not all(_fills(inner.value, node.id) for inner in sets):
        return ""
    if len(stores) != len(sets) or not any(isinstance(inner, ast.Assign) for inner in sets):
        return ""
    kinds = {expression_type(_added(inner.value, node.id), function, source, steps - 1) for inner in sets}
    return kinds.pop() if len(kinds) == 1 else ""
