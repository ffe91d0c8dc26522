"""Facts of real code that an instruction may name: functions with their parameters, statements and texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from keyword import iskeyword

from spark_tui.intent.reading.symbol_roles import RoleTable
from spark_tui.pysource.words import identifier_words

LONGEST_CODE = 70
"""Characters of a statement or expression that somebody would type."""


@dataclass
class FunctionFacts:
    """What stands in one function."""

    name: str
    owner: str = ""
    first: int = 1
    last: int = 1
    """Its lines, from 1."""
    parameters: list[str] = field(default_factory=list)
    defaults: dict[str, str] = field(default_factory=dict)
    locals: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    loop_variables: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    keywords: list[tuple[str, str]] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    expressions: list[str] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    caught: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    decorators: list[str] = field(default_factory=list)
    assigned: dict[str, str] = field(default_factory=dict)
    documented: str = ""
    """The first line of its docstring."""


@dataclass
class ClassFacts:
    """What stands in one class."""

    name: str
    bases: list[str] = field(default_factory=list)


@dataclass
class Scene:
    """One module: its facts and the roles of its names."""

    path: str
    functions: list[FunctionFacts]
    classes: list[ClassFacts]
    constants: dict[str, str]
    imports: list[str]
    imported_names: list[tuple[str, str]]
    roles: RoleTable

    @cached_property
    def words(self) -> list[str]:
        """The words that its names and texts are made of."""
        names = [
            name
            for function in self.functions
            for name in (function.name, *function.parameters, *function.locals)
        ]
        texts = [text for function in self.functions for text in function.strings]
        found = [word for name in names for word in identifier_words(name)]
        found += [word for text in texts for word in re.findall(r"[A-Za-z]+", text)]
        plain = {word.lower() for word in found if 3 <= len(word) <= 12 and word.isascii()}
        return sorted(word for word in plain if word.isalpha() and not iskeyword(word))


def scene_of(path: str, text: str) -> Scene | None:
    """The facts of a module; None if there is no function in it."""
    tree = ast.parse(text)
    roles = RoleTable()
    roles.add_path(path)
    roles.add_tree(tree)
    scene = Scene(path, [], [], {}, [], [], roles)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            scene.functions.append(_function(node, ""))
        elif isinstance(node, ast.ClassDef):
            _class(node, scene)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            scene.constants[node.targets[0].id] = ast.unparse(node.value)
        elif isinstance(node, ast.Import):
            scene.imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            scene.imported_names += [(alias.name, node.module) for alias in node.names]
    return scene if scene.functions else None


def _class(node: ast.ClassDef, scene: Scene) -> None:
    methods = (stmt for stmt in node.body if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef))
    scene.functions += [_function(method, node.name) for method in methods]
    scene.classes.append(ClassFacts(node.name, [_short(base) for base in node.bases]))


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> FunctionFacts:
    facts = FunctionFacts(node.name, owner, node.lineno, node.end_lineno or node.lineno)
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    facts.parameters = [arg.arg for arg in every if arg.arg not in ("self", "cls")]
    positional = [*node.args.posonlyargs, *node.args.args]
    given = zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults, strict=True)
    keyword = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    facts.defaults = {arg.arg: _short(value) for arg, value in [*given, *keyword] if value is not None}
    facts.decorators = [
        _short(decorator.func if isinstance(decorator, ast.Call) else decorator)
        for decorator in node.decorator_list
    ]
    facts.documented = (ast.get_docstring(node) or "").partition("\n")[0].strip()
    for statement in node.body:
        for inner in ast.walk(statement):
            _note(inner, facts)
    facts.statements = [text for text in map(_short, _simple(node.body)) if text]
    return facts


def _simple(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        inner = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
        if any(inner):
            for part in inner:
                yield from _simple(part)
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield statement


def _note(node: ast.AST, facts: FunctionFacts) -> None:
    match node:
        case ast.Name(ctx=ast.Store()):
            facts.locals.append(node.id)
        case ast.Attribute(value=ast.Name(id="self")):
            facts.attributes.append(node.attr)
        case ast.Constant(value=str() as text) if 0 < len(text) < LONGEST_CODE and "\n" not in text:
            facts.strings.append(text)
        case ast.Constant(value=bool() | None):
            pass
        case ast.Constant(value=int() | float()):
            facts.numbers.append(repr(node.value))
        case ast.Call():
            _note_call(node, facts)
        case ast.If() | ast.While():
            facts.conditions += filter(None, [_short(node.test)])
        case ast.For(target=ast.Name(id=name)):
            facts.loop_variables.append(name)
        case ast.Raise(exc=ast.expr() as raised):
            facts.raised.append(_short(raised.func if isinstance(raised, ast.Call) else raised))
        case ast.ExceptHandler(type=ast.expr() as caught):
            facts.caught.append(_short(caught))
        case ast.Return(value=ast.expr() as value):
            facts.returned += filter(None, [_short(value)])
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            facts.keys.append(key)
        case ast.Assign(targets=[ast.Name(id=name)]):
            facts.assigned[name] = _short(node.value)
    if isinstance(node, ast.BinOp | ast.Compare | ast.Subscript | ast.BoolOp):
        facts.expressions += filter(None, [_short(node)])


def _note_call(node: ast.Call, facts: FunctionFacts) -> None:
    name = _short(node.func)
    if name and all(part.isidentifier() for part in name.split(".")):
        facts.calls.append(name)
        facts.arguments += filter(None, map(_short, node.args))
        facts.keywords += [(keyword.arg, _short(keyword.value)) for keyword in node.keywords if keyword.arg]
    facts.expressions += filter(None, [_short(node)])


def _short(node: ast.AST) -> str:
    """The source of a node if it is one short line, or nothing."""
    text = ast.unparse(node)
    return text if len(text) <= LONGEST_CODE and "\n" not in text else ""
