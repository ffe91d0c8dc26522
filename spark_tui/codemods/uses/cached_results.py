"""What may go wrong when the results of a function are kept by a cache."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import TypeGuard

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.callsites import call_sites
from spark_tui.pysource.inference.known_types import CHANGING
from spark_tui.pysource.inference.values import FunctionValue, InstanceValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import receiver, targets, values_set
from spark_tui.pysource.words import word_set

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MUTABLE_HINT = re.compile(
    r"(?i)\b(any|object|list|dict|set|mutable\w+|bytearray|defaultdict|sequence|collection|mapping"
    r"|iterable)\b"
)
"""Types of which some values, or all, cannot be hashed."""
_MAKERS = word_set("bytearray defaultdict deque dict list set sorted Counter OrderedDict")
_MUTABLE_RESULT = re.compile(rf"(?i)\b({'|'.join(_MAKERS - {'sorted'})}|mutable\w+)\b")
_LIST_METHODS = word_set("split rsplit splitlines readlines findall fetchall copy loads load")
"""Methods that mostly give a new list or dictionary."""
_ONCE = word_set("map filter zip enumerate iter reversed open")
_TAKING_ALL = word_set(
    "all any dict enumerate filter frozenset len list map max min reversed set sorted sum tuple zip join"
    " parse_args parse_known_args"
)
"""What takes the items of its arguments."""
_OUTSIDE = word_set(
    "open print input time monotonic perf_counter now today utcnow random randint choice uuid4 getenv exists"
    " is_file is_dir stat listdir read_text read_bytes write write_text write_bytes urlopen execute commit"
    " debug info warning error exception getcwd cwd gethostname getpid getsignal current_thread current_task"
    " get_ident get_running_loop get_event_loop"
)
"""What tells or changes something outside of the program, or differs from call to call."""
_BUILDERS = word_set("__init__ __new__ __post_init__")
_USED_UP = "what it gives is used up by the first who gets it"
_SHARED = "every caller gets the same object, and may change it"


def cache_doubts(
    repo: Repository, source: Source, node: Function, *, on_object: bool
) -> Iterator[Unfollowed]:
    """Why a result cannot be kept, or why a kept one may be wrong: it is used up, shared or stale, or the
    arguments cannot be keys (with `on_object` the object holds it, and needs no key)."""
    own = source.own_nodes(node)
    yields = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in own)
    if isinstance(node, ast.AsyncFunctionDef) or yields:
        yield Unfollowed(source.path, node.lineno, _USED_UP)
    elif all(inner.value is None for inner in own if isinstance(inner, ast.Return)):
        yield Unfollowed(source.path, node.lineno, "it gives no result that could be kept")
    hints = [ast.unparse(item.annotation) for item in parameters(node) if item.annotation is not None]
    names = {item.arg for item in parameters(node)}
    if any(_MUTABLE_HINT.search(hint) for hint in hints) or any(_is_for_mutable(item, names) for item in own):
        yield Unfollowed(source.path, node.lineno, "arguments of these types cannot be kept as keys")
    elif plain := _taken_apart(node, own):
        yield Unfollowed(source.path, node.lineno, f"{plain} may be a list, which cannot be kept as a key")
    for site in call_sites(repo, [(source.path, node)]).sites:
        given = [*site.call.args, *(keyword.value for keyword in site.call.keywords)]
        where = repo.index.source(site.path)
        caller = where.function_of(site.call)
        known = where.own_nodes(caller) if caller is not None else ()
        if any(isinstance(arg, _MUTABLE) or _is_made(arg, known) for arg in given):
            yield Unfollowed(site.path, site.call.lineno, "an argument of this call cannot be kept as a key")
    if outside := next(
        (item for item in own if _is_outside(item) or _calls_outside(repo, source, item)), None
    ):
        reason = f"a kept result leaves out what this does: {ast.unparse(outside).splitlines()[0]}"
        yield Unfollowed(source.path, getattr(outside, "lineno", node.lineno), reason)
    if state := _module_state(repo, source, own):
        yield Unfollowed(source.path, node.lineno, f"the kept result is stale where {state} has changed")
    given_back = [inner.value for inner in own if isinstance(inner, ast.Return) and inner.value is not None]
    for item in given_back:
        if isinstance(item, ast.GeneratorExp) or (
            isinstance(item, ast.Call) and last_name(item.func) in _ONCE
        ):
            yield Unfollowed(source.path, item.lineno, _USED_UP)
    shared = [item for item in given_back if _is_shared(repo, source, node, item)]
    for item in shared:
        yield Unfollowed(source.path, item.lineno, _SHARED)
    if node.returns is not None and not shared and _MUTABLE_RESULT.search(ast.unparse(node.returns)):
        yield Unfollowed(source.path, node.lineno, _SHARED)
    if (around := source.function_of(node)) is not None:
        yield Unfollowed(source.path, node.lineno, f"each call of {around.name} makes a new cache")
    holder = source.class_of(node)
    this = receiver(node)
    if holder is None or not this or "staticmethod" in decorator_names(node):
        return
    lacks, why = (
        (_has_slots, "have slots, and none for it") if on_object else (_unhashable, "cannot be kept as keys")
    )
    if lacks(holder):
        yield Unfollowed(source.path, node.lineno, f"objects of {holder.name} {why}")
    if not on_object and "classmethod" not in decorator_names(node):
        reason = f"the cache keeps every object of {holder.name} that it is called on"
        yield Unfollowed(source.path, node.lineno, reason)
    held = (inner.value for inner in own if isinstance(inner, ast.Attribute))
    parts = (item for item in held if _is_member(item, this) and _may_change(repo, source, item))
    if changing_part := next(parts, None):
        reason = f"the kept result is stale where {ast.unparse(changing_part)} has changed"
        yield Unfollowed(source.path, changing_part.lineno, reason)
    methods = [item for item in holder.body if isinstance(item, Function) and item.name not in _BUILDERS]
    for name in sorted({inner.attr for inner in own if _is_member(inner, this)}):
        if changing := next((method for method in methods if _changes(method, name)), None):
            reason = f"the kept result is stale after {changing.name}, which changes {this}.{name}"
            yield Unfollowed(source.path, node.lineno, reason)


def _has_slots(node: ast.ClassDef) -> bool:
    """Whether a class says which attributes its objects have, itself or as a dataclass."""
    options = [option for one in node.decorator_list if isinstance(one, ast.Call) for option in one.keywords]
    named = any(
        isinstance(one, ast.Name) and one.id == "__slots__" for stmt in node.body for one in targets(stmt)
    )
    named = named or any(last_name(base) == "NamedTuple" for base in node.bases)
    return named or any(one.arg == "slots" and ast.unparse(one.value) == "True" for one in options)


def _is_outside(node: ast.AST) -> bool:
    """Whether a node does more than to compute something, or depends on more than arguments."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _OUTSIDE
    return isinstance(node, ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.Attribute) and (node.attr == "environ" or not isinstance(node.ctx, ast.Load))
    )


