"""The expressions that a condition in a function may be about, and how each of them is used there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import identifier_words

_MOST, _LONGEST, _MOST_OF_CLASS, _MOST_KEYS = 90, 40, 24, 12
ORIGINS = ("parameter", "local", "round", "own", "attribute", "item", "call", "module", "arguments")
_OWN_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_ASKING = ("is", "has", "can")
"""Words with which the name of a function begins that tells whether something is so."""


@dataclass
class Operand:
    """An expression, where it comes from, and how it is used."""

    code: str
    origin: str
    words: tuple[str, ...] = ()
    """The words of its last name."""
    base: tuple[str, ...] = ()
    """The words of what stands in front of that, or of what a name is set to."""
    annotation: str = ""
    uses: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    """The texts with which it is compared or to which it is set somewhere in the file."""

    @property
    def last(self) -> str:
        return self.words[-1] if self.words else ""

    @property
    def constant(self) -> bool:
        return self.code.rpartition(".")[2].isupper()


class Gathering:
    """The operands of one place, by their code."""

    def __init__(self, tree: ast.AST, function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> None:
        self.found: dict[str, Operand] = {}
        self.fields = fields_of_classes(tree)
        self.function = function

    def add(self, code: str, origin: str, annotation: str = "", base: str = "") -> None:
        if code in self.found or code in ("self", "cls") or len(code) > _LONGEST or len(self.found) >= _MOST:
            return
        front, _, last = code.rstrip("()").rpartition(".")
        words = identifier_words(_word_of(last or code))
        before = identifier_words(_word_of(front or base))
        self.found[code] = Operand(code, origin, tuple(words), tuple(before), annotation)

    def parameters(self) -> list[str]:
        given = parameters(self.function) if self.function is not None else ()
        for one in given:
            if one.arg not in ("self", "cls"):
                self.add(
                    one.arg, "parameter", ast.unparse(one.annotation) if one.annotation is not None else ""
                )
        return [one.arg for one in given]

    def names_set(self, nodes: list[ast.AST]) -> None:
        """What loops go through and what is set, with what it is set to."""
        for one in nodes:
            if isinstance(one, ast.For | ast.AsyncFor):
                for name in _names(one.target):
                    self.add(name, "round", base=_told_by(one.iter))
        for one in nodes:
            if isinstance(one, ast.Assign):
                for name in (each for target in one.targets for each in _names(target)):
                    self.add(name, "local", base=_told_by(one.value))
        for one in nodes:
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                self.add(one.id, "local")

    def parts(self, nodes: list[ast.AST]) -> None:
        """Attributes, items and calls of what is known, and sums that something is divided by."""
        known = {*self.found, "self"}
        called = {id(one.func) for one in nodes if isinstance(one, ast.Call)}
        for one in nodes:
            root = _root(one)
            if isinstance(one, ast.Attribute) and id(one) not in called and root in known:
                self.add(ast.unparse(one), "own" if root == "self" else "attribute")
            elif (
                isinstance(one, ast.Subscript)
                and root in known
                and isinstance(one.slice, ast.Constant | ast.Name)
            ):
                self.add(ast.unparse(one), "item")
            elif isinstance(one, ast.Call) and len(one.args) <= 1 and not one.keywords and root in known:
                self.add(ast.unparse(one), "call")
            elif (
                isinstance(one, ast.BinOp)
                and isinstance(one.op, ast.Div)
                and isinstance(one.right, ast.BinOp)
            ):
                self.add(ast.unparse(one.right), "local")

    def fields_of_known(self) -> None:
        """What the classes of the file have, of names that are annotated with one or called like one."""
        for one in list(self.found.values()):
            annotated = one.annotation.rpartition("[")[2].strip("]'\"")
            plain = one.origin in ("local", "round", "parameter")
            for owner, fields in self.fields.items():
                called = one.last == owner.lower() or one.code == owner[:1].lower()
                if owner in (annotated, one.annotation) or (plain and called):
                    for name in fields:
                        self.add(f"{one.code}.{name}", "attribute")

    def keys(self, tree: ast.AST, nodes: list[ast.AST]) -> None:
        """Items under the keys of the file, of what is asked for an item by a text."""
        keyed = {
            ast.unparse(one.value) for one in nodes if isinstance(one, ast.Subscript) and _is_text(one.slice)
        }
        for key in keys_of(tree) if keyed else ():
            for code in sorted(keyed):
                self.add(f"{code}[{key!r}]", "item")

    def of_file(self, tree: ast.AST) -> None:
        """Constants, members of enumerations, questions that functions answer, arguments of a program."""
        for one in getattr(tree, "body", ()):
            for name in _names(one.targets[0]) if isinstance(one, ast.Assign) else ():
                self.add(name, "module")
            if isinstance(one, ast.ClassDef) and any("Enum" in ast.unparse(each) for each in one.bases):
                for name in (each.id for each in walk(one) if isinstance(each, ast.Name)):
                    if name.isupper():
                        self.add(f"{one.name}.{name}", "module")
            if isinstance(one, Function):
                self._question(one, "")
        if any(
            isinstance(one, ast.Import) and any(each.name == "sys" for each in one.names)
            for one in walk(tree)
        ):
            self.add("sys.argv", "arguments")

    def of_owner(self, owner: ast.ClassDef) -> None:
        for name in self.fields.get(owner.name, ()):
            self.add(f"self.{name}", "own")
        for one in owner.body:
            if isinstance(one, Function):
                self._question(one, "self.")

    def _question(self, asked: ast.FunctionDef | ast.AsyncFunctionDef, holder: str) -> None:
        given = [one.arg for one in parameters(asked) if one.arg != "self"]
        if (
            asked.name.startswith(_ASKING)
            and given
            and asked is not self.function
            and self.found.keys() >= set(given)
        ):
            self.add(f"{holder}{asked.name}({', '.join(given)})", "call")


def operands(root: ast.AST, tree: ast.AST, owner: ast.ClassDef | None) -> list[Operand]:
    """What a guard in a function or loop may look at, uses not noted yet. `owner` is that of a method."""
    function = root if isinstance(root, Function) else None
    nested = {
        id(one)
        for each in walk(root)
        if isinstance(each, _OWN_SCOPES) and each is not root
        for one in walk(each)
    }
    inside = [one for one in walk(root) if id(one) not in nested]
    out = Gathering(tree, function)
    given = out.parameters()
    out.names_set(inside)
    out.parts(inside)
    out.fields_of_known()
    out.keys(tree, inside)
    if owner is not None and "self" in given:
        out.of_owner(owner)
    out.of_file(tree)
    return list(out.found.values())


def fields_of_classes(tree: ast.AST) -> dict[str, list[str]]:
    """The attributes of each class of a file, with the methods that take nothing but their object."""
    out: dict[str, list[str]] = {}
    for owner in walk(tree):
        if not isinstance(owner, ast.ClassDef):
            continue
        names = [
            one.target.id
            for one in owner.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        stored = (
            one for one in walk(owner) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
        )
        names += [one.attr for one in stored if _root(one) == "self"]
        for one in owner.body:
            if isinstance(one, Function) and len(parameters(one)) == 1 and _tells(one):
                shown = any(ast.unparse(each) == "property" for each in one.decorator_list)
                names.append(one.name if shown else f"{one.name}()")
        out[owner.name] = list(dict.fromkeys(names))[:_MOST_OF_CLASS]
    return out


def keys_of(tree: ast.AST) -> list[str]:
    """The texts by which items are looked up or put into dictionaries in a file."""
    every: list[ast.expr | None] = [one.slice for one in walk(tree) if isinstance(one, ast.Subscript)]
    every += [key for one in walk(tree) if isinstance(one, ast.Dict) for key in one.keys]
    texts = (one.value for one in every if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return list(dict.fromkeys(texts))[:_MOST_KEYS]


def _tells(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method gives something back, and is no special one."""
    given = (one.value for one in walk(method) if isinstance(one, ast.Return))
    return not method.name.startswith("__") and any(one is not None for one in given)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _told_by(value: ast.AST) -> str:
    """What is called, looked up or taken, by its last name."""
    while isinstance(value, ast.Call | ast.Subscript):
        value = value.func if isinstance(value, ast.Call) else value.value
    return value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""


def _word_of(code: str) -> str:
    return "".join(each if each.isalnum() or each == "_" else "_" for each in code).strip("_") or code


def _names(target: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
