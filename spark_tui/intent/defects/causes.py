"""What the causes share: where they are looked for, and the register of those that are known.

A cause is a function that looks through one function of the code, as a `Fix` does through the place of an
error: it gives the repair of each piece of code that may do what a symptom of `symptoms.toml` says.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import position
from spark_tui.intent.fixes.seen_error import Fix, SeenError, title_of_change
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import NodeT, walk

Change = tuple[int, int, str]
"""Characters from one place to another give way to a text."""

_PLAIN = 0.04


@dataclass(frozen=True)
class Cause:
    """A cause of some symptoms. `plain` is how likely code like it is a bug, whatever is said."""

    find: Fix
    symptoms: tuple[str, ...]
    plain: float


CAUSES: list[Cause] = []


def cause(*symptoms: str, plain: float = _PLAIN) -> Callable[[Fix], Fix]:
    """Register a cause of some symptoms, the likeliest first."""

    def register(function: Fix) -> Fix:
        CAUSES.append(Cause(function, symptoms, plain))
        return function

    return register


def own(at: SeenError, kind: type[NodeT]) -> list[NodeT]:
    """The nodes of a kind in the function that is looked through, in the order of the text."""
    return [node for node in _placed(at.root) if isinstance(node, kind)]


@lru_cache(maxsize=4)
def _placed(root: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes in a tree that have a place, in the order of the text; kept while causes are tried on it."""
    found = [node for node in walk(root) if hasattr(node, "lineno")]
    return tuple(sorted(found, key=position))


def functions_here(at: SeenError, name: str) -> list[Function]:
    """The functions of the file that have a name, or make the objects of the class that has it."""
    made = [one for holder in at.source.classes.get(name, ()) for one in holder.body if _makes(one)]
    return [one for one in at.source.functions if one.name == name] or [
        one for one in made if isinstance(one, Function)
    ]


def _makes(node: ast.stmt) -> bool:
    return isinstance(node, Function) and node.name == "__init__"


def names_given(at: SeenError) -> list[str]:
    """The parameters of the function that is looked through."""
    node = at.root
    return [one.arg for one in parameters(node)] if isinstance(node, Function) else []


def changed(at: SeenError, changes: Iterable[Change], weight: float) -> Iterator[Built]:
    """The lines from the first to the last of some changes, with all of them made."""
    rows = sorted(changes)
    if not rows or rows[0][0] < 0:
        return
    source = at.source
    first, last = source.line_number(rows[0][0]), source.line_number(max(rows[0][0], rows[-1][1] - 1))
    start, end = source.line_span(first - 1, last)
    text, done = "", start
    for low, high, new in rows:
        text, done = text + source.text[done:low] + new, high
    text += source.text[done:end]
    made = call("replace_lines", place=line_range(source.path, first, last), text=text.rstrip("\r\n"))
    yield Built((made,), weight * at.area.weight, (), title_of_change(source, *rows[0]))


def line_gone(source: Source, node: ast.stmt) -> Change:
    """A statement goes, with its lines."""
    return (*source.line_span(source.first_line(node), source.last_line(node)), "")


def line_before(source: Source, node: ast.stmt, code: str) -> Change:
    """A line of code in front of a statement."""
    low = source.starts[source.first_line(node)]
    return low, low, f"{source.indent(node)}{code}{source.newline}"


def around(at: SeenError, node: ast.AST, *kinds: type[ast.AST]) -> ast.AST | None:
    """The innermost node of some kinds around another one, in the function that is looked through."""
    for outer in at.source.ancestors(node):
        if outer is at.root:
            return None
        if isinstance(outer, kinds):
            return outer
    return None


def text_of(node: ast.AST | None) -> str:
    """The code of a node in one form, to compare it with that of another."""
    return ast.unparse(node) if node is not None else ""


def returned(at: SeenError) -> set[str]:
    """The names that the results of the function have."""
    results = (node.value for node in own(at, ast.Return) if node.value is not None)
    return {inner.id for result in results for inner in ast.walk(result) if isinstance(inner, ast.Name)}
