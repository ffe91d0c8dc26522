"""The expressions that a condition in a function may be about, and how each of them is used there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.intent.facts.literal_types import is_text
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, root_name, root_of, walk
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
_CHAIN = (ast.Attribute, ast.Subscript, ast.Call)
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


class OperandCollector:
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
        self.found[code] = Operand(code, origin, words, before, annotation)

    def parameters(self) -> list[str]:
        given = parameters(self.function) if self.function is not None else ()
        for parameter in given:
            if parameter.arg not in ("self", "cls"):
                self.add(
                    parameter.arg,
                    "parameter",
                    ast.unparse(parameter.annotation) if parameter.annotation is not None else "",
                )
        return [item.arg for item in given]

    def names_set(self, nodes: list[ast.AST]) -> None:
        """What loops go through and what is set, with what it is set to."""
        for one in nodes:
            if isinstance(one, ast.For | ast.AsyncFor):
                for name in _names(one.target):
                    self.add(name, "round", base=_told_by(one.iter))
        for one in nodes:
            if isinstance(one, ast.Assign):
                for name in (item for target in one.targets for item in _names(target)):
                    self.add(name, "local", base=_told_by(one.value))
        for one in nodes:
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                self.add(one.id, "local")

    def parts(self, nodes: list[ast.AST]) -> None:
        """Attributes, items and calls of what is known, and sums that something is divided by."""
        known = {*self.found, "self"}
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        done = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for inner in nodes:
            if id(inner) in done:
                continue  # it is called for what it does
            root = root_name(inner, *_CHAIN)
            if isinstance(inner, ast.Attribute) and id(inner) not in called and root in known:
                self.add(ast.unparse(inner), "own" if root == "self" else "attribute")
            elif (
                isinstance(inner, ast.Subscript)
                and root in known
                and isinstance(inner.slice, ast.Constant | ast.Name)
            ):
                self.add(ast.unparse(inner), "item")
            elif (
                isinstance(inner, ast.Call) and len(inner.args) <= 1 and not inner.keywords and root in known
            ):
                self.add(ast.unparse(inner), "call")

    def fields_of_known(self) -> None:
        """What the classes of the file have, of names that are annotated with one or called like one."""
        for item in list(self.found.values()):
            annotated = item.annotation.rpartition("[")[2].strip("]'\"")
            plain = item.origin in ("local", "round", "parameter")
            for owner, fields in self.fields.items():
                called = item.last == owner.lower() or item.code == owner[:1].lower()
                if owner in (annotated, item.annotation) or (plain and called):
                    for name in fields:
                        self.add(f"{item.code}.{name}", "attribute")

    def keys(self, tree: ast.AST, nodes: list[ast.AST]) -> None:
        """Items under the keys of the file, of what is asked for an item by a text."""
        keyed = {
            ast.unparse(node.value)
            for node in nodes
            if isinstance(node, ast.Subscript) and is_text(node.slice)
        }
        for key in find_lookup_keys(tree) if keyed else ():
            for code in sorted(keyed):
                self.add(f"{code}[{key!r}]", "item")

    def of_file(self, tree: ast.AST) -> None:
        """Constants, members of enumerations, questions that functions answer, arguments of a program."""
        for stmt in getattr(tree, "body", ()):
            for name in _names(stmt.targets[0]) if isinstance(stmt, ast.Assign) else ():
                self.add(name, "module")
            if isinstance(stmt, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in stmt.bases):
                for name in (node.id for node in find_nodes(stmt, ast.Name)):
                    if name.isupper():
                        self.add(f"{stmt.name}.{name}", "module")
            if isinstance(stmt, Function):
                self._question(stmt, "")
        if any(
            isinstance(node, ast.Import) and any(item.name == "sys" for item in node.names)
            for node in walk(tree)
        ):
            self.add("sys.argv", "arguments")

    def of_owner(self, owner: ast.ClassDef) -> None:
        for name in self.fields.get(owner.name, ()):
            self.add(f"self.{name}", "own")
        for stmt in owner.body:
            if isinstance(stmt, Function):
                self._question(stmt, "self.")

    def _question(self, asked: ast.FunctionDef | ast.AsyncFunctionDef, holder: str) -> None:
        given = [parameter.arg for parameter in parameters(asked) if parameter.arg != "self"]
        if (
            asked.name.startswith(_ASKING)
            and given
            and asked is not self.function
            and self.found.keys() >= set(given)
        ):
            self.add(f"{holder}{asked.name}({', '.join(given)})", "call")


def find_operands(root: ast.AST, tree: ast.AST, owner: ast.ClassDef | None) -> list[Operand]:
    """What a guard in a function or loop may look at, uses not noted yet. `owner` is that of a method."""
    function = root if isinstance(root, Function) else None
    nested = {
        id(inner)
        for node in walk(root)
        if isinstance(node, _OWN_SCOPES) and node is not root
        for inner in walk(node)
    }
    inside = [node for node in walk(root) if id(node) not in nested]
    out = OperandCollector(tree, function)
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
    for owner in find_nodes(tree, ast.ClassDef):
        names = [
            stmt.target.id
            for stmt in owner.body
            if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name)
        ]
        stored = (node for node in find_nodes(owner, ast.Attribute) if isinstance(node.ctx, ast.Store))
        names += [node.attr for node in stored if root_name(node, *_CHAIN) == "self"]
        for inner in owner.body:
            if isinstance(inner, Function) and len(parameters(inner)) == 1 and _tells(inner):
                shown = any(ast.unparse(decorator) == "property" for decorator in inner.decorator_list)
                names.append(inner.name if shown else f"{inner.name}()")
        out[owner.name] = list(dict.fromkeys(names))[:_MOST_OF_CLASS]
    return out


def find_lookup_keys(tree: ast.AST) -> list[str]:
    """The texts by which items are looked up or put into dictionaries in a file."""
    every: list[ast.expr | None] = [node.slice for node in find_nodes(tree, ast.Subscript)]
    every += [key for node in find_nodes(tree, ast.Dict) for key in node.keys]
    texts = (node.value for node in every if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return list(dict.fromkeys(texts))[:_MOST_KEYS]


def _tells(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method gives something back, and is no special one."""
    given = (node.value for node in find_nodes(method, ast.Return))
    return not method.name.startswith("__") and any(item is not None for item in given)


def _told_by(value: ast.AST) -> str:
    """What is called, looked up or taken, by its last name."""
    return last_name(root_of(value, ast.Call, ast.Subscript))


def _word_of(code: str) -> str:
    return "".join(item if item.isalnum() or item == "_" else "_" for item in code).strip("_") or code


def _names(target: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
