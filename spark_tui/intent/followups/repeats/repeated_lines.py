"""An edit of lines repeated elsewhere: in a named place, for another thing, or everywhere."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.edits.indentation import indent_of
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.places_left_out import Place, find_left_out
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import (
    LineChange,
    calls_for,
    changes_of_edit,
    functions_around,
    lines_of,
    tokens_of,
)
from spark_tui.intent.followups.repeats.like_statements import like_statements
from spark_tui.intent.followups.repeats.wrapped_bodies import wrapped_bodies
from spark_tui.intent.followups.repeats.wrapped_values import repeat_wrapping
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import PLACES, Reading, Span
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in
from spark_tui.shared_ends import same_ends

_THINGS = ("parameter", "variable", "class", "function", "symbol")
_OBJECTS = ("self", "cls")
_MOST_CONTEXT = 3
_IN_PART = Doubt("what else the last edit wrote is not written there", DoubtKind.UNDONE)
_MOST_FUNCTIONS = 200
_CALL = re.compile(r"([\w.]+)\s*\(")


@dataclass(frozen=True)
class _LineRewrite:
    """Tokens of a line and what they became; `callee` where an argument was added to its call, or to one of
    its module, if it ends with a dot."""

    old: tuple[str, ...]
    new: str
    callee: str = ""
    argument: str = ""

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What stands in each line that is rewritten."""
        return (self.callee,) if self.callee else tuple(dict.fromkeys(self.old))


