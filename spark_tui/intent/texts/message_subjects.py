"""What a message is about, from the code around it: what the condition in front of it looks at, what failed,
what a loop looks for, or the only parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.facts.unset_names import bound_at
from spark_tui.intent.finders.blocks import exceptions_of
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, root_name, walk

_OWN = ("self", "cls")
_TELLING = ("name", "title", "id", "code", "key", "path")
_OWN_NAME = 0.8
_SHOWN = (ast.Name, ast.Attribute, ast.Subscript)
_CHAIN = (ast.Attribute, ast.Subscript, ast.Call)
_FILES = ("open", "Path", "read_text", "load", "listdir", "remove", "exists", "isfile", "isdir")


@dataclass(frozen=True, eq=False)
class Subject:
    """An expression that a message may be about, and how likely it is."""

    node: ast.expr
    weight: float

    @property
    def code(self) -> str:
        return ast.unparse(self.node)


class Surroundings:
    """The expressions that a message at a node can show."""

    def __init__(self, source: Source, node: ast.AST) -> None:
        self.source, self.node = source, node
        self.function = source.function_of(node)
        self.bound = bound_at(source, node)
        scope: ast.AST | None = self.function or source.tree
        self.inside = list(walk(scope)) if scope is not None else []

    def expressions(self) -> list[ast.expr]:
        """Names, attributes and items that stand in the function, each once, and its parameters."""
        given = parameters(self.function) if self.function is not None else []
        rows: list[ast.expr] = [ast.Name(one.arg, ast.Load()) for one in given]
        rows += [ast.Name(item, ast.Load()) for item in sorted(self.bound)]
        rows += [item for item in self.inside if isinstance(item, _SHOWN) and not self.source.is_called(item)]
        owner = self.source.class_of(self.function) if self.function is not None else None
        if owner is not None and "self" in self.bound:
            rows += [
                node
                for node in find_nodes(owner, ast.Attribute)
                if ast.unparse(node.value) == "self" and isinstance(node.ctx, ast.Store)
            ]
        seen: dict[str, ast.expr] = {}
        for row in rows:
            if self.is_shown(row):
                seen.setdefault(ast.unparse(row), row)
        return list(seen.values())

    def own_name(self, words: list[str]) -> tuple[str, float] | None:
        """What tells an object of the class around from others, where it is the class that words name."""
        owner = self.source.class_of(self.function) if self.function is not None else None
        known = {ast.unparse(node) for node in self.expressions()} if owner is not None else set()
        names = (f"self.{item}" for item in _TELLING if f"self.{item}" in known)
        own = split_name(owner.name)[-1].lower() if owner is not None else ""
        named = any(is_form_of(item, own) for item in words)
        return next(((name, _OWN_NAME) for name in names), None) if named else None

    def is_shown(self, node: ast.expr) -> bool:
        """Whether an expression can be shown: it does nothing, and its names have a value there."""
        if isinstance(node, ast.Name):
            return node.id in self.bound and node.id not in _OWN and node.id != "_"
        if isinstance(node, ast.Subscript):
            plain = isinstance(node.slice, ast.Constant | ast.Name)
            return plain and self._is_known(node.value) and self._is_known(node.slice)
        return isinstance(node, ast.Attribute) and self._is_known(node.value)

    def _is_known(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.bound
        return isinstance(node, ast.Constant) or self.is_shown(node)

    def missing(self) -> set[str]:
        """The expressions that are None or false at the message, by the conditions around it."""
        tests = [one.test for one in self.source.ancestors(self.node) if isinstance(one, ast.If)]
        return {ast.unparse(node) for test in tests if _says_missing(test) for node in _operands(test)}

    def is_counted(self, code: str) -> bool:
        """Whether a condition around the message looks at the size of something."""
        tests = [one.test for one in self.source.ancestors(self.node) if isinstance(one, ast.If)]
        return any(ast.unparse(node) == f"len({code})" for test in tests for node in walk(test))

    def is_number(self, name: str) -> bool:
        """Whether a name is that of a number: a range has so many, or it has the type."""
        for node in self.inside:
            ranged = isinstance(node, ast.Call) and ast.unparse(node.func) == "range"
            rows = node.args if ranged and isinstance(node, ast.Call) else []
            if isinstance(node, ast.arg) and node.arg == name and node.annotation is not None:
                rows = [ast.Name(name)] if ast.unparse(node.annotation) in ("int", "float") else []
            if any(isinstance(row, ast.Name) and row.id == name for row in rows):
                return True
        return False

    def subjects(self) -> list[Subject]:
        """What the message is about, the likeliest first."""
        out: dict[str, Subject] = {}
        for one in self._subjects():
            if one.code not in out and self.is_shown(one.node):
                out[one.code] = one
        return sorted(out.values(), key=lambda item: -item.weight)

    def _subjects(self) -> Iterator[Subject]:
        child: ast.AST = self.node
        share = 1.0
        for outer in self.source.ancestors(self.node):
            if isinstance(outer, ast.If | ast.While) and child is not outer.test:
                yield from self._tested(outer.test, share)
                share *= 0.6
            elif isinstance(outer, ast.ExceptHandler):
                tried = self.source.parents.get(outer)
                if isinstance(tried, ast.Try):
                    yield from _failed(tried, outer, share)
                    share *= 0.6
            elif isinstance(outer, ast.For | ast.AsyncFor) and child in outer.body:
                rows = outer.target.elts if isinstance(outer.target, ast.Tuple) else [outer.target]
                yield from (Subject(row, 0.6 * share) for row in rows)
                share *= 0.6
            elif isinstance(outer, Function):
                break
            if isinstance(child, ast.stmt):
                yield from self._looked_for(outer, child, 0.8 * share)
            child = outer
        if isinstance(child, ast.stmt) and isinstance(self.function, Function):
            yield from self._looked_for(self.function, child, 0.8 * share)
        given = parameters(self.function) if self.function is not None else []
        own = [one.arg for one in given if one.arg not in _OWN]
        yield from (Subject(ast.Name(item, ast.Load()), 0.5 * share / len(own)) for item in own)

    def _tested(self, test: ast.expr, share: float) -> Iterator[Subject]:
        """The operands of a condition; of what is missing, by what it was looked up."""
        rows = test.values if isinstance(test, ast.BoolOp) else [test]
        for row in rows:
            for node in _operands(row):
                weight = 0.9 * share / len(rows)
                if _says_which(row):
                    yield from (Subject(inner, weight) for inner in self._set_beside(node))
                    weight *= 0.3
                made = self._set_by(node) if _says_missing(row) else None
                if made is not None:
                    yield from (Subject(inner, weight) for inner in _inner(made))
                    weight *= 0.3
                if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
                    yield Subject(node.slice, weight)  # the key tells more than what stands there
                    weight *= 0.5
                yield Subject(node, weight)

    def _set_beside(self, node: ast.expr) -> Iterator[ast.expr]:
        """What is set together with a name: `text` of `kind, text = item`, or by `text = item.text`."""
        rows = self._assignments()
        own = {
            root_name(row.value, *_CHAIN) for row in rows if ast.unparse(row.targets[0]) == ast.unparse(node)
        }
        for item in rows:
            if root_name(item.value, *_CHAIN) in own - {""}:
                yield from (each for each in item.targets if ast.unparse(each) != ast.unparse(node))
        goals = [goal for row in rows for goal in row.targets]
        goals += [inner.target for inner in self.inside if isinstance(inner, ast.For)]
        for goal in goals:
            items = goal.elts if isinstance(goal, ast.Tuple) else []
            if any(ast.unparse(each) == ast.unparse(node) for each in items):
                yield from (each for each in items if ast.unparse(each) != ast.unparse(node))

    def _assignments(self) -> list[ast.Assign]:
        """The assignments in front of the message."""
        line = getattr(self.node, "lineno", 0)
        return [node for node in self.inside if isinstance(node, ast.Assign) and node.lineno < line]

    def _set_by(self, node: ast.expr) -> ast.expr | None:
        """The lookup that sets a local."""
        name = node.id if isinstance(node, ast.Name) else ""
        values = [
            stmt.value
            for stmt in self._assignments()
            if ast.unparse(stmt.targets[0]) == name and not isinstance(stmt.value, ast.Constant)
        ]
        return values[-1] if name and values else None

    def _looked_for(self, outer: ast.AST, child: ast.stmt, share: float) -> Iterator[Subject]:
        """What a loop in front of a statement compares its items with."""
        for name in ("body", "orelse"):
            rows = getattr(outer, name, None)
            at = rows.index(child) if isinstance(rows, list) and child in rows else 0
            before = rows[at - 1] if rows and at else None
            if isinstance(outer, ast.For) and name == "orelse" and child in outer.orelse:
                before = outer
            if not isinstance(before, ast.For):
                continue
            for node in walk(before):
                for inner in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
                    if isinstance(inner, ast.Name):
                        yield Subject(inner, share)


def _operands(test: ast.expr) -> Iterator[ast.expr]:
    """What a condition looks at, without constants."""
    if isinstance(test, ast.UnaryOp):
        yield from _operands(test.operand)
    elif isinstance(test, ast.Compare):
        found = [node for item in (test.left, *test.comparators[:1]) for node in _operands(item)]
        contained = isinstance(test.ops[0], ast.In | ast.NotIn)
        yield from list(_operands(test.left))[:1] or found[:1] if contained else found[:1]
        if contained and isinstance(test.left, ast.Constant):
            yield from _operands(test.comparators[0])
    elif isinstance(test, ast.Call):
        for arg in reversed(test.args if ast.unparse(test.func) != "isinstance" else test.args[:1]):
            yield from _operands(arg)
        fixed = all(isinstance(item, ast.Constant) for item in test.args)
        if fixed and isinstance(test.func, ast.Attribute):
            yield from _operands(test.func.value)
    elif isinstance(test, _SHOWN):
        yield test


def _says_which(test: ast.expr) -> bool:
    """Whether a condition tells what something is, so that there is nothing to say of it."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.Eq | ast.Is)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is not None
    )