def _calls_outside(repo: Repository, source: Source, node: ast.AST) -> bool:
    """Whether a node calls a function of the repository that does more than to compute something."""
    if not isinstance(node, ast.Call):
        return False
    found = repo.infer.values(source.path, node.func, repo.index.scopes(source.path).around(node))
    called = [(repo.index.source(one.path), one.node) for one in found if isinstance(one, FunctionValue)]
    return any(_is_outside(inner) for where, one in called for inner in where.own_nodes(one))


def _module_state(repo: Repository, source: Source, own: Collection[ast.AST]) -> str:
    """The first name of the module that is read and that something changes after it is made."""
    scopes = repo.index.scopes(source.path)
    for item in own:
        if (
            not isinstance(item, ast.Name)
            or item.id not in scopes.module.bound
            or not isinstance(item.ctx, ast.Load)
        ):
            continue
        variable = scopes.variable(item.id, scopes.module)
        if variable is None or all(load.node is not item for load in variable.loads):
            continue
        again = any(one.scope is not scopes.module for one in variable.bindings)
        outer = (source.parents.get(load.node) for load in variable.loads)
        if again or any(fills(source, one) for one in outer):
            return item.id
    return ""


def fills(source: Source, node: ast.AST | None) -> bool:
    """Whether an item or method of a name changes what it holds."""
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load)
    called = isinstance(node, ast.Attribute) and isinstance(source.parents.get(node), ast.Call)
    return called and getattr(node, "attr", "") in CHANGING


