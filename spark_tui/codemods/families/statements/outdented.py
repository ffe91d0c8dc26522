"""Code that moves one level out: an `if` that is alone in an `else`, and what an `if` holds without it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from spark_tui.codemods.checks.oldest_python import holds_on_pythons
from spark_tui.codemods.families.statements.alike_branches import read_heads, suite_end
from spark_tui.codemods.families.statements.branches import always_leaves, list_branches, lost_locals
from spark_tui.codemods.imports.doubts import import_doubts
from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import Region, find_region, find_unbound_names, is_inline, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import DIRECTIVE, parses_to, plan_edits, string_lines
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.codemods.slots import Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LEAVING, find_nodes, walk_each

_ELSE = re.compile(r"\s*(?P<word>else\s*:\s*)(?P<comment>#.*)?$")
_ASKS = re.compile(
    r"_?(?:is|has|can|should|supports|needs)(?:[A-Z_]\w*)?|is\w+|hasattr|issubclass|callable|len|getattr|bool"
    r"|int|str|float|type|any|all|min|max|sum|set|list|tuple|dict|sorted|abs|exists|startswith|endswith"
    r"|get|getenv|lower|upper|strip|keys|values|items|count|match|search|fullmatch"
)
"""Calls that only look at something."""


@dataclass(frozen=True)
class Block:
    """Lines `first..last-1` that move from one indentation to another."""

    first: int
    last: int
    to: str
    indent: str


def move_out(
    source: Source, blocks: Collection[Block], gone: Collection[int], words: Mapping[int, str]
) -> Iterator[Edit]:
    """The edits that move blocks, which may lie in each other. Lines that are gone go, and some get the start
    of a word; the insides of strings stay."""
    inside = string_lines(source)
    cuts: dict[int, set[int]] = defaultdict(set)
    for block in blocks:
        for line in range(block.first, block.last):
            text = source.lines[line]
            blank = len(text) - len(text.lstrip(" \t\f"))
            if text.strip() and line not in inside:
                cuts[line] |= set(range(len(block.to), min(len(block.indent), blank)))
    for line in sorted(gone):
        yield Edit(source.path, *source.line_span(line, line + 1), "")
    for line, cut in cuts.items():
        if cut and line not in gone:
            low, high = min(cut), max(cut) + 1
            kept = "".join(source.lines[line][at] for at in range(low, high) if at not in cut)
            start = source.starts[line]
            yield Edit(source.path, start + low, start + high, kept + words.get(line, ""))


def _else_line(source: Source, owner: ast.If) -> int:
    lines = range(source.last_line(owner.body[-1]), source.last_line(owner.orelse[0]))
    return next((at for at in lines if _ELSE.match(source.lines[at].rstrip("\r\n"))), lines.start)


@codemod
class UseElif:
    """Write an `if` that stands alone in an `else` as `elif`, its body one level out; also those in it."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the else")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        owners = list(_owners(within))
        if not owners:
            raise Refusal("no if stands alone in an else", why="nothing")
        blocks: list[Block] = []
        edits: list[Edit] = []
        left: list[Unfollowed] = []
        gone: set[int] = set()
        words: dict[int, str] = {}
        for owner in owners:
            inner, line = owner.orelse[0], _else_line(source, owner)
            found = _ELSE.match(source.lines[line].rstrip("\r\n"))
            if found is None or (found["comment"] and DIRECTIVE.match(found["comment"])):
                reason = "what is on the line of the else is for that branch alone"
                left.append(Unfollowed(source.path, line + 1, reason))
                continue
            end = suite_end(source, [inner])
            blocks.append(Block(line + 1, end, source.indent(owner), source.indent(inner)))
            words[inner.lineno - 1] = "el"
            gone |= {at for at in range(line, inner.lineno - 1) if not source.lines[at].strip()}
            if found["comment"]:
                low, high = (source.starts[line] + at for at in found.span("word"))
                edits.append(Edit(source.path, low, high, ""))
            else:
                gone.add(line)
        if not blocks:
            raise Refusal(f"{source.path}:{left[0].line}: {left[0].reason}")
        edits += move_out(source, blocks, gone, words)
        if not parses_to(source, edits, {}):
            raise Refusal(f"{source.path}:{owners[0].lineno}: the if cannot be moved out exactly")
        return plan_edits(repo, edits, left)


def _owners(within: Region) -> Iterator[ast.If]:
    """The `if`s of a region that have nothing but an `if` in their `else`. Of lines without any the one whose
    `else` is there, or the innermost around them, and those in it."""
    source = within.source
    found = [node for node in within.nodes(ast.If) if _inner_if(source, node)]
    if found or within.node is not None:
        yield from found
        return
    every = [node for node in source.statements if isinstance(node, ast.If) and _inner_if(source, node)]
    every.sort(key=lambda one: one.lineno)
    around = [one for one in every if one.lineno <= within.first + 1 and within.last <= source.last_line(one)]
    here = [one for one in around if _else_line(source, one) <= within.first < one.orelse[0].lineno]
    for node in (here or around)[-1:]:
        while (inner := _inner_if(source, node)) is not None:
            yield node
            node = list_branches(source, inner)[-1]


def _inner_if(source: Source, node: ast.If) -> ast.If | None:
    """The `if` that stands alone in an `else`."""
    match node.orelse:
        case [ast.If() as inner] if not is_elif(source, inner):
            return inner
    return None


