# ruff: noqa: E501 - tables of words and forms read better unbroken
"""Code under another construct: gather for awaits in a row, a while with a walrus, match, a table, a deque, insort, a logger.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.gathers import collected, first_of
from spark_tui.refactor.idioms.naming import constant_place, new_name
from spark_tui.refactor.idioms.text import bodies, has_comment, is_elif, moved, replaced, same
from spark_tui.refactor.source import Change, Source, body_behind_docstring

# -- awaits ------------------------------------------------------------------------------------------------------------


def gathered(asked: Asked) -> Iterator[Spot]:
    """Awaits one after the other, as `asyncio.gather`."""
    src = asked.src
    for node in src.nodes:
        if isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Await) and len(node.generators) == 1:
            end = src.span(node.elt)[1]
            rest = src.text[end : src.span(node)[1] - 1]
            made = f"await asyncio.gather(*({src.segment(node.elt.value)}{rest}))"
            yield Spot(node, ((*src.span(node), made),), (), imports="import asyncio")
        if not isinstance(node, ast.For) or node.orelse or has_comment(src, src.first_line(node), src.last_line(node)):
            continue
        found = _appended(node)
        first = first_of(src, node, found[0]) if found else None
        if found is None or first is None or first.value is None or src.segment(first.value) not in ("[]", "list()"):
            continue
        clause = f"for {src.segment(node.target)} in {src.segment(node.iter)}"
        made_of = ("await asyncio.gather(*(", src.segment(found[1]), (clause,), "))")
        spot = collected(asked, node, first, found[0], made_of, direct=True)
        yield Spot(spot.node, spot.changes, spot.names, spot.last, "import asyncio")


def _appended(loop: ast.For) -> tuple[str, ast.expr] | None:
    """The list, and what is awaited for it, where the loop does nothing else."""
    last = loop.body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return None
    value: ast.expr | None = call.args[0] if len(call.args) == 1 else None
    if len(loop.body) == 2 and isinstance(one := loop.body[0], ast.Assign) and value is not None:
        value = one.value if same(one.targets[0], value) else None
    elif len(loop.body) != 1:
        return None
    if not isinstance(value, ast.Await) or not isinstance(call.func.value, ast.Name):
        return None
    return call.func.value.id, value.value


# -- branches ----------------------------------------------------------------------------------------------------------


def _chain(node: ast.If) -> tuple[list[ast.If], list[ast.stmt]]:
    """The branches of an if with its elifs, and what is behind `else`."""
    found = [node]
    while len(found[-1].orelse) == 1 and isinstance(found[-1].orelse[0], ast.If):
        found.append(found[-1].orelse[0])
    return found, found[-1].orelse


def _compared(src: Source, test: ast.expr) -> tuple[str, list[str]] | None:
    """What is compared, and the constants with which."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    right = test.comparators[0]
    many = isinstance(test.ops[0], ast.In) and isinstance(right, ast.Tuple | ast.List | ast.Set)
    values = right.elts if many and isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
    plain = all(isinstance(one, ast.Constant) for one in values)
    if not plain or not (many or isinstance(test.ops[0], ast.Eq)):
        return None
    return src.segment(test.left), [src.segment(one) for one in values]


def matched(asked: Asked) -> Iterator[Spot]:
    """A chain of comparisons with constants, as a `match`."""
    src = asked.src
    for node in bodies(src, ast.If):
        assert isinstance(node, ast.If)
        if is_elif(src, node) or has_comment(src, src.first_line(node), src.last_line(node)):
            continue
        branches, last = _chain(node)
        tests = [_compared(src, one.test) for one in branches]
        if len(branches) < 2 or len({one[0] if one else None for one in tests}) != 1 or tests[0] is None:
            continue
        indent, rows = src.indent(node), [f"{src.indent(node)}match {tests[0][0]}:"]
        for one, test in zip(branches, tests, strict=True):
            rows.append(f"{indent}{src.step}case {' | '.join(test[1] if test else ())}:")
            rows += moved(src, src.first_line(one.body[0]), src.last_line(one.body[-1]), 1)
        if last:
            rows.append(f"{indent}{src.step}case _:")
            rows += moved(src, src.first_line(last[0]), src.last_line(last[-1]), 1)
        yield Spot(node, (replaced(src, src.first_line(node), src.last_line(node), rows),), ("match",))