def _taken_apart(function: Function, own: Collection[ast.AST]) -> str:
    """The first parameter of unknown type whose items are used, and that no method of texts is called on."""
    names = [item.arg for item in parameters(function) if item.annotation is None]
    texts = {
        ast.unparse(inner.func.value)
        for inner in own
        if isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Attribute)
        and hasattr(str, inner.func.attr)
    }
    taken: set[str] = set()
    for inner in own:
        match inner:
            case ast.For(iter=value) | ast.comprehension(iter=value) | ast.Subscript(value=value):
                used = [value]
            case ast.Call(func=called, args=given) if last_name(called) in _TAKING_ALL:
                used = given
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=given):
                used = given
            case ast.BinOp(left=one, right=two) if isinstance(one, _MUTABLE) or isinstance(two, _MUTABLE):
                used = [one, two]
            case _:
                continue
        taken |= {item.id for item in used if isinstance(item, ast.Name)}
    return next((name for name in names if name in taken - texts), "")


def _is_shared(repo: Repository, source: Source, function: Function, value: ast.expr, steps: int = 2) -> bool:
    """Whether a result is an object that a caller may change."""
    own = source.own_nodes(function)
    if _is_made(value, own) or _may_change(repo, source, value):
        return True
    if isinstance(value, ast.Name):
        return any(_is_for_mutable(inner, {value.id}, CHANGING) for inner in own)
    if isinstance(value, ast.Attribute) and (holder := source.class_of(function)) is not None:
        return any(_is_made(made, ()) for made in values_set(ast.walk(holder), ast.unparse(value)))
    if not isinstance(value, ast.Call) or not steps:
        return False
    called = repo.infer.values(source.path, value.func, repo.index.scopes(source.path).around(value))
    return any(
        given is not None and _is_shared(repo, repo.index.source(one.path), one.node, given, steps - 1)
        for one in called
        if isinstance(one, FunctionValue)
        for given in repo.index.source(one.path).returned(one.node) or ()
    )


def _is_made(value: ast.expr, own: Collection[ast.AST]) -> bool:
    """Whether a value is a new list, dictionary or set, or a name that is set to one among `own` nodes."""
    match value:
        case ast.Name(id=name):
            return any(
                not isinstance(made, ast.Name) and _is_made(made, ()) for made in values_set(own, name)
            )
        case ast.IfExp(body=one, orelse=two) | ast.BinOp(left=one, right=two):
            return _is_made(one, own) or _is_made(two, own)
        case ast.BoolOp(values=values):
            return any(_is_made(item, own) for item in values)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _LIST_METHODS:
            return True
        case ast.Call(func=called):
            return last_name(called) in _MAKERS
    return isinstance(value, _MUTABLE)


def _is_for_mutable(
    node: ast.AST, names: Collection[str], methods: Collection[str] = CHANGING | {"items", "keys", "values"}
) -> bool:
    """Whether a name is used as only lists, dictionaries and sets are, or asked whether it is one."""
    if isinstance(node, ast.Call) and last_name(node.func) == "isinstance" and len(node.args) == 2:
        asked = _MUTABLE_HINT.search(ast.unparse(node.args[1])) is not None
        return asked and ast.unparse(node.args[0]) in names
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return isinstance(node.slice.value, str) and ast.unparse(node.value) in names
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in methods and ast.unparse(called.value) in names


def _may_change(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether a value may be an object of a class here that has a method to change it."""
    values = repo.infer.values(source.path, node, repo.index.scopes(source.path).around(node))
    found = [value.of.node for value in values if isinstance(value, InstanceValue)]
    return any(
        isinstance(item, Function) and item.name not in _BUILDERS and _changes(item, "")
        for owner in found
        for item in owner.body
    )


def _unhashable(holder: ast.ClassDef) -> bool:
    """Whether a class compares its objects by value and gives them no hash."""
    names = {item.name for item in holder.body if isinstance(item, Function)}
    if "__hash__" in names or "dataclass" not in decorator_names(holder):
        return "__eq__" in names and "__hash__" not in names
    decorator = holder.decorator_list[decorator_names(holder).index("dataclass")]
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    options = {keyword.arg: keyword.value for keyword in keywords}

    def is_set(option: str, otherwise: bool) -> bool:
        value = options.get(option)
        return bool(value.value) if isinstance(value, ast.Constant) else otherwise

    return is_set("eq", True) and not is_set("frozen", False) and not is_set("unsafe_hash", False)


def _changes(method: Function, name: str) -> bool:
    """Whether a method sets an attribute of its object, any if it is not named, or changes what it holds."""
    this = receiver(method)
    for inner in ast.walk(method):
        match inner:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) as changed:
                pass
            case ast.Subscript(value=changed, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Call(func=ast.Attribute(value=changed, attr=called)) if called in CHANGING:
                pass
            case _:
                continue
        if _is_member(changed, this) and name in ("", changed.attr):
            return True
    return False


def _is_member(node: ast.AST, this: str) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == this