def _says_missing(test: ast.expr) -> bool:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.Name)
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Is | ast.Eq):
        return False
    compared = test.comparators[0]
    return isinstance(compared, ast.Constant) and compared.value is None


def _inner(made: ast.expr) -> Iterator[ast.expr]:
    """What a lookup is made by: the arguments of a call, the index, what is compared."""
    for node in walk(made):
        if isinstance(node, ast.Call):
            yield from (arg for arg in node.args if isinstance(arg, _SHOWN))
        elif isinstance(node, ast.Subscript):
            yield node.slice
        elif isinstance(node, ast.Compare):
            yield from (inner for inner in (*node.comparators, node.left) if isinstance(inner, ast.Name))


def _failed(tried: ast.Try, handler: ast.ExceptHandler, share: float) -> Iterator[Subject]:
    """What the code of a try statement was given: the key of a KeyError, the text of a ValueError, a file."""
    caught = {text.rpartition(".")[2] for text in exceptions_of(handler.type)}
    keyed = bool(caught & {"KeyError", "IndexError", "LookupError"})
    filed = bool(caught & {"OSError", "IOError", "FileNotFoundError", "PermissionError"})
    for row in tried.body:
        for node in walk(row):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                yield Subject(node.slice, (0.95 if keyed else 0.4) * share)
            elif isinstance(node, ast.Call):
                name = called_name(node)
                fits = name in _FILES if filed else not keyed
                rows = [
                    *node.args,
                    *([node.func.value] if filed and isinstance(node.func, ast.Attribute) else []),
                ]
                for at, each in enumerate(item for item in rows if isinstance(item, _SHOWN)):
                    yield Subject(each, (0.9 if fits else 0.5) * share * 0.8**at)


def both_sides(source: Source, node: ast.AST) -> list[ast.expr]:
    """The two limits that the condition around a message compares with: `n < LOW or n > HIGH`."""
    outer = next((one for one in source.ancestors(node) if isinstance(one, ast.If)), None)
    rows = list(find_nodes(outer.test, ast.Compare)) if outer is not None else []
    if len(rows) == 1 and len(rows[0].ops) == 2:  # LOW <= n <= HIGH
        sides = [rows[0].left, rows[0].comparators[1]]
    else:
        sides = [row.comparators[0] for row in rows if len(row.ops) == 1]
    ordered = all(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for row in rows for op in row.ops)
    return sides if ordered and len(sides) == 2 else []
