"""Probes: the tests and examples with another value in them. They look at what the tests ask for, so that
repairs with which all tests pass can be told apart by what else they do."""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spark_tui.intent.trying.examples import Example
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import docstring
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.trials.trial import Test

LOOK = "_spark_look"
"""As `trials/running.py` calls it, which runs in the child only."""
_PROMPT = ">>> "
_NAME = "_spark_probe_"
_MOST_OF_FAILING, _MOST_OF_PASSING = 60, 60
_LONGEST = 70
_Changed = tuple[int, ast.expr]
"""The number of a node, and what it becomes."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A test with another value, and whether that test fails now. `shown` is what it does, if that is
    short."""

    test: Test
    fails: bool
    shown: str


@dataclass(frozen=True, slots=True)
class Probes:
    """Probes, and the texts of the modules that hold them."""

    probes: tuple[Probe, ...]
    texts: Mapping[str, str]


def probes_of(
    repo: Repository,
    failing: Sequence[Test],
    passing: Sequence[Test],
    examples: Mapping[Test, Example],
    literals: Sequence[int | str],
) -> Probes:
    """Probes of what fails and of what passes. `literals`: numbers and short texts of the code."""
    trees: dict[str, ast.Module] = {}
    found = list[Probe]()
    for tests, most in ((failing, _MOST_OF_FAILING), (passing, _MOST_OF_PASSING)):
        kinds = [_of_test(repo, one, trees, examples, tests is failing, literals) for one in tests]
        found += itertools.islice(_in_turn(kinds), most)
    texts = {module: ast.unparse(ast.fix_missing_locations(tree)) for module, tree in trees.items()}
    return Probes(tuple(found), texts)


def _in_turn(several: Sequence[Iterator[Probe]]) -> Iterator[Probe]:
    """One of each, then the next of each."""
    for row in itertools.zip_longest(*several):
        yield from (one for one in row if one is not None)


def _of_test(
    repo: Repository,
    test: Test,
    trees: dict[str, ast.Module],
    examples: Mapping[Test, Example],
    fails: bool,
    literals: Sequence[int | str],
) -> Iterator[Probe]:
    module, name = test
    example = examples.get(test)
    if example is not None:
        yield from _of_example(module, example, fails, literals)
        return
    path = repo.index.modules.find(module)
    source = repo.index.source(path) if path is not None else None
    if source is None or source.tree is None or name.startswith(_PROMPT):
        return
    if module not in trees:
        trees[module] = copy.deepcopy(source.tree)
    owner, _, method = name.rpartition("::")
    holder: ast.Module | ast.ClassDef | None = trees[module]
    if owner:
        classes = [one for one in trees[module].body if isinstance(one, ast.ClassDef) and one.name == owner]
        holder = classes[0] if classes else None
    functions = [one for one in holder.body if isinstance(one, ast.FunctionDef)] if holder else []
    function = next((one for one in functions if one.name == method), None)
    if holder is None or function is None:
        return
    watched = _Watching().visit(copy.deepcopy(function))
    for at, (node, other) in enumerate(_changes(watched, literals)):
        changed = _with(watched, node, other)
        assert isinstance(changed, ast.FunctionDef)
        changed.name = f"{_NAME}{method}_{at}"
        holder.body.append(changed)
        shown = f"{owner}::{changed.name}" if owner else changed.name
        yield Probe((module, shown), fails, _shown(changed))


def _of_example(module: str, example: Example, fails: bool, literals: Sequence[int | str]) -> Iterator[Probe]:
    tree = ast.parse(example.code, mode="eval")
    for node, other in _changes(tree, literals):
        code = ast.unparse(ast.fix_missing_locations(_with(tree, node, other)))
        whole = "\n".join(filter(None, [example.setup, code]))
        yield Probe((module, _PROMPT + whole), fails, code if len(code) <= _LONGEST else "")


def _shown(function: ast.FunctionDef) -> str:
    """What a probe does, in one short line."""
    looks = [one for one in ast.walk(function) if _is_look(one)]
    body = [one for one in function.body if one is not docstring(function)]
    if len(looks) != 1 or not _is_look(getattr(body[-1], "value", None)):
        return ""
    lines = [ast.unparse(ast.fix_missing_locations(one)) for one in body[:-1]]
    look = looks[0]
    assert isinstance(look, ast.Call)
    lines.append(ast.unparse(look.args[0]))
    code = "; ".join(lines)
    return code if len(code) <= _LONGEST and "\n" not in code else ""


