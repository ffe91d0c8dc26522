"""The pieces of a snippet, and where its definitions have their home and their neighbours in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.edits.code_words import is_elision
from spark_tui.edits.snippets.import_merge import are_imports
from spark_tui.edits.snippets.outline import Unit, depth
from spark_tui.edits.snippets.run_ends import Misplaced


@dataclass(frozen=True, slots=True)
class SnippetPart:
    """A piece of a body: a definition, a stretch of other lines, or something left out (both None)."""

    unit: Unit | None = None
    run: tuple[int, int] | None = None

    @property
    def elided(self) -> bool:
        return self.unit is None and self.run is None


def parts_of(lines: Sequence[str], first: int, last: int, units: Sequence[Unit]) -> list[SnippetPart]:
    """The pieces of `lines[first:last]`, in order; `units` are its definitions."""
    out: list[SnippetPart] = []
    starts = {unit.start: unit for unit in units}
    at, run = first, -1

    def close(end: int) -> None:
        nonlocal run
        if run >= 0 and any(line.strip() for line in lines[run:end]):
            out.append(SnippetPart(run=(run, end)))
        run = -1

    while at < last:
        unit = starts.get(at)
        if unit is not None:
            close(at)
            out.append(SnippetPart(unit=unit))
            at = unit.end
        elif is_elision(lines[at]):
            close(at)
            if not out or not out[-1].elided:
                out.append(SnippetPart())
            at += 1
        else:
            run = at if run < 0 else run
            at += 1
    close(last)
    return out


def are_statements(
    lines: Sequence[str], file_units: Sequence[Unit], part: Sequence[str], units: Sequence[Unit]
) -> bool:
    """Whether the values that the snippet sets are those of a body and not of the file: its lines are
    indented, or are lines of the file that are."""
    if any(unit.kind != "value" for unit in units):
        return False
    shown = [line for line in part if line.strip() and not is_elision(line)]
    known = {unit.name for unit in file_units} & {unit.name for unit in units}
    outer = {line.strip() for line in lines if not depth(line)}
    inner = {line.strip() for line in lines if depth(line)} - outer
    if min(map(depth, shown), default=0):
        return not known or any(line.strip() in inner for line in shown)
    return not known and any(not depth(line) and line.strip() in inner for line in shown)


def defined_once(units: Sequence[Unit], file_units: Sequence[Unit]) -> list[Unit]:
    """The definitions without values of a name that is set several times: these are statements."""
    here, there = (Counter(unit.name for unit in found) for found in (units, file_units))
    return [unit for unit in units if unit.kind != "value" or max(here[unit.name], there[unit.name]) <= 1]


def without_statements(
    lines: Sequence[str], parts: Sequence[SnippetPart], homes: dict[Unit, Unit]
) -> list[Unit]:
    """The definitions without new values that stand directly beside statements: they go where these are."""
    statements = [
        part.run is not None and not are_imports(lines[part.run[0] : part.run[1]]) for part in parts
    ]
    beside = [a or b for a, b in zip([False, *statements], [*statements[1:], False], strict=False)]
    return [
        part.unit
        for part, near in zip(parts, beside, strict=True)
        if part.unit is not None and (part.unit in homes or part.unit.kind != "value" or not near)
    ]


def nested_home(
    lines: Sequence[str], file_units: Sequence[Unit], part: Sequence[str], units: Sequence[Unit]
) -> Unit | None:
    """The class to which the snippet's definitions belong, if all of them belong to classes. Of a function
    and a method of one name it is the one with the same head, else the one that is indented alike."""
    names = {unit.name for unit in units if unit.kind != "value"}
    homes = [
        home
        for top in file_units
        for home in top.walk()
        if any(child.name in names for child in home.children)
    ]
    outer = [unit for unit in file_units if unit.name in names]
    if not homes or (outer and not _are_members(lines, outer, homes, part, units)):
        return None
    if len(homes) > 1:
        whole = [home for home in homes if names <= {child.name for child in home.children}]
        if len(whole) != 1:
            at = tuple(child.head + 1 for home in homes for child in home.children if child.name in names)
            raise Misplaced(f"{sorted(names)[0]} is defined in several places", candidates=at)
        return whole[0]
    return homes[0]


def _are_members(
    lines: Sequence[str],
    outer: Sequence[Unit],
    homes: Sequence[Unit],
    part: Sequence[str],
    units: Sequence[Unit],
) -> bool:
    """Whether the snippet's definitions are of these classes although the file has others of their names."""
    heads = {part[unit.head].strip() for unit in units}
    if any(lines[unit.head].strip() in heads for unit in outer):
        return False
    children = [child for home in homes for child in home.children]
    return all(unit.indent for unit in units) or any(lines[child.head].strip() in heads for child in children)


def neighbours(
    parts: Sequence[SnippetPart], homes: dict[Unit, Unit]
) -> list[tuple[Unit | None, Unit | None]]:
    """For each part, the file's definitions directly before and after it in the snippet, with nothing
    left out between them. A new definition next to it is placed the same way."""
    before: list[Unit | None] = []
    last: Unit | None = None
    for part in parts:
        before.append(last)
        if part.elided:
            last = None
        elif part.unit is not None:
            last = homes.get(part.unit, last)
    after: list[Unit | None] = []
    following: Unit | None = None
    for part in reversed(parts):
        after.append(following)
        if part.elided:
            following = None
        elif part.unit is not None:
            following = homes.get(part.unit)
    return list(zip(before, reversed(after), strict=True))


def after_head(lines: Sequence[str], unit: Unit) -> int:
    """The first line of the body: signatures may take several lines."""
    opened = 0
    for at in range(unit.head, unit.end):
        line = lines[at]
        opened += sum(line.count(mark) for mark in "([") - sum(line.count(mark) for mark in ")]")
        if opened <= 0:
            return at + 1
    return unit.head + 1
