"""Which errors the expressions of a function can raise, and under which condition each of them does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from spark_tui.intent.facts.optional_values import optional
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import ORDERED, walk
from spark_tui.pysource.words import word_set

_KEY, _INDEX = ("KeyError", "LookupError"), ("IndexError", "LookupError")
_VALUE, _ZERO = ("ValueError",), ("ZeroDivisionError", "ArithmeticError")
_NONE, _FILE = ("AttributeError", "TypeError"), ("FileNotFoundError", "OSError", "IOError")
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript)
_FILE_CALLS = word_set("open os.remove os.unlink os.listdir os.stat os.path.getsize os.path.getmtime")
_PATH_METHODS = ("read_text", "read_bytes", "unlink", "open", "stat", "iterdir")
_SEQUENCES = word_set("list tuple deque List Tuple UserList MutableSequence Sequence")
_OF_SOME = ("random.choice", "choice", "heapq.heappop", "heappop")
_OF_MOST = ("max", "min", "statistics.mean", "mean", "statistics.median", "median")


@dataclass(frozen=True, eq=False)
class Failure:
    """An expression that raises one of some errors where a condition holds."""

    errors: tuple[str, ...]
    condition: str
    node: ast.AST
    about: tuple[ast.AST, ...]
    """What the condition looks at."""
    weight: float = 1.0
    again: tuple[ast.AST, ...] = ()
    """Further expressions that fail where it holds."""


def own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or loop, in the order of the text, without those of functions inside of it."""
    inner = {
        item for node in walk(root) if node is not root and isinstance(node, Function) for item in walk(node)
    }
    found = [node for node in walk(root) if node not in inner and hasattr(node, "lineno")]
    yield from sorted(found, key=lambda item: (getattr(item, "lineno", 0), getattr(item, "col_offset", 0)))


def _filled(source: Source) -> set[str]:
    """The names of dictionaries that have a value for every key."""
    out = set[str]()
    for node in source.statements:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            goals = node.targets if isinstance(node, ast.Assign) else [node.target]
            if ast.unparse(node.value.func).rpartition(".")[2] in ("defaultdict", "Counter"):
                out.update(map(ast.unparse, goals))
    return out


@lru_cache(maxsize=8)
def failures(source: Source, root: ast.AST) -> tuple[Failure, ...]:
    """All that can fail in a function or loop, in the order of the text; the same condition once."""
    nodes = list(own_nodes(root))
    indexed = _by_number(nodes) | _own_sequence(source, root)
    maybe, filled = optional(source, root), _filled(source)
    out: dict[str, Failure] = {}
    for node in nodes:
        of_none = (one for one in _of_none(node, maybe) if not _is_tested(source, one))
        for failure in (*_of(node, indexed, nodes), *of_none):
            if isinstance(failure.node, ast.Subscript) and ast.unparse(failure.node.value) in filled:
                continue
            known = out.get(failure.condition)
            if known is None:
                made = replace(failure, condition=_quoted(source, failure.condition))
            else:
                made = replace(known, again=(*known.again, failure.node))
            out[failure.condition] = made
    return tuple(out.values())


def _is_tested(source: Source, failure: Failure) -> bool:
    """Whether what may be None stands in a branch in which it is not."""
    for below, at in source.climb(failure.node):
        if isinstance(at, ast.If | ast.While) and below in at.body:
            test = at.test
            by_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot)
            asked = test.left if by_none and isinstance(test, ast.Compare) else test
            if ast.dump(asked) in map(ast.dump, failure.about[:1]):
                return True
    return False


def _quoted(source: Source, code: str) -> str:
    """The code with the quotes of the file."""
    double = source.text.count('"') >= source.text.count("'")
    return code.replace("'", '"') if double and '"' not in code else code


def _of(node: ast.AST, indexed: set[str], nodes: list[ast.AST]) -> Iterator[Failure]:
    if isinstance(node, ast.Subscript):
        stored = isinstance(node.ctx, ast.Store)
        added = any(isinstance(inner, ast.AugAssign) and inner.target is node for inner in nodes)
        if not stored or added:
            yield from _item(node, indexed)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        yield from _division(node)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        yield from _unpacked(node, node.targets[0])
    elif isinstance(node, ast.Call):
        yield from _called(node)


def _by_number(nodes: list[ast.AST]) -> set[str]:
    """What is looked at by number, and so is a sequence."""
    out = set()
    for node in nodes:
        if isinstance(node, ast.Subscript) and (
            isinstance(node.slice, ast.Slice) or _number(node.slice) is not None
        ):
            out.add(ast.unparse(node.value))
    return out


def _own_sequence(source: Source, root: ast.AST) -> set[str]:
    """The name of the object of a method whose class is a list or the like: what it has are no keys."""
    owner = source.class_of(root) if isinstance(root, Function) else None
    bases = (
        {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in owner.bases} if owner else set()
    )
    given = parameters(root)[:1] if isinstance(root, Function) and bases & _SEQUENCES else []
    return {item.arg for item in given}


def _number(node: ast.AST) -> int | None:
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Constant) and isinstance(inner.value, int):
        return sign * inner.value
    return None


