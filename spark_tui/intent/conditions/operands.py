"""The expressions that a condition in a function may be about, and how each of them is used there."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.walking import walk
from spark_tui.pysource.words import identifier_words

_MOST, _LONGEST = 80, 40
_TEXT = frozenset(("strip", "split", "lower", "upper", "startswith", "endswith", "encode", "isdigit", "splitlines"))
_ITEMS = frozenset(("append", "items", "keys", "values", "pop", "extend", "add", "remove", "discard", "get", "sort"))
_PATHS = frozenset(("open", "exists", "read_text", "write_text", "unlink", "is_file", "is_dir", "mkdir", "stat"))
USES = (
    "divisor",
    "reckoned",
    "subscripted",
    "key",
    "iterated",
    "attributes",
    "text",
    "items",
    "path",
    "passed",
    "measured",
    "converted",
    "compared",
    "container",
    "element",
    "optional",
    "tested",
    "returned",
    "set",
    "many",
)
"""The ways of use that are told apart; `many` is a plural name."""


@dataclass
class Operand:
    """An expression, where it comes from, and how it is used."""

    code: str
    origin: str
    words: tuple[str, ...] = ()
    """The words of its last name."""
    base: tuple[str, ...] = ()
    """The words of what stands in front of that."""
    uses: set[str] = field(default_factory=set)
    annotation: str = ""
    texts: set[str] = field(default_factory=set)
    """The texts with which it is compared somewhere in the file."""

    @property
    def last(self) -> str:
        return self.words[-1] if self.words else ""


ORIGINS = ("parameter", "local", "round", "own", "attribute", "item", "call", "module", "arguments")


def operands(root: ast.AST, tree: ast.AST, owner: ast.ClassDef | None) -> list[Operand]:
    """What a guard in a function, a loop or a file may look at. `owner` is the class of a method."""
    found: dict[str, Operand] = {}
    fields = _fields_of_classes(tree)

    def add(code: str, origin: str, annotation: str = "") -> None:
        if code not in found and len(code) <= _LONGEST and len(found) < _MOST:
            front, _, last = code.rstrip("()").rpartition(".")
            words = identifier_words(_word_of(last or code))
            found[code] = Operand(code, origin, tuple(words), tuple(identifier_words(_word_of(front))), set(), annotation)

    function = root if isinstance(root, Function) else _around(tree, root)
    for one in parameters(function) if function is not None else ():
        if one.arg not in ("self", "cls"):
            add(one.arg, "parameter", ast.unparse(one.annotation) if one.annotation is not None else "")
    for one in walk(root):
        if isinstance(one, ast.For | ast.AsyncFor):
            for name in _names(one.target):
                add(name, "round")
    scope = function or root
    nested = {id(one) for each in walk(scope) if isinstance(each, _OWN_SCOPES) and each is not scope for one in walk(each)}
    inside = [one for one in walk(scope) if id(one) not in nested]
    for one in inside:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            add(one.id, "local")
    known = set(found) | {"self"}
    for one in inside:
        root_name = _root(one)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load) and root_name in known:
            add(ast.unparse(one), "own" if root_name == "self" else "attribute")
        elif isinstance(one, ast.Subscript) and root_name in known and isinstance(one.slice, ast.Constant | ast.Name):
            add(ast.unparse(one), "item")
        elif isinstance(one, ast.Call) and len(one.args) <= 1 and not one.keywords and root_name in known:
            add(ast.unparse(one), "call")
    for operand in list(found.values()):
        for named in identifier_words(operand.annotation.rpartition("[")[2].strip("]'\"")) and [operand.annotation]:
            if named in fields:
                for name in fields[named]:
                    add(f"{operand.code}.{name}", "attribute")
    for operand in list(found.values()):
        for named in fields if operand.origin in ("local", "round", "parameter") else ():
            if operand.last == named.lower() or operand.code == named[:1].lower():
                for name in fields[named]:
                    add(f"{operand.code}.{name}", "attribute")
    keyed = {_root_code(one) for one in inside if isinstance(one, ast.Subscript) and _is_text(one.slice)}
    for key in _keys_of(tree) if keyed else ():
        for code in sorted(keyed):
            add(f"{code}[{key!r}]", "item")
    if owner is not None and any(one.arg == "self" for one in (parameters(function) if function else ())):
        for name in fields.get(owner.name, ()):
            add(f"self.{name}", "own")
    for one in getattr(tree, "body", ()):
        for name in _names(one.targets[0]) if isinstance(one, ast.Assign) else ():
            add(name, "module")
    if any(isinstance(one, ast.Import) and any(each.name == "sys" for each in one.names) for one in walk(tree)):
        add("sys.argv", "arguments")
    methods = {each for one in found.values() if one.origin == "call" for each in (one.code.rsplit("(", 1)[0],)}
    out = [one for one in found.values() if one.code not in methods]
    _note_uses(out, root if function is None else function, tree)
    return out


_OWN_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _root_code(node: ast.Subscript) -> str:
    return ast.unparse(node.value)


def _keys_of(tree: ast.AST) -> list[str]:
    """The texts by which items are looked up or put into dictionaries in a file."""
    every = [one.slice for one in walk(tree) if isinstance(one, ast.Subscript)]
    every += [key for one in walk(tree) if isinstance(one, ast.Dict) for key in one.keys if key is not None]
    return list(dict.fromkeys(str(one.value) for one in every if isinstance(one, ast.Constant) and isinstance(one.value, str)))[:12]


def _word_of(code: str) -> str:
    return "".join(each if each.isalnum() or each == "_" else "_" for each in code).strip("_") or code


def _names(target: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _around(tree: ast.AST, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function around a node."""
    line = getattr(node, "lineno", 0)
    inside = [one for one in walk(tree) if isinstance(one, Function) and one.lineno <= line <= (one.end_lineno or 0)]
    return max(inside, key=lambda one: one.lineno, default=None) if line else None


