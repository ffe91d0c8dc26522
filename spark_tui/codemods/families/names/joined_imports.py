"""Imports of one module joined to one statement, and an import of several names parted into one for each."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.imports.graph import effect_order, order_doubts
from spark_tui.codemods.imports.lines import name_key, remove_statement
from spark_tui.codemods.places.named import need_source
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, plan_edits, refuse_lost_comments
from spark_tui.codemods.slots import FilePath, Text
from spark_tui.pysource.names.imports import ImportNode
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_WIDEST = 88


def _module(node: ast.stmt) -> str:
    """The module that names are imported from, with the dots of a relative one; else nothing."""
    return "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""


@codemod
class MergeImports:
    """Join the imports of names from one module to one; what is imported twice is named once."""

    path: FilePath = slot("the file")
    module: Text = slot("the module; empty for each from which several import", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        source = need_source(repo, self.path)
        groups = [group for group in _groups(source) if not self.module or _is_of(group[0], self.module)]
        if not groups:
            where = f"no two statements of {self.path} import names from"
            raise Refusal(f"{where} {self.module or 'one module'}", why="nothing")
        edits = [edit for group in groups for edit in _merged(source, group)]
        plan = plan_edits(repo, edits, [doubt for group in groups for doubt in _between(source, group)])
        after = repo.with_changes(plan.texts(repo))
        doubts = [*plan.unfollowed, *order_doubts(repo, self.path)]
        if effect_order(repo, self.path) != effect_order(after, self.path):
            line = groups[0][0].lineno
            doubts.append(Unfollowed(self.path, line, "these imports do something, in another order now"))
        return replace(plan, unfollowed=tuple(sorted(set(doubts))))


def _groups(source: Source) -> Iterator[list[ast.ImportFrom]]:
    """The imports of names from one module that stand in one block, where there are several."""
    found: dict[tuple[int, str], list[ast.ImportFrom]] = defaultdict(list)
    for node in source.statements:
        if isinstance(node, ast.ImportFrom) and node.names[0].name != "*":
            found[id(source.suite(node)), _module(node)].append(node)
    yield from (group for group in found.values() if len(group) > 1)


def _merged(source: Source, group: Sequence[ast.ImportFrom]) -> Iterator[Edit]:
    first, *others = group
    for one in others:
        low, high = source.line_span(source.first_line(one), source.last_line(one))
        if comments := comments_in(source, low, high):
            raise Refusal(f"{source.path}:{one.lineno}: the comment {comments[0]!r} would be lost")
        yield remove_statement(source, one)
    each = [[source.segment(alias) for alias in one.names] for one in group]
    names = list(dict.fromkeys(name for own in each for name in own))
    one_each = len({name.split()[-1] for name in names}) == len(names)  # of two with a name the last holds
    if one_each and all(own == sorted(own, key=name_key) for own in each):
        names.sort(key=name_key)
    edit = _with_names(source, first, names)
    refuse_lost_comments(source, [edit])
    yield edit


def _with_names(source: Source, node: ast.ImportFrom, names: Sequence[str]) -> Edit:
    """The names of an import exchanged: on a line each where they stood so, or where one is too long."""
    start, end = source.span(node)
    low, high = source.span(node.names[0])[0], source.span(node.names[-1])[1]
    lines = {source.first_line(alias) for alias in node.names}
    if len(lines) == len(node.names) > 1:
        return Edit(source.path, low, high, f",{source.newline}{_margin(source, max(lines))}".join(names))
    line = ", ".join(names)
    width = source.position(start)[1] + len(source.text[start:low]) + len(line) + len(source.text[high:end])
    if width <= _WIDEST or len(lines) > 1:
        return Edit(source.path, low, high, line)
    indent = _margin(source, source.first_line(node))
    inner = "".join(f"{indent}{source.indent_unit}{name},{source.newline}" for name in names)
    head = source.text[start:low].rstrip(" (")
    return Edit(source.path, start, end, f"{head} ({source.newline}{inner}{indent})")


def _margin(source: Source, line: int) -> str:
    text = source.lines[line]
    return text[: len(text) - len(text.lstrip())]


def _between(source: Source, group: Sequence[ast.ImportFrom]) -> Iterator[Unfollowed]:
    """A doubt where what is no import runs between imports that become one. Of names that other imports
    there give, too, the last one would no longer hold."""
    suite = source.suite(group[0])
    inside = suite[suite.index(group[0]) : suite.index(group[-1])]
    given = {alias.asname or alias.name: node for node in group for alias in node.names}
    for one in inside:
        for alias in one.names if isinstance(one, ImportNode) and one not in group else ():
            name = alias.asname or alias.name.partition(".")[0]
            if name in given and given[name].lineno > one.lineno:
                raise Refusal(f"{source.path}:{one.lineno}: {name} is imported from elsewhere there, too")
    for one in inside:
        if not isinstance(one, ImportNode):
            yield Unfollowed(source.path, one.lineno, "it runs behind the import of all names now")
            return


@codemod
class SplitImport:
    """Part an import of several modules or names into one statement for each."""

    path: FilePath = slot("the file")
    module: Text = slot(
        "a module that it imports, or that it imports names from; empty for each import of several modules",
        default=Text(""),
    )

    def plan(self, repo: Repository) -> Plan:
        source = need_source(repo, self.path)
        found = [node for node in source.statements if self._is_meant(node)]
        edits = [_parted(source, node) for node in found if isinstance(node, ImportNode)]
        if not edits:
            what = f"an import of {self.module}" if self.module else "one import of several modules"
            raise Refusal(f"nothing in {self.path} is {what} that can be parted", why="nothing")
        return plan_edits(repo, edits)

    def _is_meant(self, node: ast.stmt) -> bool:
        if not isinstance(node, ImportNode) or len(node.names) < 2:
            return False
        if isinstance(node, ast.ImportFrom):
            return _is_of(node, self.module)
        return not self.module or any(alias.name == self.module for alias in node.names)


def _is_of(node: ast.ImportFrom, module: str) -> bool:
    """Whether names are imported from a module, which may be named without the dots of a relative one."""
    return module in (name := _module(node), name.lstrip("."))


def _parted(source: Source, node: ImportNode) -> Edit:
    """Split an import into one for each of its names; each keeps the comment at the end of the line."""
    start, end = source.span(node)
    line = source.first_line(node)
    last = source.text[end : source.starts[source.last_line(node)]]
    behind, margin = last.rstrip("\r\n"), _margin(source, line)
    if comments_in(source, start, end) or source.text[source.starts[line] : start].strip() or ";" in behind:
        raise Refusal(f"{source.path}:{node.lineno}: it stands on a line with something else")
    head = f"from {_module(node)} import" if isinstance(node, ast.ImportFrom) else "import"
    ending = f"{behind}{source.newline}{margin}"
    return Edit(source.path, start, end, ending.join(f"{head} {source.segment(one)}" for one in node.names))
