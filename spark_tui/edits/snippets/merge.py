"""Merge a part of a file, as a model shows it, into the file.

Definitions are placed by name, other lines by the surrounding lines of the file. What was left out (`# ...
existing code ...`) stays. Code that fits nowhere, or in two places, raises `Misplaced`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from spark_tui.edits.code_words import is_elision, leaves_out
from spark_tui.edits.diff import replace_ranges
from spark_tui.edits.indentation import indent_of
from spark_tui.edits.snippets.import_merge import Replacement, are_imports, merged_imports
from spark_tui.edits.snippets.line_runs import LineRun, place_runs
from spark_tui.edits.snippets.outline import Unit, depth, end_of_text, units_of, without_blank_ends
from spark_tui.edits.snippets.parts import (
    SnippetPart,
    after_head,
    are_statements,
    defined_once,
    neighbours,
    nested_home,
    parts_of,
    without_statements,
)
from spark_tui.edits.snippets.run_ends import Misplaced, several_ways


def merge(
    lines: Sequence[str], file_units: Sequence[Unit], snippet: Sequence[str], *, named: bool
) -> list[str]:
    """The file's lines with the snippet merged in; `file_units` are the file's definitions. `named`: the
    text names this file, so that new parts of the snippet may be added. Raises Misplaced."""
    part = without_blank_ends(snippet)
    merger = _Merger(list(lines), part, named)
    units = units_of(part)
    if are_statements(lines, file_units, part, units):
        units = ()
    nested = nested_home(lines, file_units, part, units)
    if nested is not None:
        merger.body(nested.head + 1, nested.end, nested.children, 0, len(part), units, inner=True)
    else:
        merger.body(0, len(lines), file_units, 0, len(part), units)
    return merger.result()


class _Merger:
    """Collects what the snippet replaces in the file."""

    def __init__(self, lines: list[str], part: list[str], named: bool) -> None:
        self.lines = lines
        self.part = part
        self.named = named
        self.out: list[Replacement] = []
        self.bounded = False
        """Whether the body that is placed is one of a definition: what begins it begins the file's."""
        self.indents: tuple[str, str] | None = None
        """The indentation of the definition that is placed, in the snippet and in the file."""

    def result(self) -> list[str]:
        # Of two at one place the one that came first stands first; an insertion stands before a replacement.
        ordered = sorted(self.out, key=itemgetter(0, 1))
        for (_, end, _), (start, _, _) in pairwise(ordered):
            if start < end:
                raise Misplaced("two parts of this code have the same place", start + 1)
        return replace_ranges(self.lines, ordered)

    def body(
        self,
        low: int,
        high: int,
        file_units: Sequence[Unit],
        first: int,
        last: int,
        units: Sequence[Unit],
        *,
        inner: bool = False,
    ) -> None:
        """Place `part[first:last]` in `lines[low:high]`."""
        parts = parts_of(self.part, first, last, defined_once(units, file_units))
        homes = self._homes(file_units, [part.unit for part in parts if part.unit is not None])
        parts = parts_of(self.part, first, last, without_statements(self.part, parts, homes))
        if any(part.unit is not None and part.unit in homes for part in parts):
            self.named = self.named or inner
        self._runs(low, high, parts, homes)
        beside = neighbours(parts, homes)
        for k, part in enumerate(parts):
            if part.unit is None:
                continue
            home = homes.get(part.unit)
            if home is not None:
                self._replace(home, part.unit)
            else:
                self._insert(low, high, part.unit, homes, beside[k])

    def _homes(self, file_units: Sequence[Unit], units: Sequence[Unit]) -> dict[Unit, Unit]:
        """The file's definition that each of the snippet is; several of one name go by their order."""
        of_file = _by_name(file_units)
        out: dict[Unit, Unit] = {}
        for name, mine in _by_name(units).items():
            there = of_file.get(name, [])
            if len(there) == len(mine):
                out |= dict(zip(mine, there, strict=True))
            elif there:
                same = [(unit, self._twin(unit, there)) for unit in mine]
                if any(home is None for _, home in same) and len(there) > 1:
                    at = tuple(home.head + 1 for home in there)
                    raise Misplaced(f"{name} is defined in several places", at[0], candidates=at)
                if len(there) == 1:
                    same = [(mine[0], there[0])]
                out |= {unit: home for unit, home in same if home is not None}
        return out

    def _twin(self, unit: Unit, there: Sequence[Unit]) -> Unit | None:
        """The one with the same decorators and head."""
        wanted = _head_of(self.part, unit)
        found = [home for home in there if _head_of(self.lines, home) == wanted]
        return found[0] if len(found) == 1 else None

    def _replace(self, home: Unit, unit: Unit) -> None:
        inside = self.part[unit.head + 1 : unit.end]
        body = after_head(self.part, unit)
        # A body of three dots is a body where the file has the same.
        stands = [line.strip() for line in self.lines[home.head + 1 : home.end]]
        elided = any(is_elision(line) and line.strip() not in stands for line in inside)
        missing = [c.name for c in home.children if c.name not in {d.name for d in unit.children}]
        partial = bool(missing) and home.kind == "class" and not self._is_all_of(home, unit)
        if not elided and not partial:
            opens = self.part[body - 1].rstrip().endswith((":", "{"))
            if opens and not any(line.strip() for line in self.part[body : unit.end]):
                raise Misplaced(f"the body of {unit.name} is missing", home.head + 1, self.part[unit.head])
            below = self.part[unit.end] if unit.end < len(self.part) else ""
            shown = [line.strip() for line in inside]
            if is_elision(below) and shown[-1:] != stands[-1:] and shown and shown[-1] in stands:
                raise several_ways(below, home.end - 1)  # it may stand for the end of this definition
            self._exchange(home, unit, home.end, unit.end)
            return
        home_body = after_head(self.lines, home)
        self._exchange(home, unit, home_body, body, head_only=True)
        self.named, before = True, self.named
        self.bounded = True
        self.indents, outer = (unit.indent, home.indent), self.indents
        self.body(home_body, home.end, home.children, body, unit.end, unit.children, inner=True)
        self.bounded = False
        self.indents = outer
        self.named = before

    def _is_all_of(self, home: Unit, unit: Unit) -> bool:
        """Whether the class is shown in full although members are missing: it begins and ends like the
        file's, with most of its members."""
        names = [child.name for child in unit.children]
        kept = [child for child in home.children if child.name in names]
        return (
            bool(names)
            and len(kept) >= 3
            and 3 * len(kept) >= 2 * len(home.children)
            and home.children[0].name == names[0]
            and home.children[-1].name in names
        )

    def _exchange(self, home: Unit, unit: Unit, home_end: int, end: int, *, head_only: bool = False) -> None:
        """The file's lines of a definition become the snippet's, in the file's indentation. Decorators that
        the snippet does not show stay, unless nothing else differs."""
        start, first = home.start, unit.start
        if unit.start == unit.head and home.start < home.head:
            head = [line.strip() for line in self.lines[home.head : home_end]]
            same = head == [line.strip() for line in self.part[unit.head : end]]
            if not same or head_only or not self.named:
                start = home.head
        text = self._reindented(first, end, unit.indent, home.indent)
        self.out.append((start, home_end, text))

    def _reindented(self, first: int, last: int, text: str, wanted: str) -> list[str]:
        out = []
        for line in self.part[first:last]:
            if not line.strip():
                out.append(line.strip() if text != wanted else line)
                continue
            if not line.startswith(text):
                raise Misplaced("the indentation of this code fits no place of the file", expected=line)
            out.append(wanted + self._in_file_style(line[len(text) :]))
        return out

    def _in_file_style(self, rest: str) -> str:
        """Tabs where the file indents by tabs only."""
        spaces = len(rest) - len(rest.lstrip(" "))
        if spaces < 2 or not self._tabs():
            return rest
        return "\t" * (spaces // 4) + " " * (spaces % 4) + rest[spaces:]

    def _tabs(self) -> bool:
        indents = {indent_of(line)[:1] for line in self.lines if line.strip()}
        return "\t" in indents and " " not in indents

    def _insert(
        self,
        low: int,
        high: int,
        unit: Unit,
        homes: dict[Unit, Unit],
        beside: tuple[Unit | None, Unit | None],
    ) -> None:
        """A new definition goes next to its neighbours, or else to the end of the enclosing body."""
        if not self.named and not homes:
            raise Misplaced("no definition of the file has this name", expected=self.part[unit.head])
        if unit.indent and not low and not homes:
            message = "the file has no definition next to this indented one"
            raise Misplaced(message, expected=self.part[unit.head])
        if leaves_out(self.part[unit.start : unit.end]):
            message = f"no {unit.name} is in the file, and part of it was left out"
            raise Misplaced(message, expected=self.part[unit.head])
        near = next(iter(homes.values()), None)
        indent = near.indent if near is not None else self._inner_indent(low, high, unit)
        text = self._reindented(unit.start, unit.end, unit.indent, indent)
        before, after = beside
        gap = self._gap(unit, indent)
        if before is not None:
            at = before.end
            self.out.append((at, at, [*gap, *text]))
        elif after is not None:
            self.out.append((after.start, after.start, [*text, *gap]))
        else:
            end = end_of_text(self.lines, low, high)
            self.out.append((end, end, [*(gap if end > low else []), *text]))

    def _inner_indent(self, low: int, high: int, unit: Unit) -> str:
        if low == 0:
            return ""
        return next((indent_of(line) for line in self.lines[low:high] if line.strip()), unit.indent)

    def _gap(self, unit: Unit, indent: str) -> list[str]:
        """The empty lines between definitions of this level."""
        if unit.kind == "value":
            return []
        own = 0
        while unit.start - own > 0 and not self.part[unit.start - own - 1].strip():
            own += 1
        return [""] * min(max(own, 1 if indent else 2), 2) if _is_python(self.lines) else [""]

    def _runs(self, low: int, high: int, parts: Sequence[SnippetPart], homes: dict[Unit, Unit]) -> None:
        """The lines between definitions."""
        k = 0
        for are_definitions, found in groupby(parts, lambda part: part.unit is not None):
            stop = k + len(list(found))
            if not are_definitions:
                self._stretch(low, high, parts, homes, k, stop)
            k = stop

    def _stretch(
        self, low: int, high: int, parts: Sequence[SnippetPart], homes: dict[Unit, Unit], k: int, stop: int
    ) -> None:
        bodies = [part.run for part in parts[k:stop] if part.run is not None]
        if not bodies:
            return
        imports = [body for body in bodies if low == 0 and are_imports(self.part[body[0] : body[1]])]
        imports = [body for body in imports if not any(map(indent_of, self.part[body[0] : body[1]]))]
        if imports:
            bodies = [body for body in bodies if body not in imports]
            for body in imports:
                self.out += merged_imports(self.lines, high, self.part[body[0] : body[1]], self.named)
        if not bodies:
            return
        before = next((homes[p.unit] for p in reversed(parts[:k]) if p.unit in homes and p.unit), None)
        after = next((homes[p.unit] for p in parts[stop:] if p.unit in homes and p.unit), None)
        begin, end = (before.end if before else low), (after.start if after else high)
        shift = self._shift(begin, end, bodies)
        runs = []
        for body in bodies:
            at = next(n for n in range(k, stop) if parts[n].run == body)
            runs.append(
                LineRun(
                    self._reindented(body[0], body[1], *shift),
                    opens=at > 0 and parts[at - 1].elided,
                    closes=at + 1 < len(parts) and parts[at + 1].elided,
                    first=at == 0,
                    last=at + 1 == len(parts),
                    bounded=self.bounded,
                    after=at > 0 and parts[at - 1].unit in homes,
                    before=at + 1 < len(parts) and parts[at + 1].unit in homes,
                )
            )
        for start, stop_at, text in place_runs(self.lines, begin, max(end, begin), runs, self.named):
            self.out.append((start, stop_at, text))

    def _shift(self, low: int, high: int, bodies: Sequence[tuple[int, int]]) -> tuple[str, str]:
        """The common indentation of the runs, and that of the matching lines of the file."""
        filled = [line for a, b in bodies for line in self.part[a:b] if line.strip()]
        stands: dict[str, set[str]] = {}
        for line in self.lines[low:high]:
            stands.setdefault(line.strip(), set()).add(indent_of(line))
        shallow = indent_of(min(filled, key=depth))
        mine, homes = self.indents or ("", "")
        implied = homes + self._in_file_style(shallow[len(mine) :])
        outermost = (line.strip() for line in filled if indent_of(line) == shallow)
        found = [stands[line] for line in outermost if line in stands]
        agree = [implied in indents for indents in found]
        if all(agree) or (self.indents and any(agree)):
            return shallow, implied
        common = set.intersection(*found)
        if len(common) != 1:
            raise several_ways(filled[0])
        return shallow, common.pop()


def _by_name(units: Sequence[Unit]) -> dict[str, list[Unit]]:
    out: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        out[unit.name].append(unit)
    return out


def _head_of(lines: Sequence[str], unit: Unit) -> list[str]:
    return [line.strip() for line in lines[unit.start : unit.head + 1]]


def _is_python(lines: Sequence[str]) -> bool:
    return any(line.rstrip().endswith(":") and line.lstrip().startswith(("def ", "class ")) for line in lines)
