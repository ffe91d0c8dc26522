"""Code-to-code patterns: those of the table, and any that a person writes."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.patterns.conditions import check_needs, is_doubted
from spark_tui.codemods.patterns.forms import Match, Matcher, expression_of, replace_match
from spark_tui.codemods.patterns.table import Pattern, pattern_table
from spark_tui.codemods.places.named import Region, find_region, suites_in_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import names_in, plan_edits
from spark_tui.codemods.rewriting.wrapping import with_broken_lines
from spark_tui.codemods.slots import Place, Statements, Text
from spark_tui.pysource.names.undefined import is_fragment
from spark_tui.pysource.repository import Repository

_HOLE = re.compile(r"(?<!\w)_+[a-z]\w*")


@codemod
class ApplyPattern:
    """Apply a named pattern, such as is_none or list_comprehension, wherever it fits exactly."""

    name: Text = slot("the name of the pattern")
    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12-14")

    def plan(self, repo: Repository) -> Plan:
        if self.name not in pattern_table():
            near = difflib.get_close_matches(self.name, pattern_table(), 3)
            raise Refusal(f"there is no pattern {self.name!r}", tuple(near))
        return apply_patterns(repo, find_region(repo, self.place), pattern_table()[self.name])


@codemod
class Rewrite:
    """Rewrite code by a pattern with placeholders: `_x.has_key(_k)` to `_k in _x`."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12-14")
    old: Statements = slot("the current form; `_x` is an expression, `__b` any statements or arguments")
    new: Statements = slot("what it becomes, with the same holes")

    def plan(self, repo: Repository) -> Plan:
        added = names_in(self.new) - names_in(self.old)
        unknown = sorted(name for name in added if name[:1] == "_" and name.islower())
        if unknown:
            raise Refusal(f"the form has no hole {unknown[0]}")
        if expression_of(self.old) is not None and expression_of(self.new) is None:
            raise Refusal("an expression cannot become statements")
        if _HOLE.fullmatch(self.old.strip()):
            raise Refusal("the current form fits all code")
        one = Pattern("rewrite", "", self.old, self.new)
        return apply_patterns(repo, find_region(repo, self.place), (one,), given=names_in(self.new))


def apply_patterns(
    repo: Repository, within: Region, patterns: Sequence[Pattern], given: set[str] | None = None
) -> Plan:
    """The plan that applies the first form that fits at each place. Places where it is not exact are
    named."""
    source, places = within.source, _Places(within)
    edits: list[Edit] = []
    left: list[Unfollowed] = []
    refused: list[Unfollowed] = []
    doubts: list[Unfollowed] = []
    imports: set[tuple[str, str]] = set()
    taken: list[tuple[int, int]] = []
    for pattern in patterns:
        for match in _matches(within, places, pattern.old):
            low, high = source.span(match.nodes[0])[0], source.span(match.nodes[-1])[1]
            line = source.line_number(low)
            if any(low < end and start < high for start, end in taken):
                left.append(Unfollowed(within.path, line, "it is elsewhere; apply the pattern again"))
                continue
            try:
                check_needs(repo, source, pattern, match, by_hand=given is not None)
                edits.append(replace_match(source, match, pattern.old, pattern.new))
            except Refusal as error:
                refused.append(Unfollowed(within.path, line, str(error)))
                continue
            taken.append((low, high))
            if is_doubted(repo, source, pattern, match):
                doubts.append(Unfollowed(within.path, line, pattern.doubt))
            imports |= set(pattern.imports)
    if not edits:
        raise Refusal(refused[0].reason if refused else f"nothing there looks like {_form(patterns[0])}")
    scopes = repo.index.scopes(within.path)
    fragment = is_fragment(scopes)
    # What a form of the table makes does the same; of a form by hand nobody knows.
    make = plan_edits if given is None else planned_change
    given = {*(given or ()), *(name for _, name in imports if fragment)}
    for module, name in sorted(imports):
        if name not in scopes.module.bound and not fragment:
            edits.append(insert_import(repo, within.path, module or name, name if module else "", ""))
    done = {source.line_number(edit.start) for edit in edits}
    doubts += [*refused, *(unfollowed for unfollowed in left if unfollowed.line not in done)]
    return make(repo, with_broken_lines(source, edits), doubts, given=given)


def _form(pattern: Pattern) -> str:
    """The form that a pattern looks for, for a sentence: `… == None`."""
    text = _HOLE.sub("…", pattern.old)
    return f"`{text}`" if "\n" not in text else "that form"


class _Places:
    """Where forms may stand in a region, which is walked through once for all of them."""

    def __init__(self, within: Region) -> None:
        self._within = within

    @cached_property
    def expressions(self) -> list[ast.expr]:
        return self._within.nodes(ast.expr)

    @cached_property
    def statements(self) -> frozenset[int]:
        return frozenset(map(id, self._within.nodes(ast.stmt)))

    @cached_property
    def suites(self) -> list[list[ast.stmt]]:
        return list(suites_in_region(self._within.source, self._within))

    @cached_property
    def whole(self) -> _Places:
        """Those of the whole file."""
        source = self._within.source
        return _Places(Region(source, 0, len(source.lines)))

    def matches(self, form: str) -> Iterator[Match]:
        """Where a form stands with all that it takes."""
        matcher = Matcher(self._within.source, form)
        if matcher.expression is not None:
            yield from matcher.matches(self.expressions, [])
            return
        for match in matcher.matches([], self.suites):
            if all(id(node) in self.statements for node in match.nodes):
                yield match


def _matches(within: Region, places: _Places, form: str) -> list[Match]:
    """Where a form stands in a region. Of a single line, which is all that a linter names, what begins there
    counts, or else the smallest that holds it; of lines without any, the smallest that holds them."""
    source = within.source
    several = within.node is not None or within.last > within.first + 1
    inside = list(places.matches(form)) if several else []
    if inside or within.node is not None:
        return inside
    found = places.whole.matches(form)
    extents = ((one, source.first_line(one.nodes[0]), source.last_line(one.nodes[-1])) for one in found)
    held = [one for one in extents if one[1] <= within.first and within.last <= one[2]]
    begun = [match for match, first, _ in held if first == within.first]
    smallest = sorted(held, key=lambda one: one[2] - one[1])[:1]
    return begun or [match for match, _, _ in smallest]
