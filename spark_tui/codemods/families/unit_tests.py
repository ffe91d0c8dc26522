"""Skeletons of tests: the file, the import and the calls for a function, method or class, with plain values
where annotations tell them. A test that needs a value which nobody can know is skipped until somebody fills
it in."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.codemods.families.example_tests import example_body, import_lines, names_needed
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import DEFINED, insert_at_line, need_definition, need_source
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import convert_line_endings, plan_edits
from spark_tui.codemods.rewriting.optional_types import allows_none
from spark_tui.codemods.slots import Expression, FilePath, Symbol
from spark_tui.codemods.uses.symbols import refuse_existing
from spark_tui.pysource.inference.known_types import BUILTIN_TYPES
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring
from spark_tui.pysource.syntax.parsing import parse_expression
from spark_tui.pysource.syntax.walking import walk_each
from spark_tui.pysource.words import word_set

_FOLDERS = ("tests", "test")


@codemod
class AddTest:
    """Write a pytest skeleton: one test for a function, one for each method of a class."""

    target: Symbol = slot("the function, method or class", kinds=DEFINED)
    path: FilePath = slot("the test file; empty for the usual one", default=FilePath(""))
    call: Expression = slot("a call to test: add(1, 2); empty for a skeleton", default=Expression(""))
    result: Expression = slot("what the call gives", default=Expression(""))
    error: Expression = slot("in place of a result: the error that the call raises", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_definition(repo, self.target)
        owner = source.class_of(node)
        top = owner if owner is not None else node
        if source.parents.get(top) is not source.tree:
            raise Refusal(f"{target.qualname} cannot be imported from its module")
        if source.path.endswith(".pyi"):
            raise Refusal("a stub has nothing to test")
        module = repo.index.modules.name(source.path)
        if not all(map(str.isidentifier, module.split("."))):
            raise Refusal(f"{source.path} cannot be imported by a name")
        made_of = node if owner is None or isinstance(node, ast.ClassDef) else owner
        if self.call:
            made = self._example(repo, source, node, owner)
            needed = names_needed(repo, source.path, module, self.call, self.result, self.error)
        else:
            made = skeleton(source, node, owner, _init(repo, source.path, made_of))
            needed = [(module, top.name, "")]
        path = self.path or usual_path(repo, source.path)
        if not path.endswith(".py") or path.startswith("/") or ".." in path.split("/"):
            raise Refusal(f"{path} is not the path of a Python file in the repository")
        if path in repo.index.modules.paths:
            return self._extended(repo, path, needed, made)
        refuse_existing(repo, path)
        lines = [f"import {imported}\n" for imported in made.imports if imported != "pytest"]
        lines += ["\n"] if lines else []
        lines += ["import pytest\n\n"] if "pytest" in made.imports else []
        shown = import_lines(needed, last=module)
        text = f'"""Tests of {module}."""\n\n{"".join(lines)}{shown}\n\n{made.code}'
        return Plan(created={path: text})

    def _example(
        self, repo: Repository, source: Source, node: Definition, owner: ast.ClassDef | None
    ) -> Skeleton:
        """A test of one call and its result; beside another test of that name it gets a number."""
        if isinstance(node, ast.ClassDef):
            name = _test_name(node, None)
        else:
            name = _test_name(owner, node)
        path = self.path or usual_path(repo, source.path)
        bound = repo.index.scopes(path).module.bound if path in repo.index.modules.paths else {}
        name = next(one for one in (name, *(f"{name}_{at}" for at in range(2, 99))) if one not in bound)
        awaited = isinstance(node, ast.AsyncFunctionDef)
        body = example_body(self.call, self.result, self.error, awaited=awaited)
        if bound and body in repo.index.source(path).text:
            raise Refusal(f"{path} already tests that", why="nothing")
        imports = [*(["asyncio"] if awaited else []), *(["pytest"] if self.error else [])]
        return Skeleton(f"def {name}():\n{body}", (name,), tuple(imports))

    def _extended(
        self, repo: Repository, path: str, needed: list[tuple[str, str, str]], made: Skeleton
    ) -> Plan:
        """The tests after those that the file has."""
        source = need_source(repo, path)
        bound = repo.index.scopes(path).module.bound
        there = [item for item in made.names if item in bound]
        if there:
            raise Refusal(f"{path} already has {there[0]}", why="nothing")
        edits: list[Edit] = []
        for module, name, alias in needed:
            if (alias or name or module.split(".")[0]) not in bound:
                edits.append(insert_import(repo, path, module, name, alias))
            elif name and not alias and not _imports(repo, path, module, name):
                raise Refusal(f"{name} means something else in {path}")
        modules = [imported for imported in made.imports if imported not in bound]
        edits += [insert_import(repo, path, imported, "", "") for imported in modules]
        gap = source.newline * 2 if source.text.strip() else ""
        edits.append(insert_at_line(source, len(source.lines), gap + convert_line_endings(source, made.code)))
        return plan_edits(repo, edits)


def _init(repo: Repository, path: str, node: ast.AST) -> Function | None:
    """What takes the arguments of a class: an `__init__`, its own or that of a base, or else a `__new__`."""
    if not isinstance(node, ast.ClassDef):
        return None
    makers = (repo.classes.lookup(ClassValue(path, node), name) for name in ("__init__", "__new__"))
    return next((one[1] for one in makers if one is not None and isinstance(one[1], Function)), None)


def _imports(repo: Repository, path: str, module: str, name: str) -> bool:
    """Whether a name of a file is the one that a module offers."""
    origin = repo.index.modules.find(module, path)
    values = repo.infer.exported(module, name, path)
    found = [one for one in repo.index.summary(path).imports if one.alias == name]
    for one in found:
        its_module = repo.index.imported_module(path, one)
        same = repo.index.modules.find(its_module, path) == origin
        if not same and repo.infer.exported(its_module, one.name, path) != values:
            return False
    return bool(found)


def usual_path(repo: Repository, path: str) -> str:
    """The file that tests a module already, or where one would look for it."""
    stem = path.removesuffix(".py").rpartition("/")[2].strip("_")
    package = path.rpartition("/")[0].rpartition("/")[2]
    name = f"test_{package if stem == 'init' and package else stem}.py"
    known = [item for item in repo.index.modules.paths if item.rpartition("/")[2] == name]
    importing = sorted(item for item in known if item in repo.index.importers(path))
    if importing:
        return importing[0]
    roots = [item for item in _FOLDERS if any(path.startswith(f"{item}/") for path in repo.index.all_paths)]
    if not roots and "/" not in path:
        return name  # pytest finds a module from the folder of the test alone
    folder = roots[0] if roots else _FOLDERS[0]
    plain = f"{folder}/{name}"
    return f"{folder}/test_{package}_{stem}.py" if plain in repo.index.all_paths and package else plain


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
        methods = [stmt for stmt in node.body if isinstance(stmt, Function) and _is_public(stmt)]
        owner = node
        tested: Sequence[Function | None] = methods or [None]
    else:
        if not _is_tested(node):
            raise Refusal(f"{node.name} has nothing to call by itself")
        tested = [None if owner is not None and node.name == "__init__" else node]
    tests: dict[str, str] = {}
    imports: set[str] = set()
    for item in tested:
        name = _test_name(owner, item)
        if name not in tests:
            tests[name], needed = _test(source, owner, item, name, init)
            imports |= needed
    return Skeleton("\n\n".join(tests.values()), tuple(tests), tuple(sorted(imports)))


def _is_public(function: Function) -> bool:
    return not function.name.startswith("_") and _is_tested(function)


def _is_tested(function: Function) -> bool:
    return not any(name in _NOT_TESTED for name in decorator_names(function))


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
        error = _only_raised(one)
        lines += [f"with pytest.raises({error}):", f"    {made}"] if error else _checked(one, made, kinds)
        imports |= {"pytest"} if error else set()
        unknown |= bool(kinds - _PLAIN) or (isinstance(one, ast.AsyncFunctionDef) and _yields(source, one))
    if unknown:
        imports.add("pytest")
    body = "".join(f"    {line}\n" for line in lines)
    return f"{_SKIP if unknown else ''}def {name}() -> None:\n{body}", imports


def _yields(source: Source, function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in source.own_nodes(function))


def _call(called: str, function: Function | None, *, skip: int, known: bool) -> tuple[str, bool]:
    """A call with values for what has no default, and whether one of them is to be filled in."""
    if function is None:
        return f"{called}()", not known
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    needed = positional[: len(positional) - len(spec.defaults)][skip:]
    named = [one for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value is None]
    values = [_value(item) for item in (*needed, *named)]
    shown = [*values[: len(needed)]]
    shown += [f"{one.arg}={value}" for one, value in zip(named, values[len(needed) :], strict=True)]
    return f"{called}({', '.join(shown)})", "..." in values


def _value(parameter: ast.arg) -> str:
    hint = parameter.annotation
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        hint = parse_expression(hint.value)
    if isinstance(hint, ast.BinOp):
        hint = hint.left
    if isinstance(hint, ast.Constant) and hint.value is None:
        return "None"
    hint = hint.value if isinstance(hint, ast.Subscript) else hint
    return _VALUES.get(last_name(hint), "...") if hint is not None else "..."


def _only_raised(function: Function) -> str:
    """The error of Python that is all that a function raises, and does."""
    last = function.body[-1]
    error = last.exc if isinstance(last, ast.Raise) else None
    error = error.func if isinstance(error, ast.Call) else error
    alone = len(function.body) == 1 + (docstring(function) is not None)
    name = error.id if isinstance(error, ast.Name) and alone else ""
    kind = getattr(builtins, name, None)
    return name if isinstance(kind, type) and issubclass(kind, Exception) else ""


def _checked(function: Function, made: str, kinds: set[str]) -> list[str]:
    """The lines that call and check as much of the result as the annotation tells."""
    hint = function.returns
    if _may_give_none(function):
        return [made]
    word = last_name(hint.value if isinstance(hint, ast.Subscript) else hint) if hint is not None else ""
    if word in BUILTIN_TYPES and not kinds - _PLAIN:
        return [f"result = {made}", f"assert isinstance(result, {word})"]
    return [f"result = {made}", "assert result is not None"]


def _may_give_none(function: Function) -> bool:
    """Whether the annotation of a function allows None, or else one of its `return`s gives none."""
    if function.returns is not None:
        return allows_none(ast.unparse(function.returns))
    inner = list(walk_each(function.body))
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in inner):
        return False
    given = [ast.unparse(one.value) if one.value else "None" for one in inner if isinstance(one, ast.Return)]
    return "None" in (given or ["None"])
