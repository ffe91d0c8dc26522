"""Whether code runs while a module is imported: outside of functions, or in one that a call reaches from
there, through others too, as far as calls can be followed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import islice

from spark_tui.codemods.uses.by_string import find_naming_strings
from spark_tui.codemods.uses.callsites import find_overrides, find_words
from spark_tui.pysource.inference.values import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    ModuleValue,
    Value,
    class_behind,
    is_common_member,
)
from spark_tui.pysource.names.imports import has_lazy_annotations
from spark_tui.pysource.names.scopes import Scope, ScopeKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

_MOST_FUNCTIONS, _MOST_FILES = 40, 80
_WITH_THE_CLASS = word_set("__init_subclass__ __set_name__ __class_getitem__ __prepare__ __mro_entries__")
_DESCRIBING = word_set("__doc__ __name__ __qualname__ __module__")
_OF_PROPERTIES = word_set("getter setter deleter")
"""What is asked of a function without a call (`get.__doc__ = make.__doc__`), and of a property."""
_PLAIN_DECORATORS = word_set("property setter staticmethod classmethod abstractmethod override overload")


def is_library(repo: Repository, path: str) -> bool:
    """Whether a file is there to be imported."""
    if path.rpartition("/")[2] in ("__main__.py", "setup.py", "conftest.py"):
        return False
    folder = path.rpartition("/")[0]
    packaged = any(f"{folder}/{item}" in repo.index.modules.paths for item in ("__init__.py", "__init__.pyi"))
    exports = repo.index.summary(path).exports is not None
    return bool((packaged and folder) or exports or repo.index.importers(path))


def enclosing_function(source: Source, node: ast.AST) -> Function | None:
    """The function in whose body a node stands. Decorators and defaults are outside of their function."""
    around = source.climb(node)
    return next((one for below, one in around if isinstance(one, Function) and below in one.body), None)


def runs_on_import(repo: Repository, path: str, node: ast.AST) -> bool:
    """Whether a node is evaluated when its module is imported, as far as calls can be followed."""
    first = enclosing_function(repo.index.source(path), node)
    if first is None:
        return not _left_out_on_import(repo, path, node)
    queue, seen = [(path, first)], {id(first)}

    def is_new(where: str, scope: Scope) -> bool:
        """Whether a use in a scope would say more: elsewhere nobody asks what is meant."""
        outer = _function_around(scope)
        if outer is None:
            return is_library(repo, where)
        return id(outer) not in seen and len(queue) < _MOST_FUNCTIONS

    for at, function in queue:
        of_module = function.name == "__getattr__" and repo.index.source(at).class_of(function) is None
        if of_module or function.name in _WITH_THE_CLASS or _is_of_metaclass(repo, at, function):
            return True
        for where, use, scope in _uses(repo, at, function, is_new):
            outer = _function_around(scope)
            if outer is not None:
                seen.add(id(outer))
                queue.append((where, outer))
            elif not _left_out_on_import(repo, where, use):
                return True
    return any(is_library(repo, where) for where, _ in find_naming_strings(repo, queue))


def _function_around(scope: Scope) -> Function | None:
    """The function in whose body a scope is, or whose scope it is."""
    around = (item.node for item in scope.outwards() if item.kind is ScopeKind.FUNCTION)
    return next((node for node in around if isinstance(node, Function)), None)


def _left_out_on_import(repo: Repository, path: str, node: ast.AST) -> bool:
    """Whether code outside of functions does not run: in stubs, under `__main__` or `TYPE_CHECKING`, in
    annotations."""
    if path.endswith(".pyi"):
        return True
    source = repo.index.source(path)
    lazy = has_lazy_annotations(source)
    for below, at in source.climb(node):
        if isinstance(at, ast.If) and below in at.body:
            test = ast.dump(at.test)
            if "'TYPE_CHECKING'" in test or "'__main__'" in test:
                return True
        if lazy and below in (getattr(at, "annotation", None), getattr(at, "returns", None)):
            return not _reads_annotations(source, at)
    return False


def _reads_annotations(source: Source, holder: ast.AST) -> bool:
    """Whether a base class or a decorator may evaluate an annotation, as those of data models do."""
    owner = source.parents.get(holder)
    if isinstance(holder, ast.arg):
        owner = source.function_of(holder)
    if isinstance(holder, Function):
        owner = holder
    if isinstance(owner, ast.ClassDef) and (owner.bases or owner.keywords):
        return True
    decorators = getattr(owner, "decorator_list", ())
    return any(last_name(decorator) not in _PLAIN_DECORATORS for decorator in decorators)


def _is_of_metaclass(repo: Repository, path: str, function: Function) -> bool:
    owner = repo.index.source(path).class_of(function)
    bases = owner.bases if owner is not None else ()
    return any(last_name(base) in ("type", "ABCMeta", "EnumMeta") for base in bases)


def _uses(
    repo: Repository, path: str, function: Function, is_new: Callable[[str, Scope], bool]
) -> Iterator[tuple[str, ast.AST, Scope]]:
    """Where a function is called or handed on, as far as a scope is new, also by another name that it has. A
    special method is used where its class is called."""
    owner = repo.index.source(path).class_of(function)
    wanted = {id(one) for _, one in find_overrides(repo, path, function)}
    classes: list[ClassValue] = []
    todo, done = {function.name}, set[str]()
    while todo:
        if owner is not None and not classes and any(name.startswith("__") for name in todo):
            classes = repo.classes.descendants(ClassValue(path, owner))
            todo |= {class_value.node.name for class_value in classes}
        others = set[str]()
        for where in islice(repo.index.files_with(*sorted(todo)), _MOST_FILES):
            for node, scope in find_words(repo.index.scopes(where), todo):
                holder = repo.index.source(where).parents.get(node)
                asked = _OF_PROPERTIES if function.decorator_list else _DESCRIBING
                named = getattr(holder, "attr", "") in asked
                if holder is None or named:
                    continue  # in an annotation that is a text, or not called, as a property is
                if not is_new(where, scope) or not _means(repo, where, node, scope, wanted, classes):
                    continue
                outside = _function_around(scope) is None
                if names := _names_given(repo.index.source(where), node, function) if outside else ():
                    others.update(names)
                else:
                    yield where, node, scope
        done |= todo
        todo = others - done


def _names_given(source: Source, node: ast.AST, function: Function) -> list[str]:
    """The names that a statement gives to the function that a node is, where it does nothing else."""
    holder = source.parents[node]
    if not isinstance(holder, ast.Assign) or holder.value is not node:
        return []
    names = [target.id for target in holder.targets if isinstance(target, ast.Name)]
    special = {name for name in names if name.startswith("__")}
    if special and (source.parents[holder] is not source.class_of(function) or special & _WITH_THE_CLASS):
        return []  # Python calls it
    return names if len(names) == len(holder.targets) else []


def _means(
    repo: Repository,
    path: str,
    node: ast.Name | ast.Attribute,
    scope: Scope,
    wanted: set[int],
    classes: list[ClassValue],
) -> bool:
    values: tuple[Value, ...] = repo.infer.values(path, node, scope)
    if any(isinstance(value, FunctionValue) and id(value.node) in wanted for value in values):
        return True
    if any(isinstance(value, ClassValue) and value in classes for value in values):
        scopes = repo.index.scopes(path)
        definitions = scopes.source.definitions
        return id(node) in scopes.called or any(node in one.decorator_list for one in definitions)
    if not isinstance(node, ast.Attribute):
        return False
    # A property is no function value. An unknown object counts, in a function only by a name of its own.
    for item in repo.infer.values(path, node.value, scope):
        if isinstance(item, ModuleValue) and _sets_another(repo, item.path, node.attr, wanted):
            return False
        owner = class_behind(item)
        member = repo.classes.lookup(owner, node.attr) if owner is not None else None
        if member is not None and id(member[1]) in wanted:
            return True
    # A lambda in a table is called later; one that is handed to a call, maybe at once.
    parents = repo.index.source(path).parents
    later = any(
        item.kind is ScopeKind.FUNCTION
        or (item.kind is ScopeKind.LAMBDA and not isinstance(parents.get(item.node), ast.Call | ast.keyword))
        for item in scope.outwards()
    )
    if values != (UNKNOWN,) or not later:
        return values == (UNKNOWN,)
    return not is_common_member(node.attr) and len(repo.index.symbols(node.attr)) <= len(wanted)


def _sets_another(repo: Repository, path: str, name: str, wanted: set[int]) -> bool:
    """Whether a module gives a name of a function to something else, which is no member of that name either.
    Where that is made of the function, this is a use of its own."""
    body = repo.index.source(path).body if path in repo.index.modules.paths else []
    sets = [stmt for stmt in body if any(getattr(one, "id", "") == name for one in targets(stmt))]
    members = (getattr(node, "attr", "") for stmt in sets for node in ast.walk(stmt))
    return bool(sets) and name not in members and not any(id(stmt) in wanted for stmt in body)
