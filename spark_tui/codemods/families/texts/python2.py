"""What a file still has for Python 2."""

from __future__ import annotations

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator

from spark_tui.codemods.families.patterns import apply_patterns
from spark_tui.codemods.imports.lines import remove_aliases
from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.codemods.places.named import Region, find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, plan_edits
from spark_tui.codemods.slots import Choice, Place
from spark_tui.pysource.names.imports import ImportNode
from spark_tui.pysource.repository import Repository

_CODING = re.compile(
    r"#[ \t]*(?:-\*-)?[ \t]*(?:en)?coding[:=][ \t]*utf-?8[ \t]*;?[ \t]*(?:-\*-)?[ \t]*\Z", re.I
)
_ALWAYS = frozenset(
    ("print_function", "absolute_import", "division", "unicode_literals", "with_statement", "nested_scopes")
) | {"generators", "generator_stop"}
"""What `__future__` offers and every Python 3 does anyway."""


class Leftover(Choice):
    """A kind of what was needed for Python 2."""

    PREFIX = "prefix"
    OBJECT = "object"
    CODING = "coding"
    FUTURE = "future"
    SUPER = "super"


@codemod
class DropPython2:
    """Take away what only Python 2 needs: `u` before strings, `object` as a base, the line that says utf-8,
    imports from `__future__`, and the arguments of `super`."""

    place: Place = slot("where: `in shop/cart.py`, or `in Cart`")
    only: tuple[Leftover, ...] = slot("the kinds that are meant; empty for all", default=())

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        wanted = self.only or tuple(Leftover)
        edits: list[Edit] = []
        if Leftover.PREFIX in wanted:
            edits += _prefixes(within)
        if Leftover.OBJECT in wanted:
            edits += _bases(repo, within)
        if Leftover.CODING in wanted and within.node is within.source.tree:
            edits += _coding(within)
        if Leftover.FUTURE in wanted:
            edits += _futures(within)
        if Leftover.SUPER in wanted:
            edits += _supers(repo, within)
        if not edits:
            raise Refusal("nothing there is for Python 2 only", why="nothing")
        return plan_edits(repo, edits)


def _prefixes(within: Region) -> Iterator[Edit]:
    source = within.source
    low, high = source.line_span(within.first, within.last)
    for one in source.tokens:
        if one.kind == tokenize.STRING and one.text[:1] in "uU" and low <= one.span[0] < high:
            yield Edit(source.path, one.span[0], one.span[0] + 1, "")


def _bases(repo: Repository, within: Region) -> Iterator[Edit]:
    source, scopes = within.source, repo.index.scopes(within.path)
    for node in within.nodes(ast.ClassDef):
        every = sorted((*node.bases, *node.keywords), key=lambda one: source.span(one)[0])
        found = [one for one in node.bases if isinstance(one, ast.Name) and one.id == "object"]
        if len(found) != 1 or scopes.lookup("object", scopes.of_function(node)) is not None:
            continue
        at = every.index(found[0])
        low, high = source.span(found[0])
        if at + 1 < len(every):
            high = source.span(every[at + 1])[0]
            high -= 2 * (isinstance(every[at + 1], ast.Starred) and source.text[high - 2 : high] == "**")
        elif at:
            low = source.span(every[at - 1])[1]
        else:
            front, behind = source.text[:low].rstrip(), source.text[high:].lstrip()
            behind = behind.removeprefix(",").lstrip()
            if not (front.endswith("(") and behind.startswith(")")):
                continue
            low, high = len(front) - 1, len(source.text) - len(behind) + 1
        if not comments_in(source, low, high):
            yield Edit(source.path, low, high, "")


def _coding(within: Region) -> Iterator[Edit]:
    source = within.source
    for line in range(min(2, len(source.lines))):
        text = source.lines[line].removeprefix("\ufeff")
        if _CODING.match(text.rstrip("\r\n")) and len(text) == len(source.lines[line]):
            below = source.lines[line + 1].strip() if line + 1 < len(source.lines) else "-"
            yield Edit(source.path, *source.line_span(line, line + 1 + (not line and not below)), "")
            return
        if not text.startswith("#"):
            return


def _futures(within: Region) -> list[Edit]:
    gone: dict[ImportNode, list[ast.alias]] = defaultdict(list)
    for node in within.nodes(ast.ImportFrom):
        if node.module == "__future__" and not node.level:
            gone[node] += [alias for alias in node.names if alias.name in _ALWAYS]
    return list(remove_aliases(within.source, {node: names for node, names in gone.items() if names}))


def _supers(repo: Repository, within: Region) -> tuple[Edit, ...]:
    try:
        return apply_patterns(repo, within, pattern_table()["plain_super"]).edits
    except Refusal:
        return ()
