"""Lambdas that have a name."""

from __future__ import annotations

import ast

from spark_tui.codemods.places.named import find_region, need_one, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


@codemod
class LambdaToFunction:
    """Write a lambda that is assigned to a name as a function with `def`."""

    place: Place = slot("where: `in shop/cart.py`, or the line of the assignment")
    name: NewName = slot("the name, if there are several", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        found = [node for node in within.nodes_starting(ast.Assign) if isinstance(node.value, ast.Lambda)]
        if self.name:
            found = [node for node in found if [*map(ast.unparse, node.targets)] == [self.name]]
        node = need_one(found, "lambda that is assigned to a name", within)
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            raise Refusal("it is assigned to something else than one name")
        edit = _as_function(source, node, node.targets[0].id)
        refuse_lost_comments(source, [edit])
        return plan_edits(repo, [edit])


def _as_function(source: Source, node: ast.Assign, name: str) -> Edit:
    function = node.value
    assert isinstance(function, ast.Lambda)
    first, last = own_lines(source, [node])
    head = source.span(function)[0] + len("lambda")
    taken = source.text[head : source.span(function.body)[0]]
    # What stands between the colon and the body are at most brackets, which go with it.
    given, _, opening = taken.rpartition(":")
    body = opening.strip() + source.text[source.span(function.body)[0] : source.span(function)[1]]
    indent, newline = source.indent(node), source.newline
    text = f"{indent}def {name}({given.strip()}):{newline}{indent}{source.indent_unit}return {body}{newline}"
    if source.parents.get(node) is source.tree:
        before, after = source.lines[:first], source.lines[last:]
        text = newline * _missing(before[::-1]) + text + newline * _missing(after)
    return Edit(source.path, *source.line_span(first, last), text)


def _missing(lines: list[str] | tuple[str, ...]) -> int:
    """The blank lines that part a function of a module from what is there, less those that are there."""
    blank = next((at for at, line in enumerate(lines) if line.strip()), None)
    return max(0, 2 - blank) if blank is not None else 0
