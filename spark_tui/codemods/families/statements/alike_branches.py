"""Neighbouring branches that do the same become one: an `if` and its `elif`s, or `if`s that leave."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from spark_tui.codemods.families.statements.branches import list_branches
from spark_tui.codemods.places.named import (
    Region,
    comment_lines_above,
    find_region,
    is_inline,
    suites_in_region,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import DIRECTIVE, comments_in, is_same_tree, plan_edits, string_lines
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.codemods.rewriting.wrapping import widest_line
from spark_tui.codemods.slots import Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import parse_expression
from spark_tui.pysource.syntax.walking import LEAVING

N = TypeVar("N", bound=ast.AST)
Branch = TypeVar("Branch", ast.If, ast.ExceptHandler)
_BEHIND = re.compile(r"(?:[\s)\\]|#[^\n]*)*")
_COLON = re.compile(r"(?:as\s+\w+\s*)?:(?P<comment>[ \t]*#[^\r\n]*)?")


@codemod
class MergeBranches:
    """Join neighbouring branches that do the same by `or`: an `if` and its `elif`s, or `if`s that leave."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of an if")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        runs = runs_in(within, _alike_ifs(within))
        if not runs:
            raise Refusal("no branches beside each other do the same", why="nothing")
        return plan_edits(repo, *join_each(within.source, runs, lambda run: _by_or(within.source, run)))


def join_each(
    source: Source, runs: Sequence[list[Branch]], join: Callable[[list[Branch]], Edit]
) -> tuple[list[Edit], list[Unfollowed]]:
    """The edits of the runs that can be joined, and why the others cannot; raises where none can."""
    edits: list[Edit] = []
    left: list[Unfollowed] = []
    for run in runs:
        try:
            edits.append(join(run))
        except Refusal as error:
            left.append(Unfollowed(source.path, run[0].lineno, str(error)))
    if not edits:
        raise Refusal(f"{left[0].path}:{left[0].line}: {left[0].reason}")
    return edits, left


def _alike_ifs(within: Region) -> Iterator[list[ast.If]]:
    source = within.source
    if within.node is None:
        within = Region(source, 0, len(source.lines), source.tree)
    for node in within.nodes(ast.If):
        if not is_elif(source, node):
            yield from runs_of(list_branches(source, node), do_the_same)
    for suite in suites_in_region(source, within):
        for run in runs_of(suite, _leave_alike):
            yield [stmt for stmt in run if isinstance(stmt, ast.If)]


def do_the_same(one: Branch, two: Branch) -> bool:
    return is_same_tree(one.body, two.body)


def _leave_alike(one: ast.stmt, two: ast.stmt) -> bool:
    if not (isinstance(one, ast.If) and isinstance(two, ast.If)) or one.orelse:
        return False
    return isinstance(one.body[-1], LEAVING) and do_the_same(one, two)


def runs_of(nodes: Sequence[N], joins: Callable[[N, N], bool]) -> Iterator[list[N]]:
    """The runs of two or more neighbours that belong together."""
    run = [*nodes[:1]]
    for one, two in pairwise(nodes):
        if not joins(one, two):
            yield from [run] if len(run) > 1 else []
            run = []
        run.append(two)
    yield from [run] if len(run) > 1 else []


def runs_in(within: Region, runs: Iterable[list[Branch]]) -> list[list[Branch]]:
    """The runs in a region, without those inside of others; of lines that hold none the smallest that holds
    them."""
    source = within.source
    extents = [(source.first_line(run[0]), source.last_line(run[-1].body[-1]), run) for run in runs]
    found = [one for one in extents if within.first <= one[0] and one[1] <= within.last]
    if not found and within.node is None:
        held = [one for one in extents if one[0] <= within.first and within.last <= one[1]]
        found = sorted(held, key=lambda one: one[1] - one[0])[:1]
    out: list[list[Branch]] = []
    end = -1
    for first, last, run in sorted(found, key=lambda one: (one[0], -one[1])):
        if first >= end:
            out.append(run)
            end = last
    return out


def suite_end(source: Source, suite: Sequence[ast.stmt]) -> int:
    """The line behind a suite and the comments below it that are indented with it."""
    last, indent = source.last_line(suite[-1]), source.indent(suite[-1])
    for line in range(last, len(source.lines)):
        text = source.lines[line]
        if text.strip() and not (text.startswith(indent) and text.lstrip(" \t\f").startswith("#")):
            break
        last = line + 1 if text.strip() else last
    return last


@dataclass(frozen=True)
class Head:
    """What stands between the word of a branch and its body."""

    low: int
    subject: str
    """What is tested or caught, with the brackets around it."""
    bracketed: bool
    colon: int
    comment: str
    """Behind the colon."""
    above: tuple[str, ...]
    """The comments above the branch, unless it is the first one."""
    body: tuple[str, ...]
    """The comments in the branch."""


