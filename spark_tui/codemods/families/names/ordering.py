"""The methods of a class, or the functions of a file, in alphabetical order."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from spark_tui.codemods.places.named import comment_lines_above, find_region, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, replace_lines
from spark_tui.codemods.slots import Place
from spark_tui.codemods.uses.own_names import asked_in_order
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.words import word_set

_QUIET = word_set(
    "property cached_property setter getter deleter staticmethod classmethod abstractmethod overload override"
    " final wraps lru_cache cache contextmanager asynccontextmanager fixture parametrize"
)
"""Decorators for which it does not matter in which order functions are defined."""


@codemod
class SortDefinitions:
    """Sort the methods of a class, or the functions of a file, by their names; methods that Python calls by
    itself stay first."""

    place: Place = slot("where: `in Cart`, or `in shop/cart.py`")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, node = within.source, within.node
        if not isinstance(node, ast.ClassDef | ast.Module):
            raise Refusal("write a class or a file")
        runs = [run for run in _runs(node.body) if len(run) > 1]
        if not runs:
            raise Refusal("there are no functions beside each other")
        edits = [edit for run in runs for edit in _sorted(source, run)]
        if not edits:
            raise Refusal("they are sorted already", why="nothing")
        doubts = [doubt for run in runs for doubt in _doubts(source, run)]
        doubts += [Unfollowed(*place) for place in asked_in_order(repo, source.path, node)]
        if isinstance(node, ast.ClassDef):
            doubts += _collecting(repo, source, node)
        for one in runs[1:]:
            reason = "other code stands above it, so that each part is sorted by itself"
            doubts.append(Unfollowed(source.path, one[0].lineno, reason))
        return plan_edits(repo, edits, doubts)


def _runs(body: list[ast.stmt]) -> Iterator[list[Function]]:
    """The functions that stand beside each other."""
    run: list[Function] = []
    for stmt in body:
        if isinstance(stmt, Function):
            run.append(stmt)
        else:
            yield run
            run = []
    yield run


def _key(one: Function) -> tuple[bool, str]:
    special = one.name.startswith("__") and one.name.endswith("__")
    return not special, "" if special else one.name.casefold()


def _sorted(source: Source, run: list[Function]) -> Iterator[Edit]:
    wanted = sorted(run, key=_key)
    if wanted == run:
        return
    _refuse_needed(run, wanted)
    spans = []
    for one in run:
        first, last = own_lines(source, [one])
        spans.append((comment_lines_above(source, first), last))
    for (_, end), (start, _) in pairwise(spans):
        for line in range(end, start):
            if source.lines[line].strip():
                raise Refusal(f"line {line + 1}: a comment stands between them")
    blocks = {one: "".join(source.lines[a:b]).rstrip("\r\n") for one, (a, b) in zip(run, spans, strict=True)}
    gaps = Counter("".join(source.lines[a[1] : b[0]]) for a, b in pairwise(spans))
    text = (source.newline + gaps.most_common(1)[0][0]).join(blocks[one] for one in wanted)
    yield replace_lines(source, spans[0][0], spans[-1][1], text + source.newline)


def _head(one: Function) -> list[ast.expr]:
    """What is evaluated when a function is defined."""
    spec = one.args
    hints = (*(parameter.annotation for parameter in parameters(one)), one.returns)
    return [*one.decorator_list, *spec.defaults, *filter(None, (*spec.kw_defaults, *hints))]


def _refuse_needed(run: list[Function], wanted: list[Function]) -> None:
    """Refuse where the definition of one uses another one that would stand below it or runs then."""
    names = {one.name for one in run}
    for one in run:
        for needed in names_within(*_head(one)) & names:
            own = [other for other in run if other.name == needed]
            below = [other for other in own if wanted.index(other) > wanted.index(one)]
            above = [other for other in own if run.index(other) < run.index(one)]
            if any(other in below for other in above):
                raise Refusal(f"line {one.lineno}: {one.name} needs {needed} above it")
            calls = [call for part in _head(one) for call in ast.walk(part) if isinstance(call, ast.Call)]
            if calls or needed in decorator_names(one):
                raise Refusal(f"line {one.lineno}: {needed} runs when {one.name} is defined")


def _collecting(repo: Repository, source: Source, node: ast.ClassDef) -> Iterator[Unfollowed]:
    """A doubt where what makes a class sees its methods in their order."""
    for one in repo.classes.ancestors(ClassValue(source.path, node)):
        maker = next((keyword.value for keyword in one.node.keywords if keyword.arg == "metaclass"), None)
        if maker is not None and last_name(maker) != "ABCMeta":
            reason = f"the metaclass of {one.node.name} may ask in which order functions are defined"
            yield Unfollowed(one.path, one.node.lineno, reason)
        if one.node is not node and "__init_subclass__" in repo.classes.own_members(one):
            reason = f"{one.node.name} may ask in which order functions are defined"
            yield Unfollowed(one.path, one.node.lineno, reason)


def _doubts(source: Source, run: list[Function]) -> Iterator[Unfollowed]:
    for one in run:
        if other := [name for name in decorator_names(one) if name not in _QUIET]:
            reason = f"@{other[0]} may ask in which order functions are defined"
            yield Unfollowed(source.path, one.lineno, reason)
