"""Statements that share a line: the body behind a header, and those with semicolons between them."""

from __future__ import annotations

import ast

from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


@codemod
class OneStatementALine:
    """Put each statement of some lines on a line of its own: `if x: return` becomes two lines. A stub with
    `...` stays where other lines are meant too."""

    place: Place = slot("the lines: shop/cart.py:12-14, or `in Cart.add`")

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source = found.source
        every = range(found.first, found.last)
        stubs = _stubs(source)
        lines = [line for line in every if len(every) == 1 or line not in stubs]
        edits = [edit for line in lines for edit in split_line(source, line)]
        if not edits:
            raise Refusal("each statement is on a line of its own", why="nothing")
        return plan_edits(repo, edits)


def _stubs(source: Source) -> set[int]:
    """The lines on which a definition has no more than `...`, as it is usually written."""
    bodies = (one.body for one in source.definitions if len(one.body) == 1)
    dots = (body[0] for body in bodies if isinstance(body[0], ast.Expr))
    stubs = (one for one in dots if isinstance(one.value, ast.Constant) and one.value.value is ...)
    return {one.lineno - 1 for one in stubs}


def split_line(source: Source, line: int) -> list[Edit]:
    """The edits that put a line break in front of each statement of a line but the first. Behind `else:`, or
    another header that is no statement, the first gets one too."""
    low, high = source.line_span(line, line + 1)
    here = [one for one in source.statements if low <= source.span(one)[0] < high]
    here.sort(key=lambda one: source.span(one)[0])
    if not here:
        return []
    first, header = here[0], source.parents[here[0]]
    headed = first is source.suite(first)[0] and bool(source.text[low : source.span(first)[0]].strip())
    header = header.pattern if isinstance(header, ast.match_case) else header
    edits = []
    for one in here if headed else here[1:]:
        start = source.span(one)[0]
        front = source.text[low:start].rstrip(" \t;")
        deeper = headed + any(outer in here for outer in source.ancestors(one))
        indent = source.indent(header if headed else first) + source.indent_unit * deeper
        edits.append(Edit(source.path, low + len(front), start, source.newline + indent))
    return edits
