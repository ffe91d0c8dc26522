"""An error that was seen: what its message means, and where in the code it was raised."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import definitions_at
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import NodeT, find_nodes
from spark_tui.tables import read_table

_TITLE = 46


@dataclass(frozen=True, eq=False)
class SeenError:
    """An error as far as it is said: its kind, its text, and the line of the code in which it was raised."""

    context: Context
    kind: str
    text: str
    line: int
    area: Area
    source: Source
    root: ast.AST
    groups: Mapping[str, str] = field(default_factory=dict)
    """What the message names."""
    callers: tuple[tuple[str, int], ...] = ()
    """Files and lines that lead to it, the innermost first."""
    exact: bool = False
    """Whether the line is known, so that nothing is looked for elsewhere."""

    def nodes(self, kind: type[NodeT]) -> list[NodeT]:
        """The nodes of a kind: those of the line of the traceback, else all of the area."""
        found = [node for node in find_nodes(self.root, kind) if hasattr(node, "lineno")]
        found = [node for node in found if self.source.span(node)[0] >= 0]
        here = [node for node in found if self._holds(node)]
        return here or ([] if self.exact else found)

    def _holds(self, node: ast.AST) -> bool:
        first: int = getattr(node, "lineno", 0)
        return first <= self.line <= (getattr(node, "end_lineno", None) or first)

    @property
    def function(self) -> Function | None:
        """The function in which the line is."""
        return next((one for one in reversed(self.source.functions) if self._holds(one)), None)

    @property
    def statement(self) -> ast.stmt | None:
        """The innermost statement that begins on the line or holds it."""
        return next(
            (statement for statement in reversed(self.source.statements) if self._holds(statement)), None
        )

    def frames(self) -> Iterator[SeenError]:
        """The error as it is seen from here, and from each caller."""
        yield self
        for path, line in self.callers:
            if path in self.context.repo.index.modules.paths:
                source = self.context.source(path)
                if source.tree is not None:
                    area = Area(path)
                    yield replace(self, line=line, area=area, source=source, root=source.tree)

    def within(self, path: str, node: ast.AST) -> SeenError:
        """The error as it is seen from another place, such as the function that was called."""
        source = self.context.source(path)
        return replace(
            self, line=getattr(node, "lineno", 0), area=Area(path), source=source, root=source.tree or node
        )

    def swap(self, node: ast.AST, new: str, weight: float) -> Built:
        made = replace_code(self.context, Anchor(self.area, node), new)
        return Built((made,), weight * self.area.weight)

    def spliced(self, low: int, high: int, new: str, weight: float, doubt: str = "") -> Built:
        """The characters from `low` to `high` give way to others; the edit is one of whole lines."""
        source = self.source
        first, last = source.line_number(low), source.line_number(high)
        start, end = source.line_span(first - 1, last)
        text = source.text[start:low] + new + source.text[high:end]
        made = call("replace_lines", place=line_range(source.path, first, last), text=text.rstrip("\r\n"))
        title = title_of_change(source, low, high, new)
        return Built((made,), weight * self.area.weight, (doubt,) if doubt else (), title)


def bracket_code(source: Source, node: ast.expr) -> str:
    """The code of an expression, in brackets where an operator or a dot after it would take a part of it."""
    shown = source.segment(node)
    kinds = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.Constant | ast.JoinedStr | ast.List
    plain = isinstance(node, kinds)
    return shown if plain else f"({shown})"


def title_of_change(source: Source, low: int, high: int, new: str) -> str:
    """What it does that some characters give way to others: `qty = 1 → qty = 0 in add, line 3`."""
    first = source.line_number(low)
    start, end = source.line_span(first - 1, source.line_number(high))
    was, text = source.text[start:end], source.text[start:low] + new + source.text[high:end]
    old, made = (low - start, high - start), (low - start, low - start + len(new))
    shown = _line(was, *old, _TITLE), _line(text, *made, _TITLE)
    if low == high and "\n" in new:
        return f"insert {_line(new, 0, len(new), _TITLE)} {title_of_place(source, first)}"
    if len(shown[0]) + len(shown[1]) > _TITLE:
        shown = _line(was, *old, _TITLE // 2), _line(text, *made, _TITLE // 2)
    return f"{shown[0]} → {shown[1]} {title_of_place(source, first)}"


def title_of_place(source: Source, line: int) -> str:
    """`in Cart.add, line 3`; outside of definitions `at cart.py:3`."""
    around = definitions_at(source, line)
    return f"in {source.qualname(around[-1])}, line {line}" if around else f"at {source.path}:{line}"


def _line(text: str, low: int, high: int, most: int) -> str:
    """The line of some characters, or what is around them where it is longer than that."""
    start = text.rfind("\n", 0, low) + 1
    end = text.find("\n", max(high, start))
    before, whole = (
        " ".join(text[start:low].split()),
        " ".join(text[start : end if end >= 0 else len(text)].split()),
    )
    first = max(0, min(len(before) - most // 2, len(whole) - most))
    shown = whole[first : first + most]
    return f"{'…' if first else ''}{shown}{'…' if first + most < len(whole) else ''}"


Fix = Callable[[SeenError], Iterator[Built]]


@lru_cache(maxsize=1)
def error_patterns() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """The patterns of `error_patterns.toml` by the kind of error that they tell."""
    data = read_table(__file__, "error_patterns.toml")
    return {kind: tuple(re.compile(item) for item in entry["match"]) for kind, entry in data.items()}


@lru_cache(maxsize=64)
def classify_error(text: str) -> tuple[str, Mapping[str, str]]:
    """The kind of error that a message tells, and what it names; empty where no pattern fits."""
    for kind, patterns in error_patterns().items():
        for pattern in patterns:
            found = pattern.search(text)
            if found is not None:
                return kind, {name: value for name, value in found.groupdict().items() if value}
    return "", {}


def functions_named(at: SeenError, name: str) -> list[tuple[Source, Function]]:
    """The functions that a message or a line calls by a name, dotted or not, with `<locals>` or without."""
    index, wanted = at.context.repo.index, f".{name.replace('<locals>.', '')}"
    last = wanted.rpartition(".")[2]
    paths = [path for path, _ in index.symbols(name.partition(".<locals>")[0])]
    known = [index.scopes(path) for path in dict.fromkeys([*paths, at.source.path])]
    return [
        (scopes.source, item)
        for scopes in known
        for item in scopes.scope_of
        if isinstance(item, Function)
        and item.name == last
        and f".{scopes.source.qualname(item)}".endswith(wanted)
    ]


def quoted_names(text: str) -> list[str]:
    """The names in quotes of an error's text."""
    return re.findall(r"['\"`]([\w.]+)['\"`]", text)