def _is_look(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == LOOK


class _Watching(ast.NodeTransformer):
    """Looks at what a test asks for."""

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return _look(_subject(node.test))

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        call = node.value
        name = call.func.attr if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else ""
        if isinstance(call, ast.Call) and call.args and name.startswith("assert") and "Raises" not in name:
            return _look(_subject(call.args[0]))
        return node

    def visit_With(self, node: ast.With) -> ast.stmt:
        self.generic_visit(node)
        called = [one.context_expr for one in node.items]
        if not any(_is_raises(one) for one in called):
            return node
        handler = ast.ExceptHandler(
            ast.Name("Exception", ast.Load()),
            "_spark_error",
            [_look(ast.parse("type(_spark_error).__name__", mode="eval").body)],
        )
        return ast.Try(node.body, [handler], [_look(ast.Constant("no error"))], [])


def _is_raises(node: ast.expr) -> bool:
    func = node.func if isinstance(node, ast.Call) else node
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return name in ("raises", "assertRaises", "assertRaisesRegex")


def _subject(test: ast.expr) -> ast.expr:
    """What is compared with the wanted value, as it is."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _subject(test.operand)
    if isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        made = [one for one in sides if not _is_plain(one)]
        return made[0] if made else sides[0]
    return test


def _is_plain(node: ast.expr) -> bool:
    """Whether a value is written out, or is about equal to one that is."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name == "approx"
    return not any(isinstance(one, ast.Name | ast.Call) for one in ast.walk(node))


def _look(value: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(LOOK, ast.Load()), [value], []))


def _changes(root: ast.AST, literals: Sequence[int | str]) -> Iterator[_Changed]:
    """Other values for the literals below a node: the first other value of each, then the second."""
    quiet = set[ast.AST]()
    for node in ast.walk(root):
        if isinstance(node, ast.JoinedStr) or is_text(node):
            quiet.update(ast.walk(node))
    for decorator in root.decorator_list if isinstance(root, ast.FunctionDef) else ():
        if isinstance(decorator, ast.Call) and decorator.args:
            quiet.update(ast.walk(decorator.args[0]))  # the names of what is given
    spots = [(at, node) for at, node in enumerate(ast.walk(root)) if node not in quiet]
    kinds = [[(at, other) for other in _others(node, literals)] for at, node in spots]
    for row in itertools.zip_longest(*kinds):
        yield from (one for one in row if one is not None)


def _others(node: ast.AST, literals: Sequence[int | str]) -> Iterator[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple) and node.elts and isinstance(node.ctx, ast.Load):
        kind = type(node)
        yield kind(node.elts[:-1], ast.Load())
        yield kind([*node.elts, node.elts[0]], ast.Load())
        if len(node.elts) > 1:
            yield kind(node.elts[::-1], ast.Load())
            yield kind(node.elts[1:], ast.Load())
    if not isinstance(node, ast.Constant):
        return
    value, others = node.value, list[bool | int | float | str]()
    if isinstance(value, bool):
        others = [not value]
    elif isinstance(value, int):
        numbers = [one for one in literals if isinstance(one, int)]
        others = [value + 1, value - 1, *numbers[:6], 2 * value + 1, 0, -value]
    elif isinstance(value, float):
        others = [value + 0.5, value * 10, -value, 0.0]
    elif isinstance(value, str) and value:
        pieces = [one for one in literals if isinstance(one, str)]
        others = [value[:-1], value + value[-1], value[1:], value.swapcase(), value + value, f" {value} ", ""]
        others += [made for one in pieces for made in (value + one, one + value)]
    yield from (
        ast.Constant(one) for one in dict.fromkeys(others) if one != value or type(one) is not type(value)
    )


def _with(root: ast.AST, at: int, other: ast.expr) -> ast.AST:
    """A copy of a tree with another node."""
    made = copy.deepcopy(root)
    old = next(itertools.islice(ast.walk(made), at, None))

    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return other if node is old else self.generic_visit(node)

    swapped: ast.AST = Swap().visit(made)
    return swapped