def _item(node: ast.Subscript, indexed: set[str]) -> Iterator[Failure]:
    """A key that is not there, or an index after the end."""
    owner, index = node.value, node.slice
    if not isinstance(owner, _PLAIN) or isinstance(index, ast.Slice):
        return
    shown = ast.unparse(owner)
    at = _number(index)
    if at is not None:
        least = at + 1 if at >= 0 else -at
        short = f"not {shown}" if least == 1 else f"len({shown}) < {least}"
        yield Failure(_INDEX, short, node, (owner,))
        return
    if not isinstance(index, (*_PLAIN, ast.Constant, ast.Tuple, ast.Call)):
        return
    if shown not in indexed:
        weight = 0.6 if isinstance(index, ast.Constant) else 1.0  # what is written out is there mostly
        yield Failure(_KEY, f"{ast.unparse(index)} not in {shown}", node, (index, owner), weight)
    if isinstance(index, ast.Name | ast.Attribute):
        yield Failure(_INDEX, f"{ast.unparse(index)} >= len({shown})", node, (index, owner), 0.8)


def _division(node: ast.BinOp) -> Iterator[Failure]:
    below = node.right
    text = isinstance(node.op, ast.Mod) and (
        isinstance(node.left, ast.JoinedStr)
        or (isinstance(node.left, ast.Constant) and isinstance(node.left.value, str))
    )
    if text or isinstance(below, ast.Constant | ast.Tuple | ast.Dict):
        return
    sized = _only_argument(below) if _called_as(below) == "len" else None
    condition = f"not {ast.unparse(sized)}" if sized is not None else f"{ast.unparse(below)} == 0"
    yield Failure(_ZERO, condition, node, (sized or below,))


def _unpacked(node: ast.Assign, target: ast.Tuple) -> Iterator[Failure]:
    """Another number of values than of names."""
    value, many = node.value, len(target.elts)
    if any(isinstance(element, ast.Starred) for element in target.elts):
        return
    if isinstance(value, ast.Name | ast.Attribute):
        yield Failure(_VALUE, f"len({ast.unparse(value)}) != {many}", node, (value,))
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and many == 2 and value.args:
        owner = value.func.value
        if value.func.attr in ("split", "rsplit") and isinstance(owner, ast.Name | ast.Attribute):
            missing = f"{ast.unparse(value.args[0])} not in {ast.unparse(owner)}"
            yield Failure(_VALUE, missing, node, (owner,))


def _called(node: ast.Call) -> Iterator[Failure]:
    called, given = _called_as(node), node.args
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    first = given[0] if given and isinstance(given[0], _PLAIN) else None
    named = {keyword.arg for keyword in node.keywords}
    if (
        isinstance(owner, _PLAIN)
        and method in ("pop", "popleft")
        and (not given or _number(given[0]) is not None)
    ):
        yield Failure((*_INDEX, "KeyError"), f"not {ast.unparse(owner)}", node, (owner,))
    elif isinstance(owner, _PLAIN) and method == "pop" and len(given) == 1 and first is not None:
        yield Failure(_KEY, f"{ast.unparse(first)} not in {ast.unparse(owner)}", node, (first, owner))
    elif (
        isinstance(owner, _PLAIN)
        and method in ("remove", "index")
        and first is not None
        and called not in _FILE_CALLS
    ):
        errors = (*_VALUE, "KeyError")
        yield Failure(errors, f"{ast.unparse(first)} not in {ast.unparse(owner)}", node, (first, owner))
    elif called in _OF_SOME and first is not None:
        yield Failure(_INDEX, f"not {ast.unparse(first)}", node, (first,))
    elif called in _OF_MOST and len(given) == 1 and first is not None and "default" not in named:
        yield Failure((*_VALUE, "StatisticsError"), f"not {ast.unparse(first)}", node, (first,))
    elif called in ("int", "float") and first is not None:
        yield Failure(_VALUE, f"not {ast.unparse(first)}.isdigit()", node, (first,), 0.6)
    elif called in _FILE_CALLS and given and isinstance(given[0], (*_PLAIN, ast.Call)) and _reads(node):
        yield Failure(_FILE, f"not os.path.exists({ast.unparse(given[0])})", node, (given[0],))
    elif isinstance(owner, ast.Name) and method in _PATH_METHODS and owner.id not in ("os", "json", "self"):
        yield Failure(_FILE, f"not {owner.id}.exists()", node, (owner,), 0.8)
    elif _called_as(owner) in ("Path", "pathlib.Path") and owner is not None and method in _PATH_METHODS:
        yield Failure(_FILE, f"not {ast.unparse(owner)}.exists()", node, (owner,))


def _reads(node: ast.Call) -> bool:
    """Whether a file that is opened has to be there."""
    mode = (
        node.args[1]
        if len(node.args) > 1
        else next((k.value for k in node.keywords if k.arg == "mode"), None)
    )
    return not (isinstance(mode, ast.Constant) and str(mode.value)[:1] in ("w", "a", "x"))


def _called_as(node: ast.AST | None) -> str:
    return (
        ast.unparse(node.func)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        else ""
    )


def _only_argument(node: ast.expr) -> ast.expr | None:
    return node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None


def _of_none(node: ast.AST, maybe: dict[str, tuple[ast.AST, ...]]) -> Iterator[Failure]:
    """Something is asked of a value that may be None."""
    inner: ast.AST | None = None
    if isinstance(node, ast.Attribute | ast.Subscript):
        inner = node.value
    elif isinstance(node, ast.Call):
        inner = node.func
    elif isinstance(node, ast.For):
        inner = node.iter
    elif isinstance(node, ast.BinOp) or (isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERED)):
        inner = node.left
    if isinstance(inner, ast.Name | ast.Attribute) and (shown := ast.unparse(inner)) in maybe:
        yield Failure(_NONE, f"{shown} is None", node, (inner, *maybe[shown]))
