"""Python's parser, for one thread at a time, and its compiler.

Goes out: `parse_code`, which is `ast.parse`, where code that is nested too deep is a RecursionError. Some
versions of Python count how deep a tree is in one place for all threads: two that parse at once may fail
(*AST constructor recursion depth mismatch*). Here files are read ahead while others are asked about.
"""

from __future__ import annotations

import ast
import functools
import threading
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeGuard, TypeVar, cast

from spark_tui.pysource.words import word_set

BOM = "\ufeff"
_Parse = TypeVar("_Parse", bound=Callable[..., Any])
_LOCK = threading.RLock()
_PLAIN_FIELDS = word_set(
    "arg asname attr conversion ctx id is_async kind level module name rest simple type_comment"
)
"""Fields of nodes that hold text, numbers, or how a name is used."""
_NODE_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""The other fields of the kinds of nodes that were met."""
_MIXED_LISTS = {"names", "keys", "kw_defaults", "kwd_attrs"}
"""Fields whose lists may hold other things than nodes."""
_SUITES = ("body", "handlers", "orelse", "finalbody", "cases")
_SUITE_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""Which of these the kinds of nodes have that were met."""


def _one_at_a_time(parse: _Parse) -> _Parse:
    @functools.wraps(parse)
    def waiting(*args: Any, **more: Any) -> Any:
        with _LOCK:
            try:
                return parse(*args, **more)
            except MemoryError as error:
                # What Python's parser has to say of code that is nested too deep for its stack.
                raise RecursionError("nested too deep") from error

    return cast(_Parse, waiting)


parse_code = _one_at_a_time(ast.parse)


def parse_expression(text: str) -> ast.expr | None:
    """The tree of an expression, which may go over several lines; None where it is none."""
    try:
        return parse_code(f"({text}\n)", mode="eval").body if text.strip() else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def parse(text: str) -> ast.Module | None:
    """The tree, or None where the text does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_code(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parse_value(text: str) -> ast.expr | None:
    """The tree of an expression that stands alone as it is; None where the text is none."""
    try:
        return parse_code(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def compiles(code: str | bytes | ast.Module, flags: int = 0) -> bool:
    """Whether code compiles, which is more than that it parses: a `continue` outside of a loop does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "file", "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@functools.lru_cache(maxsize=16)
def compile_error(text: str) -> SyntaxError | None:
    """Why a file would not compile; None where it does. It also finds what has a tree: a parameter that is
    named twice, a `return` outside of a function, a `nonlocal` that binds nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text.removeprefix(BOM), "file", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.with_traceback(None)
    except (ValueError, RecursionError, MemoryError) as error:
        return SyntaxError(str(error) or "too large")
    return None


def walk(root: ast.AST) -> list[ast.AST]:
    """The nodes of a tree as `ast.walk` has them, without the contexts of names, in a third of its time."""
    found = [root]
    for node in found:
        kind = type(node)
        fields = _NODE_FIELDS.get(kind)
        if fields is None:
            fields = _NODE_FIELDS[kind] = _node_fields(kind)
        # As `children` has it: a call for each node would take as long as all the rest.
        for name in fields:
            child = getattr(node, name, None)
            if type(child) is not list:
                if isinstance(child, ast.AST):
                    found.append(child)
            elif name in _MIXED_LISTS:
                found += [inner for inner in child if isinstance(inner, ast.AST)]
            else:
                found += child
    return found


def walk_lines(node: ast.AST, lines: Sequence[int]) -> list[ast.AST]:
    """The nodes of a tree without the statements that are on none of some lines, which are sorted."""
    out: list[ast.AST] = []
    found = [node]
    for inner in found:
        if isinstance(inner, ast.stmt):
            decorators = getattr(inner, "decorator_list", ())
            first = min(inner.lineno, decorators[0].lineno) if decorators else inner.lineno
            at = bisect_left(lines, first)
            if at == len(lines) or lines[at] > (inner.end_lineno or 0):
                continue
        out.append(inner)
        if _NODE_FIELDS.get(type(inner)) != ():
            found += children(inner)
    return out


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, as `ast.iter_child_nodes` gives them, but for the contexts of names."""
    fields = _NODE_FIELDS.get(type(node))
    if fields is None:
        fields = _NODE_FIELDS[type(node)] = _node_fields(type(node))
    out: list[ast.AST] = []
    for name in fields:
        child = getattr(node, name, None)
        if type(child) is not list:
            if isinstance(child, ast.AST):
                out.append(child)
        elif name in _MIXED_LISTS:
            out += [inner for inner in child if isinstance(inner, ast.AST)]
        else:
            out += child
    return out


