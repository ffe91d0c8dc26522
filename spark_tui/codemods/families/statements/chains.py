"""Chains of `if` and `elif` that compare one value: their branches, and what each compares it with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spark_tui.codemods.families.statements.branches import list_branches
from spark_tui.codemods.places.named import Region, need_one
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.codemods.rewriting.evaluation import has_effects, is_elif, may_change
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import LEAVING

_AND = re.compile(r"[\s)]*\band\b\s*")


@dataclass(frozen=True)
class Branch:
    """One branch of a chain: the values that it is for, and what else has to hold."""

    node: ast.If
    values: tuple[ast.expr, ...]
    guard: str = ""


@dataclass(frozen=True)
class Chain:
    """The branches of one value, and what is done for all others; empty where nothing is."""

    subject: ast.expr
    branches: tuple[Branch, ...]
    rest: tuple[ast.stmt, ...]
    run: tuple[ast.stmt, ...]
    """The statements that it is: one, unless each of several `if`s leaves."""

    @property
    def node(self) -> ast.If:
        return self.branches[0].node


def find_chain(within: Region) -> Chain:
    """The one chain in a region that compares one value each time."""
    chains, reasons = read_chains(within.source, within.heads(ast.If))
    if not chains and reasons:
        raise reasons[0]
    found = {chain.node: chain for chain in chains}
    return found[need_one([*found], "chain of ifs that compares one value", within)]


def read_chains(source: Source, nodes: Iterable[ast.If]) -> tuple[list[Chain], list[Refusal]]:
    """The chains of several branches that begin with some of the `if`s, and why others with an `elif` are
    none."""
    found: list[Chain] = []
    reasons: list[Refusal] = []
    seen: set[ast.If] = set()
    for node in nodes:
        if is_elif(source, node) or node in seen:
            continue
        try:
            chain = read_chain(source, node)
        except Refusal as error:
            if len(list_branches(source, node)) > 1:
                reasons.append(error)
            continue
        seen |= {branch.node for branch in chain.branches}
        if len(chain.branches) > 1:
            found.append(chain)
    return found, reasons


def read_chain(source: Source, node: ast.If) -> Chain:
    """The chain that begins with an `if`, with the `if`s below it where each one leaves; raises where it
    compares other things than one value with plain ones."""
    subject = next(_subjects(node.test), None)
    if subject is None:
        raise _other(source, node)
    linked = list_branches(source, node)
    branches = [_branch(source, subject, one) for one in linked]
    run: list[ast.stmt] = [node]
    for below in source.following(node):
        open_end = not linked[-1].orelse and all(isinstance(one.body[-1], LEAVING) for one in linked)
        if not (open_end and isinstance(below, ast.If)):
            break
        try:
            more = [_branch(source, subject, one) for one in list_branches(source, below)]
        except Refusal:
            break
        linked = list_branches(source, below)
        branches += more
        run.append(below)
    acting = any(branch.guard and has_effects(branch.node.test) for branch in branches)
    if acting and may_change(source, subject):
        raise Refusal(f"{ast.unparse(subject)} may change while it is compared")
    return Chain(subject, tuple(branches), tuple(linked[-1].orelse), tuple(run))


def _other(source: Source, node: ast.If) -> Refusal:
    shown = source.segment(node.test).splitlines()[0]
    return Refusal(f"line {node.lineno}: `{shown}` does not compare one value with plain ones")


def _subjects(test: ast.expr) -> Iterator[ast.expr]:
    """What a test may be about: a name, or an attribute or entry of one."""
    first = test
    while isinstance(first, ast.BoolOp):
        first = first.values[0]
    if isinstance(first, ast.Compare) and len(first.ops) == 1:
        sides = (first.left, first.comparators[0])
        yield from (side for side in sides if _is_dotted(side) and not is_plain(side))
        yield from (side for side in sides if _is_dotted(side))


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    ):
        node = node.value
    return isinstance(node, ast.Name)


def is_plain(node: ast.expr) -> bool:
    """Whether a `case` compares with it by `==`: a literal, or a member such as `Color.RED`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = node.operand
        return isinstance(number, ast.Constant) and type(number.value) in (int, float)
    if isinstance(node, ast.Constant):
        return type(node.value) in (str, bytes, int, float)
    return isinstance(node, ast.Attribute) and _is_dotted(node) and node.attr.isupper()


def _branch(source: Source, subject: ast.expr, node: ast.If) -> Branch:
    test = node.test
    if any(isinstance(one, ast.NamedExpr) for one in ast.walk(test)):
        raise _other(source, node)
    guard = ""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        end = source.span(test.values[0])[1]
        behind = _AND.match(source.text, end)
        if behind is None:
            raise _other(source, node)
        guard = source.text[behind.end() : source.span(test)[1]]
        test = test.values[0]
    values = list(_values(subject, test))
    if not values or "\n" in guard or "\r" in guard or not _is_guard(guard, node.test):
        raise _other(source, node)
    return Branch(node, tuple(values), guard)


def _is_guard(guard: str, test: ast.expr) -> bool:
    """Whether a text is the rest of a condition, behind its first part."""
    if not guard:
        return True
    try:
        read = ast.parse(f"_ and {guard}", mode="eval").body
    except SyntaxError:
        return False
    assert isinstance(test, ast.BoolOp)
    return isinstance(read, ast.BoolOp) and is_same_tree(list(test.values[1:]), list(read.values[1:]))


def _values(subject: ast.expr, test: ast.expr) -> Iterator[ast.expr]:
    """What a test compares the subject with; nothing where it asks for something else too."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        parts = [list(_values(subject, part)) for part in test.values]
        yield from (value for part in parts for value in part) if all(parts) else ()
        return
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    left, right, how = test.left, test.comparators[0], test.ops[0]
    if isinstance(how, ast.Eq):
        if is_same_tree(right, subject):
            left, right = right, left
        if is_same_tree(left, subject) and is_plain(right):
            yield right
    elif isinstance(how, ast.Is) and is_same_tree(left, subject):
        if isinstance(right, ast.Constant) and right.value in (None, True, False):
            yield right
    elif isinstance(how, ast.In) and is_same_tree(left, subject) and isinstance(right, ast.Tuple | ast.List):
        yield from right.elts if all(map(is_plain, right.elts)) else ()