def _fields_of_classes(tree: ast.AST) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for owner in walk(tree):
        if isinstance(owner, ast.ClassDef):
            names = [one.target.id for one in owner.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
            names += [one.attr for one in walk(owner) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and _root(one) == "self"]
            calls = (one for one in owner.body if isinstance(one, Function) and len(parameters(one)) == 1)
            for one in calls:
                shown = any(ast.unparse(each) == "property" for each in one.decorator_list)
                if not one.name.startswith("__"):
                    names.append(one.name if shown else f"{one.name}()")
            out[owner.name] = list(dict.fromkeys(names))[:24]
    return out


def _note_uses(every: list[Operand], root: ast.AST, tree: ast.AST) -> None:
    by_code = {one.code: one for one in every}
    for node in walk(root):
        for child, use in _uses(node):
            if (operand := by_code.get(_code(child))) is not None:
                operand.uses.add(use)
    for node in walk(tree):
        if isinstance(node, ast.Call):
            for child, use in _uses(node):
                if use == "path" and (operand := by_code.get(_code(child))) is not None:
                    operand.uses.add(use)
    by_name: dict[str, set[str]] = defaultdict(set)
    for node in walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            texts = {one.value for side in sides for one in walk(side) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
            for side in sides if texts else ():
                by_name[_last(side)] |= texts
    for operand in every:
        operand.texts = by_name.get(_last_of(operand.code), set())
        if operand.last.endswith("s") and not operand.last.endswith("ss"):
            operand.uses.add("many")


def _code(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        return ast.unparse(node)
    return ""


def _last_of(code: str) -> str:
    return code.rstrip("()]").rpartition(".")[2].rpartition("[")[2].strip("'\"")


def _last(node: ast.AST) -> str:
    return _last_of(_code(node))


def _uses(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a node with the way in which it uses them."""
    if isinstance(node, ast.BinOp):
        yield node.left, "reckoned"
        yield node.right, "divisor" if isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod) else "reckoned"
    elif isinstance(node, ast.Subscript):
        yield node.value, "subscripted"
        yield node.slice, "key"
        if isinstance(node.ctx, ast.Store):
            yield node, "set"
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.iter, "iterated"
    elif isinstance(node, ast.Attribute):
        if isinstance(node.ctx, ast.Store):
            yield node, "set"
        kind = "text" if node.attr in _TEXT else "items" if node.attr in _ITEMS else "attributes"
        yield node.value, "path" if node.attr in _PATHS else kind
    elif isinstance(node, ast.Call):
        called = _last(node.func)
        use = {"len": "measured", "open": "path", "Path": "path", "int": "converted", "float": "converted", "sum": "iterated", "max": "iterated", "min": "iterated", "sorted": "iterated"}
        for one in node.args:
            yield one, use.get(called, "key" if called in ("get", "pop") else "path" if called in _PATHS else "passed")
    elif isinstance(node, ast.Compare):
        for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            if isinstance(sign, ast.In | ast.NotIn):
                yield left, "element"
                yield right, "container"
            elif isinstance(sign, ast.Is | ast.IsNot):
                yield left, "optional"
            else:
                yield left, "compared"
                yield right, "compared"
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, "tested"
    elif isinstance(node, ast.UnaryOp):
        yield node.operand, "tested" if isinstance(node.op, ast.Not) else "reckoned"
    elif isinstance(node, ast.BoolOp):
        for one in node.values:
            yield one, "tested"
    elif isinstance(node, ast.Return) and node.value is not None:
        yield node.value, "returned"