def read_heads(source: Source, run: Sequence[Branch]) -> list[Head]:
    """The heads of branches that are joined. Raises where a comment belongs to one of the bodies only."""
    tops = [comment_lines_above(source, node.lineno - 1) for node in run]
    out: list[Head] = []
    for at, node in enumerate(run):
        word = re.compile(r"[a-z]+[ \t]*").match(source.text, source.span(node)[0])
        subject = node.test if isinstance(node, ast.If) else node.type
        assert word is not None
        low, high = source.span(subject) if subject is not None else (word.end(), word.end())
        brackets = _BEHIND.match(source.text, high)
        colon = _COLON.match(source.text, brackets.end()) if brackets is not None else None
        if brackets is None or colon is None:
            raise Refusal("its head cannot be read exactly")
        end = tops[at + 1] if at + 1 < len(run) else suite_end(source, node.body)
        out.append(
            Head(
                word.end(),
                source.text[word.end() : brackets.end()].rstrip(),
                low > word.end(),
                source.text.index(":", brackets.end()),
                (colon["comment"] or "").strip(),
                tuple(line.strip() for line in source.lines[tops[at] : node.lineno - 1] if at),
                tuple(comments_in(source, colon.end(), source.starts[end])),
            )
        )
    if lost := [text for head in out[:-1] for text in head.body if text not in out[-1].body]:
        raise Refusal(f"the comment {lost[0]!r} would be lost")
    return out


@dataclass(frozen=True)
class Part:
    """One of several things that are tested or caught."""

    text: str
    comment: str = ""
    above: tuple[str, ...] = ()


def join_heads(
    source: Source, run: Sequence[Branch], heads: Sequence[Head], parts: Sequence[Part], line: str, name: str
) -> Edit:
    """The edit that makes the branches one whose head is `line`, or has each part on a line of its own where
    that is too long or a comment belongs to one of them; of the bodies the last one stays."""
    indent, newline = source.indent(run[0]), source.newline
    low, high = heads[0].low, heads[-1].colon
    behind = source.lines[source.line_number(high) - 1][source.position(high)[1] :].rstrip()
    alike = len({head.comment for head in heads}) == 1
    if alike:
        behind = behind.removesuffix(heads[-1].comment).rstrip()
    front = source.text[source.starts[run[0].lineno - 1] : low].rstrip() + " "
    whole = alike and not any(part.above for part in parts) and "\n" not in line
    if whole and (len(front + line + name + behind) <= widest_line(source) or len(parts) == 1):
        return Edit(source.path, low if line else len(source.text[:low].rstrip()), high, f"{line}{name}")
    if not alike:
        if any(DIRECTIVE.match(head.comment) for head in heads):
            raise Refusal("a comment on a head is for that branch only")
        high = high if is_inline(source, run[-1].body) else source.starts[source.line_number(high)]
    deeper = indent + source.indent_unit
    rows: list[str] = []
    for part in parts:
        rows += [deeper + text for text in part.above]
        rows.append(deeper + part.text + (f"  {part.comment}" if part.comment and not alike else ""))
    colon = "" if source.text[high : high + 1] == ":" else f":{newline}"
    text = newline.join(["(", *rows, f"{indent}){name}{colon}"])
    return Edit(source.path, low, high, text)


def _by_or(source: Source, run: Sequence[ast.If]) -> Edit:
    heads = read_heads(source, run)
    plain = [_operand(source, node, head, alone=False) for node, head in zip(run, heads, strict=True)]
    line = " or ".join(plain)
    parts: list[Part] = []
    for node, head in zip(run, heads, strict=True):
        text = _operand(source, node, head, alone=True)
        parts.append(Part(f"or {text}" if parts else text, head.comment, head.above))
    for shown in (line, "\n".join(part.text for part in parts)):
        read = parse_expression(f"({shown}\n)")
        tests = [value for node in run for value in _alternatives(node.test)]
        if read is None or not is_same_tree(tests, _alternatives(read)):
            raise Refusal("its condition cannot be joined exactly")
    return join_heads(source, run, heads, parts, line, "")


def _alternatives(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return [value for each in test.values for value in _alternatives(each)]
    return [test]


def _operand(source: Source, node: ast.If, head: Head, *, alone: bool) -> str:
    """A condition as a part of another one; `alone` on lines of its own, one level deeper."""
    loose = isinstance(node.test, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)
    joined = loose and len(_alternatives(node.test)) > 1
    text = source.segment(node.test)
    if "\n" not in head.subject:
        return f"({text})" if loose and not joined else text
    if alone and joined and re.match(r"\(\s*\n", head.subject) and "#" not in head.subject:
        return text
    text = head.subject if head.bracketed or not loose else f"({text})"
    return shifted(source, text, head.low) if alone else text


def shifted(source: Source, text: str, low: int) -> str:
    """A text of several lines, which begins at an offset, one level deeper; the insides of strings stay."""
    first, inside = source.line_number(low) - 1, string_lines(source)
    rows = text.splitlines(keepends=True)
    deeper = (
        source.indent_unit if at and first + at not in inside and row.strip() else ""
        for at, row in enumerate(rows)
    )
    return "".join(more + row for more, row in zip(deeper, rows, strict=True))
