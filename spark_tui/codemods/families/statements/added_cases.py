"""A further case of a `match` statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import find_region, insert_at_line, need_one, own_lines, refuse_inline
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import indent_statements, is_same_tree, names_in, read_expression
from spark_tui.codemods.slots import Expression, Place, Statements
from spark_tui.pysource.repository import Repository

_FIXED = (ast.MatchValue, ast.MatchSingleton)


@codemod
class AddCase:
    """Add a case to a `match` statement, in front of the one that takes all other values."""

    place: Place = slot("the line of the match: app.py:12, or `in fetch`")
    value: Expression = slot("the value that the case takes: a literal, or a name with dots")
    body: Statements = slot("what is done then")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        found = within.nodes_starting(ast.Match)
        lines = [node for node in found if node.lineno == within.first + 1] if within.node is None else []
        node = need_one(lines or found, "match", within)
        wanted = _pattern(self.value)
        if any(is_same_tree(wanted, one) for case in node.cases for one in _taken(case)):
            raise Refusal(f"{self.value} already has a case", why="nothing")
        taking = [case for case in node.cases if _takes_all(case)]
        before = node.cases[: node.cases.index(taking[0])] if taking else node.cases
        head = node.cases[0]
        refuse_inline(source, head.body)
        first = source.lines[head.pattern.lineno - 1]
        indent = first[: len(first) - len(first.lstrip())]
        body = indent_statements(source, self.body, indent + source.indent_unit)
        text = f"{indent}case {self.value}:{source.newline}{body}"
        line = own_lines(source, [before[-1].body[-1]])[1] if before else head.pattern.lineno - 1
        doubts = [
            Unfollowed(source.path, case.pattern.lineno, "the case there may take the value first")
            for case in before
            if not all(map(_is_fixed, _alternatives(case.pattern)))
        ]
        edit = insert_at_line(source, line, text)
        return planned_change(repo, [edit], doubts, given=names_in(self.value, self.body))


def _pattern(value: str) -> ast.pattern:
    """A value as a pattern. Refuses names, which take any value, and what is no pattern."""
    read_expression(value)
    try:
        tree = ast.parse(f"match x:\n    case {value}: pass")
    except SyntaxError as reason:
        raise Refusal(f"{value} is no pattern") from reason
    found = tree.body[0].cases[0].pattern if isinstance(tree.body[0], ast.Match) else None
    if found is None or not _is_fixed(found):
        raise Refusal(f"{value} takes more than one value")
    return found


def _is_fixed(one: ast.pattern) -> bool:
    inner = one.patterns if isinstance(one, ast.MatchSequence | ast.MatchOr) else []
    return isinstance(one, _FIXED) or (bool(inner) and all(map(_is_fixed, inner)))


def _alternatives(one: ast.pattern) -> Iterator[ast.pattern]:
    for inner in one.patterns if isinstance(one, ast.MatchOr) else [one]:
        yield from _alternatives(inner) if isinstance(inner, ast.MatchOr) else [inner]


def _taken(case: ast.match_case) -> Iterator[ast.pattern]:
    return _alternatives(case.pattern) if case.guard is None else iter(())


def _takes_all(case: ast.match_case) -> bool:
    """Whether a case takes whatever comes to it."""
    return any(isinstance(one, ast.MatchAs) and one.pattern is None for one in _taken(case))