def repeat_lines(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to make the earlier change elsewhere, as well or instead, for the repository before it."""
    before, found = situation.before, changes_of_edit(situation)
    if before is None or not found:
        return []
    spans = tuple(span for slot in dict.fromkeys((*_THINGS, *PLACES)) for span in reading.slots.get(slot, ()))
    paths = list(dict.fromkeys(item.path for item in found))
    more: list[LineChange] = []
    if reading.intent == "amend.everywhere":
        more = [change for path in paths for change in _lines_rewritten_alike(found, situation, path, [])]
    elif spans:
        where = find_left_out(spans, replace(situation, repo=before), names_of(before, situation.path))
        for path in paths:
            more += _for_things(found, situation, path, spans)
            if not more and where:
                more += _lines_rewritten_alike(found, situation, path, where) or list(
                    _inserted(found, situation, path, where)
                )
            more = more or list(repeat_wrapping(found, situation, path, spans, where))
            more = more or list(wrapped_bodies(found, situation, path, where))
            things = [span for slot in _THINGS[:2] for span in reading.slots.get(slot, ())]
            named = [span for slot in PLACES for span in reading.slots.get(slot, ())]
            near = find_left_out(named, replace(situation, repo=before), names_of(before, situation.path))
            if not more and (near or not named):
                more = like_statements(found, situation, path, things, near)
            if not more and named:
                # What is named may only be used there.
                more = like_statements(found, situation, path, spans, ())
                more = more if len(more) == 1 else []
    more = list(dict.fromkeys(more))  # what was written twice is written once more
    if not more:
        return []
    if reading.intent == "amend.place":
        # What stands outside of all functions came with it, such as an import.
        inside = [item for item in found if functions_around(item, situation.behind)]
        found = [item for item in found if item not in inside] if inside else []
    kept = [*found, *more]
    calls = calls_for(kept, {}, before)
    doubts = (_IN_PART,) if _is_in_part(found, more, situation) else ()
    return [Candidate(calls, reading, doubts, 0.8, from_before=True)] if calls else []


def _is_in_part(found: Sequence[LineChange], more: Sequence[LineChange], situation: Situation) -> bool:
    """Whether the edit changed more places of each function than are changed elsewhere."""
    homes = Counter((one.path, *functions_around(one, situation.behind)) for one in found)
    inside = [count for home, count in homes.items() if len(home) > 1]
    return bool(inside) and len(more) < min(inside)


def all_alike(found: Sequence[LineChange], situation: Situation, path: str) -> Iterator[LineChange]:
    """What the edit did in a file, done at each other place of it where that can be."""
    assert situation.before is not None
    yield from _lines_rewritten_alike(found, situation, path, [])
    yield from like_statements(found, situation, path, (), ())
    source = situation.before.index.source(path)
    for function in source.functions[:_MOST_FUNCTIONS]:
        where = [(path, *source.line_span(source.first_line(function), source.last_line(function)))]
        yield from _inserted(found, situation, path, where)
        yield from repeat_wrapping(found, situation, path, (), where)


def _free(found: Sequence[LineChange], path: str) -> set[int]:
    """The lines that the earlier edit changed."""
    return {at for change in found if change.path == path for at in range(change.first, change.last)}


def _for_things(
    found: Sequence[LineChange], situation: Situation, path: str, spans: Sequence[Span]
) -> list[LineChange]:
    """The change of a line that is the same but for one word, for another thing."""
    assert situation.before is not None
    lines, taken, out = lines_of(path, situation.before), _free(found, path), []
    for change in (item for item in found if item.path == path and item.old and item.new):
        old = [[item.text for item in tokens_of(line)] for line in change.old]
        words = {word for line in old for text in line for word in re.findall(r"\w+", text)}
        for span in spans:
            thing = span.text.strip("`'\"()").rpartition(".")[2]
            if not thing.isidentifier() or thing in words:
                continue
            for word in words:
                wanted = [[_swapped(text, word, thing) for text in line] for line in old]
                size = len(wanted)
                for at in _lines_with(max(wanted[0], key=len, default=""), lines) if wanted != old else ():
                    rows = range(at, at + size)
                    like = [[item.text for item in tokens_of(line)] for line in lines[at : at + size]]
                    if like == wanted and taken.isdisjoint(rows):
                        was, now = indent_of(change.old[0]), indent_of(lines[at])
                        swapped = (_swapped(line, word, thing) for line in change.new)
                        new = tuple(now + line.removeprefix(was) if line else line for line in swapped)
                        out.append(LineChange(path, at, at + size, at, lines[at : at + size], new))
                        taken |= set(rows)
                        break
    return out


def _lines_with(token: str, lines: Sequence[str]) -> list[int]:
    """The lines in which a token stands; without one the blank lines."""
    return [at for at, line in enumerate(lines) if (token in line if token else not line.strip())]


def _swapped(text: str, word: str, other: str) -> str:
    return re.sub(rf"\b{re.escape(word)}\b", other, text)


def _rewrites(change: LineChange) -> Iterator[_LineRewrite]:
    """What the change did to a line, the narrowest first."""
    if len(change.old) == len(change.new) == 1:
        old, new = tokens_of(change.old[0]), tokens_of(change.new[0])
        was, now = [item.text for item in old], [item.text for item in new]
        first, last = same_ends(was, now)
        added = change.new[0][new[first].start : new[-last - 1].end] if first < len(now) - last else ""
        callee = _callee(change.new[0][: new[first].start]) if first < len(new) else ""
        if was:
            yield _LineRewrite(tuple(was), change.new[0].strip())
        if first == len(was) - last and added.startswith(",") and callee:
            yield _LineRewrite((), "", callee, added.lstrip(", "))
            if (module := callee.partition(".")[0]) not in (*_OBJECTS, callee):
                yield _LineRewrite((), "", f"{module}.", added.lstrip(", "))
        # What is only a word is known by what stands around it.
        high = len(was) - last
        for low in dict.fromkeys(max(first - count, 0) for count in (_MOST_CONTEXT, 2, 1)):
            if high - low > 1 and low < len(now) - last:
                start, end = new[low].start, new[len(now) - last - 1].end
                yield _LineRewrite(tuple(was[low:high]), change.new[0][start:end])


def _callee(text: str) -> str:
    """The call in whose brackets a text ends."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")]}") - (text[at] in "([{")
        if depth < 0:
            found = re.search(r"[\w.]+\Z", text[:at])
            return found[0] if found and text[at] == "(" else ""
    return ""


def _lines_rewritten_alike(
    found: Sequence[LineChange], situation: Situation, path: str, where: Sequence[Place]
) -> list[LineChange]:
    """Lines in some places, or in the whole file, that are rewritten like those of the edit."""
    lines, taken, offset = [], _free(found, path), 0
    assert situation.before is not None
    for at, line in enumerate(lines_of(path, situation.before)):
        if not where or any(one == path and (high < 0 or low <= offset < high) for one, low, high in where):
            lines.append((at, line))
        offset += len(line) + 1
    out: dict[int, LineChange] = {}
    for change in (item for item in found if item.path == path):
        for rule in _rewrites(change):
            free = ((at, line) for at, line in lines if at not in taken and at not in out)
            new = {at: _rewritten(line, rule) for at, line in free if all(one in line for one in rule.parts)}
            made = [
                LineChange(path, at, at + 1, at, (line,), (new[at],))
                for at, line in lines
                if new.get(at, line) != line
            ]
            out |= {item.first: item for item in made}
            if made:
                break
    return list(out.values())


def _rewritten(line: str, rule: _LineRewrite) -> str:
    if rule.callee:
        for found in _CALL.finditer(line):
            end = _closing(line, found.end() - 1)
            inside = line[found.end() : end]
            name = rule.argument.partition("=")[0]
            same = found[1] == rule.callee or (rule.callee[-1] == "." and found[1].startswith(rule.callee))
            if same and end > 0 and f"{name}=" not in inside.replace(" ", ""):
                return line[:end] + (", " if inside.strip() else "") + rule.argument + line[end:]
        return line
    tokens = tokens_of(line)
    texts = tuple(token.text for token in tokens)
    size = len(rule.old)
    for at in range(len(texts) - size + 1):
        if texts[at : at + size] == rule.old and rule.new not in line:
            return line[: tokens[at].start] + rule.new + line[tokens[at + size - 1].end :]
    return line


def _closing(line: str, at: int) -> int:
    depth = 0
    for place in range(at, len(line)):
        depth += (line[place] in "([{") - (line[place] in ")]}")
        if depth == 0:
            return place
    return -1


def _inserted(
    found: Sequence[LineChange], situation: Situation, path: str, where: Sequence[Place]
) -> Iterator[LineChange]:
    """Lines that were put at the start or end of a function, put there in another one."""
    assert situation.before is not None
    blocks = [
        change
        for change in found
        if change.path == path and not change.old and any(line.strip() for line in change.new)
    ]
    source = situation.before.index.source(path)
    starts = {_start(function): function for function in source.functions}
    ends = {_end(function): function for function in source.functions}
    homes = {block: starts.get(block.first + 1) or ends.get(block.first + 1) for block in blocks}
    for block, home in homes.items():
        spot = _start if block.first + 1 in starts else _end
        if home is None:
            continue
        alike = {one: at for one, at in homes.items() if at is not None and _kind(one) == _kind(block)}
        for one in source.functions:
            nearest = min(alike, key=lambda other: abs(other.first - one.lineno))
            low, _ = source.line_span(source.first_line(one), source.last_line(one))
            inside = any(each == path and low == at for each, at, _ in where)
            if inside and nearest is block and one not in alike.values():
                lines, at = source.lines, spot(one) - 1
                beside = one.body[-1].lineno - 1
                indent = indent_of(lines[beside]) if beside < len(lines) else "    "
                was = indent_of(block.new[0])
                moved = (indent + line.removeprefix(was) if line.strip() else line for line in block.new)
                new = tuple(_with_parameters(line, home, one) for line in moved)
                if not _lacks(new, home, one):
                    yield LineChange(path, at, at, at, (), new)


def _kind(block: LineChange) -> str:
    """What lines begin with: a keyword, a name or quotes."""
    begins = re.match(r"\s*(\w+|[\"']+)", block.new[0])
    return begins[1] if begins is not None else ""


def _end(function: Function) -> int:
    """The line of what a function returns last, or the one after its last statement."""
    last = function.body[-1]
    return last.lineno if isinstance(last, ast.Return) else int(last.end_lineno or last.lineno) + 1


def _own(function: Function) -> list[str]:
    return [parameter.arg for parameter in parameters(function) if parameter.arg not in _OBJECTS]


def _with_parameters(line: str, home: Function, other: Function) -> str:
    """A line about parameters of a function, about the attributes of another one that are called so; one
    about the only parameter, about that of the other one."""
    own, there = _own(home), _own(other)
    held = {ast.unparse(node) for node in find_nodes(other, ast.Attribute)}
    for name in (item for item in own if item not in there and f"self.{item}" in held):
        line = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", f"self.{name}", line)
    return _swapped(line, own[0], there[0]) if len(own) == len(there) == 1 else line


def _lacks(lines: Sequence[str], home: Function, other: Function) -> bool:
    """Whether lines name parameters of a function that another one does not know."""
    words = {word for line in lines for word in re.findall(r"(?<![\w.])\w+", line)}
    known = names_in(other) | set(_own(other))
    return bool(words & set(_own(home)) - known)


def _start(function: Function) -> int:
    """The line of the first statement after the docstring, or the one after that."""
    first, *rest = function.body
    if getattr(getattr(first, "value", None), "value", None).__class__ is not str:
        return int(first.lineno)
    return int(rest[0].lineno) if rest else int(first.end_lineno or first.lineno) + 1