@codemod
class UnwrapIf:
    """Take an `if` away; the code inside stays and always runs, and an `else` goes. Of a check for an older
    Python the `else` stays."""

    place: Place = slot("where: `in fetch`, or the line of the if")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        node = need_one(within.heads(ast.If), "if", within)
        if is_elif(source, node) or len(list_branches(source, node)) > 1:
            raise Refusal(f"line {node.lineno}: it is one of several branches, with elif")
        holding = holds_on_pythons(repo, node.test)
        kept, gone = (node.orelse, node.body) if holding[-1] is False else (node.body, node.orelse)
        if not kept:
            raise Refusal(f"line {node.lineno}: what is inside is for an older Python and never runs")
        edits = list(_without_head(source, node, kept))
        for one in walk_each((*gone, node.test)):
            here = source.function_of(one) is source.function_of(node)
            if here and isinstance(one, ast.Yield | ast.YieldFrom):
                raise Refusal(f"line {one.lineno}: its yield makes the function a generator")
            if here and isinstance(one, ast.Global | ast.Nonlocal):
                raise Refusal(f"line {one.lineno}: it says whose name {one.names[0]} is")
        if gone:
            low, high = source.span(gone[0])[0], source.span(gone[-1])[1]
            for name, _ in lost_locals(repo, source, [Edit(source.path, low, high, "")]):
                raise Refusal(f"{name} is a name of its function because it is set there")
        doubts = [*_doubts(repo, source, node, kept, gone)]
        if len({*holding} - {None}) > 1:
            doubts.append(Unfollowed(source.path, node.lineno, "it is not the same on all Pythons"))
        if None in holding:
            doubts += import_doubts(repo, edits[:1])
        return plan_edits(repo, with_lost_imports(repo, edits), doubts)


def _without_head(source: Source, node: ast.If, kept: list[ast.stmt]) -> Iterator[Edit]:
    """The edits that leave one suite of an `if`, with a comment behind its head above it."""
    end = suite_end(source, kept)
    if node.orelse and kept is node.body:
        yield Edit(source.path, *source.line_span(end, max(end, suite_end(source, node.orelse))), "")
    if is_inline(source, kept):
        yield Edit(source.path, source.span(node)[0], source.span(kept[0])[0], "")
        return
    head = read_heads(source, [node])[0]
    first, start, comment = source.line_number(head.colon), node.lineno - 1, head.comment
    if kept is node.orelse:
        first = _else_line(source, node) + 1
        found = _ELSE.match(source.lines[first - 1].rstrip("\r\n"))
        comment = (found["comment"] or "") if found is not None else ""
    while not source.lines[first].strip():
        first += 1
    if comment and not DIRECTIVE.match(comment):
        yield Edit(
            source.path, *source.line_span(start, first), source.indent(node) + comment + source.newline
        )
    else:
        yield Edit(source.path, *source.line_span(start, first), "")
    yield from move_out(source, [Block(first, end, source.indent(node), source.indent(kept[0]))], (), {})


def _doubts(
    repo: Repository, source: Source, node: ast.If, kept: list[ast.stmt], gone: list[ast.stmt]
) -> Iterator[Unfollowed]:
    """What may be otherwise than it was meant once a condition is gone."""
    line, shown = node.lineno, ast.unparse(node.test)
    if gone:
        yield from find_unbound_names(repo, source, gone)
    for call in find_nodes(node.test, ast.Call):
        name = ast.unparse(call.func)
        if not _ASKS.fullmatch(name.rpartition(".")[2]):
            yield Unfollowed(source.path, line, f"{name} is no longer called")
    for awaited in find_nodes(node.test, ast.Await):
        if not isinstance(awaited.value, ast.Call):
            yield Unfollowed(source.path, line, f"{ast.unparse(awaited.value)} is no longer awaited")
    inside = set(find_nodes(node.test, ast.Name))
    outside = {
        one.id for one in find_nodes(source.function_of(node) or source.tree, ast.Name) if one not in inside
    }
    for walrus in find_nodes(node.test, ast.NamedExpr):
        if walrus.target.id in outside:
            raise Refusal(f"line {line}: the condition sets {walrus.target.id}")
    asked = {ast.unparse(one) for one in find_nodes(node.test, ast.expr)}
    for target in (one for stmt in kept if isinstance(stmt, ast.Assign) for one in stmt.targets):
        holder = target.value if isinstance(target, ast.Subscript) else target
        if not asked.isdisjoint((ast.unparse(target), ast.unparse(holder))):
            yield Unfollowed(source.path, line, f"{ast.unparse(target)} is set whatever it was before")
    ends = source.suite(node)[-1] is node and isinstance(source.parents.get(node), Function)
    if isinstance(kept[-1], ast.Raise):
        yield Unfollowed(source.path, line, "it always raises now")
    elif not ends and (isinstance(kept[-1], LEAVING) or always_leaves(kept)):
        yield Unfollowed(source.path, line, "what follows is never reached now")
    if "__name__" in shown:
        yield Unfollowed(source.path, line, "it also runs when the file is imported now")
    if any(word in shown for word in ("sys.platform", "os.name", "platform.system")):
        yield Unfollowed(source.path, line, "it also runs on other systems now")
    if shown.endswith("TYPE_CHECKING"):
        yield Unfollowed(source.path, line, "it also runs without a type checker now")
