"""The calls of a function in the whole repository: direct, on objects, through classes, `super()` and
`partial`, and the calls that are given the function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import starmap
from operator import itemgetter

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.hidden import find_computed_lookups
from spark_tui.codemods.uses.library_source import bases_know
from spark_tui.pysource.inference.values import (
    NONE,
    UNKNOWN,
    ClassValue,
    FunctionValue,
    InstanceValue,
    Special,
    Value,
)
from spark_tui.pysource.names.scopes import Role, Scope, Scopes
from spark_tui.pysource.names.type_hints import decorator_names, is_overload, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.words import word_set

_PARTIAL = frozenset(("partial", "partialmethod"))
_OF_CLASS = frozenset(("cls", "super"))
_BY_CLASS = frozenset(("__class__", ""))
"""How a class is called that is not named: `self.__class__()`, `type(self)()`."""
_TYPE_OF = "ype["
"""In annotations: `type[X]`, `Type[X]`."""
BY_OBJECT = frozenset(("__init__", "__new__", "__call__"))
"""Methods that are called without being named."""

HARMLESS = word_set(
    "property staticmethod classmethod cached_property wraps lru_cache cache overload override abstractmethod"
    " contextmanager asynccontextmanager setter final singledispatch dataclass"
)
"""Decorators that call a function as the calls of it do."""

_ASK_FOR_TYPES = word_set(
    "isinstance issubclass super cast TypeVar NewType raises assertRaises assertIsInstance type hasattr"
    " getattr setattr suppress namedtuple TypedDict patch object"
)
"""What is given a class and makes no object of it."""

Located = tuple[str, Function]
"""A function and the file in which it stands."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of a function; `function` is None where it is not known. `bound`: the receiver fills the first
    parameter. `partial`: the call is `partial(function, …)`."""

    path: str
    call: ast.Call
    function: Function | None
    bound: bool
    partial: bool = False


@dataclass
class Sites:
    """The calls that were found, those that may be meant, and other uses of the function as a value."""

    sites: list[CallSite] = field(default_factory=list)
    unknown: list[CallSite] = field(default_factory=list)
    shared: list[CallSite] = field(default_factory=list)
    """Of the sites those that may call something else too."""
    values: list[tuple[str, ast.expr]] = field(default_factory=list)


def find_overrides(repo: Repository, path: str, function: Function) -> list[Located]:
    """A function with its overloads and the same one in a stub; for methods also those of related classes."""
    found = _related(repo, path, function)
    for at, one in list(found):
        twin = repo.index.modules.twin(at)
        if twin is not None and repo.index.text(twin) is not None:
            source, name = repo.index.source(twin), repo.index.source(at).qualname(one)
            found += [(twin, item) for item in source.functions if source.qualname(item) == name]
    return list({id(one): (at, one) for at, one in found}.values())


def _related(repo: Repository, path: str, function: Function) -> list[Located]:
    source = repo.index.source(path)
    owner = source.class_of(function)
    if owner is None or function.name in ("__init__", "__new__"):
        suite = source.suite(function)
        same = [stmt for stmt in suite if isinstance(stmt, Function) and stmt.name == function.name]
        return [(path, stmt) for stmt in same] if any(map(is_overload, same)) else [(path, function)]
    out: list[Located] = []
    for class_value in repo.classes.family(ClassValue(path, owner), function.name):
        members = repo.classes.own_members(class_value).get(function.name, ())
        out += [(class_value.path, node) for node in members if isinstance(node, Function)]
    return out or [(path, function)]


def call_sites(repo: Repository, functions: Sequence[Located]) -> Sites:
    """Where functions are called. Constructors are found through their classes."""
    out = Sites()
    wanted = {id(node) for _, node in functions}
    words = {word for path, function in functions for word in words_of_calls(repo, path, function)}
    meant = cache(partial(wanted_function, repo, wanted=wanted))
    out.values += uses_as_value(repo, words, wanted)
    for path, node in calls_that_may_run(repo, functions, words, passed_on=bool(out.values)):
        scope = repo.index.scopes(path).scope_at[node]
        values = repo.infer.values(path, node.func, scope)
        name = last_name(node.func)
        # Most calls are of something from outside, or of nothing that is known.
        if len(values) > 1 or not isinstance(values[0], Special) or name in words:
            _look(out, path, node, values, meant, words)
        if name in _PARTIAL and node.args:
            for value in repo.infer.values(path, node.args[0], scope):
                _note(out, path, node, meant(value), partial=True)
    return out


def calls_that_may_run(
    repo: Repository, functions: Sequence[Located], words: set[str], *, passed_on: bool
) -> Iterator[tuple[str, ast.Call]]:
    """The calls that may run one of some functions. A call names a function or a class that is nowhere passed
    on or imported under another name; objects are called by any name, but where their class is mentioned."""
    names = {function.name for _, function in functions}
    by_object = not names.isdisjoint(BY_OBJECT)
    called = words | _PARTIAL | (names | _BY_CLASS if by_object else set())
    paths = list(repo.index.files_with(*words))
    mentioning = set(repo.index.files_with(*words - _OF_CLASS)) if by_object else set(paths)
    imports = (one for path in mentioning for one in repo.index.imports(path))
    by_other_names = passed_on or "__call__" in names
    if not (by_other_names or any(one.alias and one.name in words for one in imports)):
        mentioning = {path for path in mentioning if by_object and _TYPE_OF in (repo.index.text(path) or "")}
    for path in paths:
        calls = repo.index.scopes(path).calls_by_name
        found = {item for name in called for item in calls.get(name, ())}
        if path in mentioning:
            found.update(repo.calls.of(path))
        yield from ((path, node) for _, node in sorted(found, key=itemgetter(0)))


def hidden_callers(repo: Repository, path: str, function: Function) -> Iterator[Unfollowed]:
    """What may call a function, or fill its parameters, where no call of it stands in the repository."""
    for one, name in zip(function.decorator_list, decorator_names(function), strict=True):
        if name not in HARMLESS:
            reason = f"the decorator {name or 'here'} may call it, and give its parameters by name"
            yield Unfollowed(path, one.lineno, reason)
    yield from starmap(Unfollowed, find_computed_lookups(repo, path, function))
    owner = repo.index.source(path).class_of(function)
    if owner is None:
        return
    if function.name == "__call__":
        yield Unfollowed(path, function.lineno, f"where objects of {owner.name} are called is not known")
    elif not function.name.startswith("_") and bases_know(repo, ClassValue(path, owner), function.name):
        reason = f"class {owner.name} has a base outside of the repository that may call {function.name}"
        yield Unfollowed(path, function.lineno, reason)


def is_called_by_python(function: Function) -> bool:
    """Whether it is a special method whose arguments the language decides."""
    name = function.name
    return name.startswith("__") and name.endswith("__") and name not in BY_OBJECT


def words_of_calls(repo: Repository, path: str, node: Function) -> set[str]:
    """One of these stands in each file that calls a function."""
    owner = repo.index.source(path).class_of(node) if node.name in BY_OBJECT else None
    if owner is None:
        return {node.name}
    return {cls.node.name for cls in repo.classes.descendants(ClassValue(path, owner))} | _OF_CLASS


def _look(
    out: Sites,
    path: str,
    call: ast.Call,
    values: Iterable[Value],
    meant: Callable[[Value], tuple[Function, bool] | None],
    words: set[str],
) -> None:
    found = False
    others: list[Value] = []
    for value in values:
        if _note(out, path, call, meant(value)):
            found = True
        elif value is not NONE:
            others.append(value)
    named = last_name(call.func) in words
    if found and any(item is not UNKNOWN or not named for item in others):
        out.shared.append(CallSite(path, call, None, bound=False))
    if named and not found and any(item is UNKNOWN for item in others):
        out.unknown.append(CallSite(path, call, None, bound=False))


def _note(
    out: Sites, path: str, call: ast.Call, found: tuple[Function, bool] | None, *, partial: bool = False
) -> bool:
    if found is not None:
        out.sites.append(CallSite(path, call, *found, partial))
    return found is not None


def wanted_function(repo: Repository, value: Value, wanted: set[int]) -> tuple[Function, bool] | None:
    """The wanted function that a call of a value runs, and whether the receiver fills its first parameter."""
    bound = False
    node: ast.AST | None = None
    if isinstance(value, FunctionValue):
        node, bound = value.node, value.bound
    elif isinstance(value, InstanceValue):
        member = repo.classes.lookup(value.of, "__call__")
        node, bound = member[1] if member is not None else None, True
    elif isinstance(value, ClassValue):
        for name in ("__init__", "__new__"):
            member = repo.classes.lookup(value, name)
            if member is not None and id(member[1]) in wanted:
                node, bound = member[1], True
                break
    if node is None or id(node) not in wanted or not isinstance(node, Function):
        return None
    return node, bound


def find_words(scopes: Scopes, words: Iterable[str]) -> list[tuple[ast.Name | ast.Attribute, Scope]]:
    """Where a file has one of the names as an attribute or as the value of a name, with the scopes."""
    uses: list[tuple[ast.Name | ast.Attribute, Scope]] = []
    for word in sorted(words):
        uses += [(item.node, item.scope) for item in scopes.attributes_by_name.get(word, ())]
        named = (item for item in scopes.by_name.get(word, ()) if item.role is Role.LOAD)
        uses += [(item.node, item.scope) for item in named if isinstance(item.node, ast.Name)]
    return uses


def uses_as_value(repo: Repository, words: set[str], wanted: set[int]) -> Iterator[tuple[str, ast.expr]]:
    """Uses of functions that are no calls: passed on, stored, decorated."""
    for path in repo.index.files_with(*words):
        scopes = repo.index.scopes(path)
        partial = (node for name in _PARTIAL for _, node in scopes.calls_by_name.get(name, ()))
        given = {id(node.args[0]) for node in partial if node.args}
        for node, scope in find_words(scopes, words):
            if id(node) in scopes.called or id(node) in given:
                continue
            for value in repo.infer.values(path, node, scope):
                if isinstance(value, FunctionValue) and id(value.node) in wanted:
                    yield path, node
                made = isinstance(value, ClassValue) and is_passed_on(scopes.source, node)
                if made and wanted_function(repo, value, wanted) is not None:
                    yield path, node


def is_passed_on(source: Source, node: ast.expr) -> bool:
    """Whether a class is given to something that may make an object of it: no type, base or test of one."""
    for below, one in source.climb(node):
        if isinstance(one, ast.Call):
            return below is not one.func and last_name(one.func) not in _ASK_FOR_TYPES
        if isinstance(one, ast.Assign | ast.AnnAssign | ast.Return | ast.Raise | ast.keyword | ast.arguments):
            return below is not getattr(one, "annotation", None)
        if not isinstance(one, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.IfExp | ast.BoolOp):
            return False
    return False


_READING = word_set(
    "signature getfullargspec getcallargs get_type_hints get_annotations co_varnames co_argcount __code__"
    " __annotations__"
)


def find_parameter_readers(repo: Repository, uses: Iterable[tuple[str, ast.expr]]) -> Iterator[Unfollowed]:
    """The calls that functions are given to, of those uses as a value, which may read what they take."""
    for path, node in uses:
        parents = repo.index.source(path).parents
        call = parents.get(node)
        call = parents.get(call) if isinstance(call, ast.keyword) else call
        if isinstance(call, ast.Call) and call.func is not node and _reads(repo, path, call):
            yield Unfollowed(path, call.lineno, f"{ast.unparse(call.func)}(…) may look at its parameters")


def _reads(repo: Repository, path: str, call: ast.Call) -> bool:
    if last_name(call.func) in _READING:
        return True
    values = repo.infer.values(path, call.func, repo.index.scopes(path).scope_at[call])
    homes = {value.path for value in values if isinstance(value, FunctionValue)}
    return not homes.isdisjoint(repo.index.files_with(*_READING)) if homes else False
