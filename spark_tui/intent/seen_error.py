"""An error that was seen, as far as an instruction tells of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spark_tui.intent.anchors import Anchor
from spark_tui.intent.building import Built, call, place
from spark_tui.intent.context import Context
from spark_tui.intent.situation import Area
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Source


@dataclass(frozen=True, eq=False)
class Seen:
    """An error as far as it is said: its class, its text, and the line of the code in which it was raised."""

    context: Context
    kind: str
    text: str
    line: int
    area: Area
    source: Source
    root: ast.AST

    def nodes(self, kind: type[ast.AST]) -> list[ast.AST]:
        """The nodes of a kind: those of the line of the traceback, else all of the area."""
        found = [one for one in walk(self.root) if isinstance(one, kind) and hasattr(one, "lineno")]
        found = [one for one in found if self.source.span(one)[0] >= 0]
        here = [one for one in found if self._holds(one)]
        return here or found

    def _holds(self, node: ast.AST) -> bool:
        first: int = getattr(node, "lineno", 0)
        return first <= self.line <= (getattr(node, "end_lineno", None) or first)

    def swap(self, node: ast.AST, new: str, weight: float, doubt: str = "") -> Built:
        made = call(
            "replace_expression",
            place=place(self.context, Anchor(self.area, node)),
            old=self.source.segment(node),
            new=new,
        )
        return Built((made,), weight * self.area.weight, (doubt,) if doubt else ())


Fix = Callable[[Seen], Iterator[Built]]


def quoted_names(text: str) -> list[str]:
    """The names in quotes of an error's text."""
    return re.findall(r"['\"`]([\w.]+)['\"`]", text)
