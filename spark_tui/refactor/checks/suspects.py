"""Where in a function trouble of one sort can come from.

Comes in: a function and a sort of trouble. Goes out: the places, each with what would have to be asked before or caught.
Must not know: orders, what is done then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from spark_tui.refactor.checks.trouble import Trouble
from spark_tui.refactor.naming import parts
from spark_tui.refactor.source import Change, Function, Source, parameters


@dataclass(frozen=True, slots=True)
class Suspect:
    """`test` asks before whether it goes wrong; `error` is what comes where it does; `made` is a change that ends it by
    itself. `usual` is what one gives back where nobody says what. The guard stands behind `behind`, else before the
    statement."""

    kind: str
    node: ast.AST
    statement: ast.stmt
    test: str | None = None
    error: str | None = None
    usual: str | None = None
    made: list[Change] | None = None
    behind: ast.stmt | None = None
    words: frozenset[str] = frozenset()


def suspects(src: Source, function: Function, kind: str, trouble: Trouble) -> Iterator[Suspect]:
    """Places of one function, its inner functions left out."""
    find = _FIND.get(kind)
    if find is None:
        return
    seen: set[tuple[str, int]] = set()
    for node in ast.walk(function):
        if src.function_of(node) is not function:
            continue
        statement = src.statement(node)
        if statement is None or statement is function or src.first_line(statement) == src.first_line(function):
            continue
        for one in find(Spot(src, function, node, statement, trouble)):
            mark = (one.test or ast.unparse(one.node), src.first_line(statement))
            if mark not in seen:
                seen.add(mark)
                yield one


class Spot(NamedTuple):
    """A node, the function and the statement in which it stands, and what is told of the trouble."""

    src: Source
    function: Function
    node: ast.AST
    statement: ast.stmt
    trouble: Trouble


Find = Callable[[Spot], Iterator[Suspect]]


def _words(node: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            found |= set(parts(one.id))
        elif isinstance(one, ast.Attribute):
            found |= set(parts(one.attr))
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            found |= set(parts(one.value))
    return frozenset(found - {"self"})


def _zero(at: Spot) -> Iterator[Suspect]:
    src, node, statement = at.src, at.node, at.statement
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        return
    if isinstance(node.right, ast.Constant) or isinstance(node.left, ast.JoinedStr):
        return
    if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        return
    below = node.right
    length = (
        isinstance(below, ast.Call)
        and isinstance(below.func, ast.Name)
        and below.func.id == "len"
        and len(below.args) == 1
    )
    if length and isinstance(below, ast.Call) and isinstance(below.args[0], ast.Name | ast.Attribute):
        yield Suspect("zero", node, statement, test=f"not {src.segment(below.args[0])}", usual="0", words=_words(below))
    elif isinstance(below, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        yield Suspect("zero", node, statement, test=f"{src.segment(below)} == 0", usual="0", words=_words(below))


_FIRST = ("max", "min", "random.choice", "choice", "statistics.mean", "statistics.median", "mean", "median")


def _index(at: Spot) -> Iterator[Suspect]:
    src, node, statement = at.src, at.node, at.statement
    of: ast.expr | None = None
    if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func) in _FIRST:
        of = node.args[0] if not any(one.arg == "default" for one in node.keywords) else None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "popleft"):
        numbered = [one for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, int)]
        of = node.func.value if len(node.args) == len(numbered) <= 1 else None
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        number = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
        if isinstance(number, ast.Constant) and isinstance(number.value, int):
            if ast.unparse(node.value) == "sys.argv":
                test = f"len(sys.argv) < {number.value + 1}"
                yield Suspect("index", node, statement, test=test, words=frozenset(["argument", "arg", "argv"]))
                return
            of = node.value if number.value in (0, 1) else None
    if isinstance(of, ast.Name | ast.Attribute):
        bound = any(
            isinstance(one, ast.For | ast.comprehension) and src.segment(of) in ast.unparse(one.target)
            for one in src.ancestors(node)
        )
        if not bound:
            yield Suspect("index", node, statement, test=f"not {src.segment(of)}", usual="None", words=_words(of))


def _empty(at: Spot) -> Iterator[Suspect]:
    yield from _zero(at)
    yield from _index(at)


def _key(at: Spot) -> Iterator[Suspect]:
    src, node, statement, trouble = at.src, at.node, at.statement, at.trouble
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        words = frozenset(parts(node.slice.value))
    elif isinstance(node.slice, ast.Name | ast.Attribute):
        words = _words(node.slice)
    else:
        return
    annotation = any(isinstance(one, ast.arg | ast.AnnAssign) for one in src.ancestors(node))
    if annotation or re.search(r"(?:environ|argv)$", ast.unparse(node.value)):
        return
    key = trouble.match["key"] if trouble.match is not None and trouble.kinds[0] == "key" and trouble.sure else None
    literal = isinstance(node.slice, ast.Constant)
    if key and literal and isinstance(node.slice, ast.Constant) and node.slice.value != key:
        return
    said = set(re.findall(r"[a-z]+|\d+", trouble.said.lower()))
    if not trouble.sure and (not (words & said) or (not literal and "optional" in said)):
        return
    yield Suspect("key", node, statement, words=words)


def _number(at: Spot) -> Iterator[Suspect]:
    node, statement = at.node, at.statement
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("int", "float", "Decimal")
        and len(node.args) == 1
        and not isinstance(node.args[0], ast.Constant)
        and not hasattr(statement, "body")
    ):
        yield Suspect("number", node, statement, error="ValueError", words=_words(node))


def _unpack(at: Spot) -> Iterator[Suspect]:
    src, node, statement = at.src, at.node, at.statement
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple) or len(node.targets[0].elts) != 2:
        return
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "split":
        return
    if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.func.value, ast.Name):
        test = f"{src.segment(call.args[0])} not in {call.func.value.id}"
        yield Suspect("unpack", node, statement, test=test, words=_words(node))
    else:
        yield Suspect("unpack", node, statement, error="ValueError", words=_words(node))


def _file(at: Spot) -> Iterator[Suspect]:
    node, statement = at.node, at.statement
    if isinstance(node, ast.Call) and re.search(r"(?:^|\.)(?:open|read_text|read_bytes|getsize|stat|read_csv|load_workbook)$", ast.unparse(node.func)):  # fmt: skip
        mode = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else "r"
        if not (isinstance(mode, str) and re.match("[wax]", mode)):
            yield Suspect("file", node, statement, error="FileNotFoundError", words=_words(node))
    elif isinstance(node, ast.Call) and not hasattr(statement, "body") and re.search(r"(?:^|\.)(?:remove|unlink|rmtree|getmtime)$", ast.unparse(node.func)) and ast.unparse(node.func).startswith(("os.", "shutil.", "path.")):  # fmt: skip
        yield Suspect("file", node, statement, error="FileNotFoundError", words=_words(node))


def _json(at: Spot) -> Iterator[Suspect]:
    src, node, statement = at.src, at.node, at.statement
    if not isinstance(node, ast.Call) or not re.search(r"^json\.loads?$|\.json$", ast.unparse(node.func)):
        return
    around = [one for one in src.ancestors(node) if isinstance(one, ast.With)]
    error = "json.JSONDecodeError" if re.search(r"^import json\b", src.text, re.M) else "ValueError"
    yield Suspect("json", node, around[0] if around else statement, error=error, words=_words(node))


def _exists(at: Spot) -> Iterator[Suspect]:
    src, node, statement = at.src, at.node, at.statement
    if not isinstance(node, ast.Call) or any(one.arg in ("exist_ok", "dirs_exist_ok") for one in node.keywords):
        return
    called = ast.unparse(node.func)
    end = src.span(node)[1] - 1
    if called == "os.mkdir" and len(node.args) == 1:
        made = [(*src.span(node.func), "os.makedirs"), (end, end, ", exist_ok=True")]
    elif called == "os.makedirs" and node.args:
        made = [(end, end, ", exist_ok=True")]
    elif called == "shutil.copytree" and len(node.args) == 2:
        made = [(end, end, ", dirs_exist_ok=True")]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "mkdir" and not node.args:
        made = [(end, end, ", exist_ok=True" if node.keywords else "exist_ok=True")]
    else:
        return
    yield Suspect("exists", node, statement, made=made, words=_words(node))


def _none(at: Spot) -> Iterator[Suspect]:
    src, function, node, statement, trouble = at.src, at.function, at.node, at.statement, at.trouble
    told = trouble.match.groupdict() if trouble.match is not None else {}
    of: ast.expr | None = None
    reached = isinstance(node, ast.Attribute) and told.get("attr") == node.attr
    if reached or (isinstance(node, ast.Subscript) and told.get("how") == "subscriptable"):
        assert isinstance(node, ast.Attribute | ast.Subscript)
        of = node.value
    elif isinstance(node, ast.For) and told.get("how") == "iterable":
        of = node.iter
    elif isinstance(node, ast.Compare) and told.get("op") and len(node.ops) == 1:
        of = node.left if isinstance(node.left, ast.Name) else node.comparators[0]
    elif isinstance(node, ast.BinOp) and told.get("sign"):
        of = node.left if isinstance(node.left, ast.Name) else node.right
    if not isinstance(of, ast.Name):
        return
    made = [
        one
        for one in ast.walk(function)
        if isinstance(one, ast.Assign) and [ast.unparse(each) for each in one.targets] == [of.id]
    ]
    given = of.id in {one.arg for one in parameters(function)}
    if len(made) > 1 or (made and isinstance(made[0].value, ast.List | ast.Dict | ast.Constant)):
        return
    if made and src.last_line(made[0]) <= src.first_line(statement):
        yield Suspect("none", of, statement, test=f"{of.id} is None", behind=made[0], words=_words(of))
    elif given and not made:
        first = next((one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))), statement)  # fmt: skip
        yield Suspect("none", of, first, test=f"{of.id} is None", words=_words(of))


def _gone(at: Spot) -> Iterator[Suspect]:
    src, node, statement = at.src, at.node, at.statement
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("remove", "index"):
        of = node.func.value
        if len(node.args) == 1 and isinstance(of, ast.Name | ast.Attribute) and ast.unparse(of) not in ("os", "shutil"):
            test = f"{src.segment(node.args[0])} not in {src.segment(of)}"
            yield Suspect("gone", node, statement, test=test, words=_words(node))


def _blank(at: Spot) -> Iterator[Suspect]:
    node = at.node
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.body[0].lineno != node.lineno:
        name = node.target.id
        if parts(name)[-1:] in (["line"], ["row"], ["l"]):
            yield Suspect(
                "blank", node, node.body[0], test=f"not {name}.strip()" if "row" not in name else f"not {name}"
            )


_COUNTED = ("len", "int", "float", "sum", "round", "max", "min", "abs", "count")


def _text(at: Spot) -> Iterator[Suspect]:
    """A chain of `+` with a text in it: what is no text is made one."""
    src, function, node, statement = at.src, at.function, at.node, at.statement
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return
    parent = src.parents.get(node)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add):
        return
    links: list[ast.expr] = []
    todo: list[ast.expr] = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add):
            todo += [one.right, one.left]
        else:
            links.append(one)
    if not any(isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str)) for one in links):  # fmt: skip
        return
    numbers: list[ast.expr] = [
        one
        for one in links
        if (isinstance(one, ast.Call) and ast.unparse(one.func).rpartition(".")[2] in _COUNTED)
        or (isinstance(one, ast.Constant) and isinstance(one.value, int | float))
        or isinstance(one, ast.BinOp)
    ]
    if not numbers:
        numbers = [one for one in links if isinstance(one, ast.Name | ast.Attribute | ast.Subscript)]
        if len(numbers) > 1:
            stored = {
                ast.unparse(one.targets[0])
                for one in ast.walk(function)
                if isinstance(one, ast.Assign)
                and (isinstance(one.value, ast.BinOp) or (isinstance(one.value, ast.Call) and ast.unparse(one.value.func) in _COUNTED) or (isinstance(one.value, ast.Constant) and isinstance(one.value.value, int | float)))
            }  # fmt: skip
            stored |= {one.arg for one in parameters(function) if one.annotation is not None and ast.unparse(one.annotation) in ("int", "float")}  # fmt: skip
            numbers = [one for one in numbers if ast.unparse(one) in stored]
    if numbers:
        made = [(*src.span(one), f"str({src.segment(one)})") for one in numbers]
        yield Suspect("text", node, statement, made=made, words=_words(node))


_FIND: dict[str, Find] = {
    "zero": _zero, "index": _index, "empty": _empty, "key": _key, "number": _number, "unpack": _unpack, "blank": _blank, "file": _file,
    "json": _json, "exists": _exists, "none": _none, "gone": _gone, "text": _text,
}  # fmt: skip