def looked_up(asked: Asked) -> Iterator[Spot]:
    """A function that only says which constant belongs to which, as a table of the module."""
    src = asked.src
    names = new_name(asked, True, "")
    for function in src.functions if len(names) == 1 else ():
        rows, key = [], ""
        statements = body_behind_docstring(function)
        tests: list[ast.stmt] = list(statements)
        default: ast.stmt | None = None
        if len(tests) == 1 and isinstance(tests[0], ast.If):
            branches, last = _chain(tests[0])
            tests, default = [*branches], last[0] if len(last) == 1 else None
        elif tests and not isinstance(tests[-1], ast.If):
            default = tests.pop()
        for one in tests:
            found = _compared(src, one.test) if isinstance(one, ast.If) and len(one.body) == 1 else None
            given = one.body[0] if found and isinstance(one, ast.If) else None
            if found is None or not isinstance(given, ast.Return) or not isinstance(given.value, ast.Constant):
                break
            key = found[0] if key in ("", found[0]) else "\n"
            rows += [f"{each}: {src.segment(given.value)}" for each in found[1]]
        else:
            otherwise = default.value if isinstance(default, ast.Return) else None
            simple = default is None or isinstance(otherwise, ast.Constant | ast.Name)
            if len(rows) < 2 or not key.isidentifier() or not simple:
                continue
            unsaid = otherwise is None or (isinstance(otherwise, ast.Constant) and otherwise.value is None)
            more = "" if unsaid or otherwise is None else f", {src.segment(otherwise)}"
            first, end = src.first_line(statements[0]), src.last_line(statements[-1])
            line = f"{src.indent(statements[0])}return {names[0]}.get({key}{more})"
            at, text = constant_place(src, f"{names[0]} = {{{', '.join(rows)}}}")
            place = src.starts[at]
            yield Spot(function, ((place, place, text), replaced(src, first, end, [line])), (names[0],))


def walrus_loops(src: Source) -> Iterator[tuple[ast.Assign, Spot]]:
    """`while True` that reads, and stops where nothing came."""
    for loop in bodies(src, ast.While):
        assert isinstance(loop, ast.While)
        if len(loop.body) < 3 or not isinstance(loop.test, ast.Constant) or not loop.test.value:
            continue
        read, stop = loop.body[:2]
        if not isinstance(read, ast.Assign) or not isinstance(read.targets[0], ast.Name) or len(read.targets) > 1:
            continue
        if not isinstance(stop, ast.If) or stop.orelse or [type(one) for one in stop.body] != [ast.Break]:
            continue
        name, test = read.targets[0].id, ast.unparse(stop.test)
        value = src.segment(read.value)
        if test in (f"not {name}", f"{name} == ''", f"{name} == b''", f"len({name}) == 0"):
            made = f"{name} := {value}"
        elif test == f"{name} is None":
            made = f"({name} := {value}) is not None"
        else:
            continue
        gone = (*src.line_span(src.first_line(read), src.last_line(stop)), "")
        names = (name, "while", "loop", "True", *re.findall(r"\w+", value))
        yield read, Spot(loop, ((*src.span(loop.test), made), gone), names, src.last_line(stop))


# -- containers --------------------------------------------------------------------------------------------------------


def _around(src: Source, node: ast.AST, own: bool) -> ast.AST | None:
    """What holds every use of a name: its function, or its class where it is of `self`."""
    if own:
        return next((one for one in src.ancestors(node) if isinstance(one, ast.ClassDef)), None)
    return src.function_of(node)