def parents_below(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The nodes below one in the order of `walk`, each with the node that holds it."""
    out: dict[ast.AST, ast.AST] = {}
    todo = [tree]
    for node in todo:
        kind = type(node)
        fields = _NODE_FIELDS.get(kind)
        if fields is None:
            fields = _NODE_FIELDS[kind] = _node_fields(kind)
        for name in fields:
            child = getattr(node, name, None)
            if child is None:
                continue
            if type(child) is list:
                if name in _MIXED_LISTS:
                    child = [inner for inner in child if isinstance(inner, ast.AST)]
                for item in child:
                    out[item] = node
                todo += child
            elif isinstance(child, ast.AST):
                out[child] = node
                todo.append(child)
    return out


def parents_of_statements(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The statements, handlers and cases below a node, each with what holds it: found in a fraction of the
    time that the parents of all nodes take."""
    out: dict[ast.AST, ast.AST] = {}
    todo = [tree]
    for node in todo:
        for suite in suites(node):
            out.update(dict.fromkeys(suite, node))
            todo += [inner for inner in suite if _SUITE_FIELDS.get(type(inner), _SUITES)]
    return out


def suites(node: ast.AST) -> list[list[Any]]:
    """The lists of statements, handlers and cases of a node."""
    return [getattr(node, name, []) for name in _suite_fields(node)]


def targets(node: ast.AST | None) -> list[ast.expr]:
    """What a statement sets that has targets: an assignment, or the head of a loop."""
    one = getattr(node, "target", None)
    return node.targets if isinstance(node, ast.Assign) else [one] if isinstance(one, ast.expr) else []


def values_set(nodes: Iterable[ast.AST], name: str) -> Iterator[ast.expr]:
    """What the assignments among some nodes set a name or an attribute to."""
    for node in nodes:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is not None and any(_is_written(target, name) for target in targets(node)):
            yield value


def _is_written(target: ast.expr, text: str) -> bool:
    """Whether a target is this text; only what may be is written: to write each of a file takes long."""
    if isinstance(target, ast.Name):
        return target.id == text
    return not text.isidentifier() and ast.unparse(target) == text


def _suite_fields(node: ast.AST) -> tuple[str, ...]:
    fields = _SUITE_FIELDS.get(type(node))
    if fields is None:
        kind = type(node)
        has_code = not issubclass(kind, ast.Lambda | ast.IfExp)
        fields = _SUITE_FIELDS[kind] = tuple(item for item in _SUITES if item in kind._fields and has_code)
    return fields


def text_in(node: ast.AST | None) -> str:
    """The value of a string literal; of any other node an empty one."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_text(statement: ast.AST | None) -> TypeGuard[ast.Expr]:
    """Whether a statement is nothing but a text, as docstrings are."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def statements_below(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements below a node, those in the suites of others too, in the order of the text."""
    todo = [stmt for suite in suites(node) for stmt in suite][::-1]
    while todo:
        one = todo.pop()
        if isinstance(one, ast.stmt):
            yield one
        if _SUITE_FIELDS.get(type(one), _SUITES):
            todo += [stmt for suite in suites(one) for stmt in suite][::-1]


def _node_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes."""
    if issubclass(kind, ast.Constant):
        return ()
    # The name of `type Name = …` is a node.
    plain = _PLAIN_FIELDS if "value" not in kind._fields else _PLAIN_FIELDS - {"name"}
    return tuple(field for field in kind._fields if field not in plain)


def positional(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """The parameters that can be given by their place, those that only can be so first."""
    return [*function.args.posonlyargs, *function.args.args]


def receiver(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The first parameter that is given by its place: `self` of a method; empty where there is none."""
    return next((one.arg for one in positional(function)), "")