def queued(asked: Asked) -> Iterator[Spot]:
    """A list of which the first is taken again and again, as a deque."""
    src = asked.src
    for made in src.statements:
        if not isinstance(made, ast.Assign) or len(made.targets) != 1:
            continue
        target, value = made.targets[0], made.value
        name, own = ast.unparse(target), isinstance(target, ast.Attribute)
        listed = isinstance(value, ast.Call) and ast.unparse(value.func) == "list"
        scope = _around(src, made, own)
        if (
            scope is None
            or not isinstance(target, ast.Name | ast.Attribute)
            or not (isinstance(value, ast.List) or listed)
        ):
            continue
        inner = src.segment(value)
        inner = "" if inner == "[]" else inner[5:-1] if listed else inner
        changes: list[Change] = [(*src.span(value), f"deque({inner})")]
        taken = False
        for node in ast.walk(scope):
            if (
                isinstance(node, ast.Subscript)
                and ast.unparse(node.value) == name
                and isinstance(node.slice, ast.Slice)
            ):
                break
            if isinstance(node, ast.Assign) and node is not made and name in map(ast.unparse, node.targets):
                break
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if ast.unparse(node.func.value) == name and node.args and ast.unparse(node.args[0]) == "0":
                start = src.span(node.func.value)[1]
                if node.func.attr == "pop":
                    taken = True
                    changes.append((start, src.span(node)[1], ".popleft()"))
                elif node.func.attr == "insert" and len(node.args) == 2:
                    changes.append((start, src.span(node.args[1])[0], ".appendleft("))
        else:
            if taken:
                words = (*re.findall(r"\w+", name), "pop", "0", "list")
                yield Spot(made, tuple(changes), words, imports="from collections import deque")


def insorted(asked: Asked) -> Iterator[Spot]:
    """`bisect.insort` for an append."""
    src = asked.src
    for node in src.nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            continue
        if call.func.attr == "append":
            held = src.segment(call.func.value)
            change = (src.span(call)[0], src.span(call.args[0])[0], f"bisect.insort({held}, ")
            yield Spot(node, (change,), tuple(re.findall(r"\w+", held)), imports="import bisect")


# -- logging -----------------------------------------------------------------------------------------------------------

_LEVELS = ["debug", "info", "warning", "error", "exception", "critical", "log"]


def own_logger(asked: Asked) -> Iterator[Spot]:
    """Calls of `logging` itself, as calls of a logger of the module."""
    src, said = asked.src, asked.order.said
    calls = [
        node.func
        for node in src.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LEVELS
        and isinstance(node.func.value, ast.Name) and node.func.value.id == "logging"
    ]  # fmt: skip
    if (
        not calls
        or re.search(r"=\s*logging\.getLogger\(", src.text)
        or re.search(r"^import logging$", src.text, re.M) is None
    ):
        return
    spelled = re.search(r"\b(\w+)\s*=\s*logging\.getLogger", said) or re.search(
        r"\b(?:called|named|call it|name it)\s+`?(\w+)", said
    )
    name = spelled[1] if spelled else "logger"
    if re.search(rf"\b{name}\b", src.text):
        return
    at, text = constant_place(src, f"{name} = logging.getLogger(__name__)")
    place = src.starts[at]
    changes: list[Change] = [(place, place, text), *((*src.span(one.value), name) for one in calls)]
    yield Spot(calls[0], tuple(changes), (name, "logging", "getLogger", "getlogger", "__name__"))


_WORDS = "loop loops instead sequential sequentially one by another after time slow run runs running all at once concurrent concurrently parallel same together them wait waits"
WAYS = (
    way(r"\bgather\b|\b(?:concurrent(?:ly)?|parallel)\b", gathered, f"{_WORDS} asyncio asyncio.gather gather fetch do calls awaits tasks awaiting items other via await requests"),
    way(r"\bmatch(?:[ /-]case)?\b(?: statement)?", matched, "match case statement if elif else chain chains ladder cascade structural pattern matching"),
    way(r"\b(?:dict\w*|lookup|table|mapping|map)\b", looked_up, "dict dictionary lookup table mapping map module level global constant move moved if ifs elif chain chains chained look up out"),
    way(r"\bdeque\b|popleft", queued, "deque list queue popleft pop 0 slow o(n) o n linear quadratic collections from front left end import"),
    way(r"\binsort\b", insorted, "bisect insort keep sorted sort order append"),
    way(r"\blogger\b|\bgetlogger\b", own_logger, "module level module-level logger root logging own log getlogger __name__ per named calls everywhere global directly module itself functions"),
)  # fmt: skip
