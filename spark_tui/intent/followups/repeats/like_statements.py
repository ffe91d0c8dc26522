"""What an edit did to a statement, done to others that are named by their words or place: one more argument,
another error."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import TypeGuard

from spark_tui.codemods.hunks import bare_lines
from spark_tui.intent.building.rewritten import replace_within
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.places_left_out import Place
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.followups.repeats.wrapped_values import is_no_number
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.tree_comparison import parse_statement

Path = tuple[tuple[str, int], ...]
"""Fields that lead from a node to one in it, each with the place in a list, or -1."""
_SHORT = 2
_MOST = 20
"""Changes whose like is looked for."""


@dataclass(frozen=True, eq=False)
class _Rule:
    """The only thing in a statement that an edit changed, and where that was: an argument was added, where
    there was nothing."""

    statement: ast.stmt
    path: Path
    old: ast.AST | None
    new: ast.AST
    code: str
    around: tuple[str, str] = ("", "")
    """What was put around what was there."""


def like_statements(
    found: Sequence[LineChange],
    situation: Situation,
    path: str,
    spans: Sequence[Span],
    where: Sequence[Place],
) -> list[LineChange]:
    """The changes of the statements that are named by most of their words, or of those in a place."""
    assert situation.before is not None
    source = situation.before.index.source(path)
    words = {word for span in spans for word in split_name(span.text) if len(word) >= _SHORT}
    mine = [change for change in found if change.path == path]
    taken = {at for change in mine for at in range(change.first, change.last)}
    rules = [rule for change in mine[:_MOST] if (rule := _rule(change)) is not None]
    out: dict[LineChange, int] = {}
    for node in source.statements if rules else ():
        low, high = node.lineno - 1, source.last_line(node)
        begin, end = source.span(node)
        inside = not where or any(one == path and first <= begin < last for one, first, last in where)
        if not inside or isinstance(node, Definition) or not taken.isdisjoint(range(low, high)):
            continue
        text = source.segment(node)
        if words and not any(word in text.lower() for word in words):
            continue
        count = len(words & set(split_name(text)))
        made = (_applied(source, node, rule, count > 0) for rule in rules if count or not words)
        code = next((item for item in made if item not in (None, text)), None)
        if code is not None:
            whole = source.text[source.starts[low] : begin] + code + source.text[end : _line_end(source, end)]
            old = tuple(line.rstrip("\r\n") for line in source.lines[low:high])
            out[LineChange(path, low, high, low, old, bare_lines(whole))] = count
    most = max(out.values(), default=0)
    return [one for one, count in out.items() if count == most]


def _line_end(source: Source, at: int) -> int:
    found = source.text.find("\n", at)
    return found if found >= 0 else len(source.text)


def _rule(change: LineChange) -> _Rule | None:
    old, new = _statement(change.old), _statement(change.new)
    if old is None or new is None:
        return None
    found = list(_differences(old[0], new[0], ()))
    if len(found) != 1:
        return None
    path, was, now = found[0]
    code = ast.get_source_segment(new[1], now) or ""
    held = ast.get_source_segment(old[1], was) if was is not None else None
    if not code or (isinstance(was, ast.Constant) and isinstance(now, ast.Constant) and is_text(was)):
        return None
    around = code.partition(held) if held else ("", "", "")
    holds = was is not None and any(ast.dump(node) == ast.dump(was) for node in walk(now))
    return _Rule(old[0], path, was, now, code, (around[0], around[2]) if holds else ("", ""))


def _statement(lines: Sequence[str]) -> tuple[ast.stmt, str] | None:
    """The statement of some lines and the text that it was read from; of a compound one its head."""
    text = dedent("\n".join(lines)).strip("\n")
    for code in (text, f"{text} pass"):
        if (statement := parse_statement(code)) is not None:
            return statement, code
    return None


def _differences(old: ast.AST, new: ast.AST, path: Path) -> Iterator[tuple[Path, ast.AST | None, ast.AST]]:
    """The nodes that differ, the innermost; an argument of a call that is one more."""
    if type(old) is not type(new):
        yield path, old, new
        return
    for name in old._fields:
        was, now = getattr(old, name, None), getattr(new, name, None)
        if isinstance(was, ast.AST) and isinstance(now, ast.AST):
            yield from _differences(was, now, (*path, (name, -1)))
        elif isinstance(was, list) and isinstance(now, list):
            if len(was) == len(now) and all(isinstance(node, ast.AST) for node in (*was, *now)):
                for at, (a, b) in enumerate(zip(was, now, strict=True)):
                    yield from _differences(a, b, (*path, (name, at)))
            elif (
                isinstance(old, ast.Call)
                and len(now) == len(was) + 1
                and [ast.dump(item) for item in now[:-1]] == [ast.dump(item) for item in was]
            ):
                yield path, None, now[-1]
            elif was != now:
                yield path, old, new
                return
        elif was != now:
            yield path, old, new
            return


def _applied(source: Source, node: ast.stmt, rule: _Rule, named: bool) -> str | None:
    """The code of a statement of the same shape with what the edit changed."""
    here: object = node
    there: object = rule.statement
    argument = False
    for name, at in rule.path:
        calls = isinstance(here, ast.Call) and isinstance(there, ast.Call) and name != "func"
        if type(here) is not type(there) or (calls and not _same(here, there)):
            return None
        argument = argument or calls
        here, there = _part(here, name, at), _part(there, name, at)
    if not isinstance(here, ast.AST) or (type(here) is not type(there) and there is not rule.old):
        return None
    if rule.old is None or is_no_number(rule.around[0], here):
        return None
    like = type(here) is type(there) and isinstance(here, ast.Name | ast.Attribute | ast.Constant)
    if (
        not any(rule.around)
        and not (argument and not isinstance(here, ast.List | ast.Tuple | ast.Set | ast.Dict))
        and not (named and like)
        and ast.dump(here) != ast.dump(rule.old)
    ):
        return None  # what stands there may be anything
    own = set(_words(rule.old)) - set(_words(here))
    if not any(rule.around) and own & set(_words(rule.new)):
        return None  # what is only of the other statement would come with it
    code = f"{rule.around[0]}{source.segment(here)}{rule.around[1]}" if any(rule.around) else rule.code
    return replace_within(source, node, here, code)


def _words(root: ast.AST) -> Iterator[str]:
    """The words of the names and texts in a node."""
    for node in walk(root):
        held = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "value", None)
        yield from re.findall(r"\w+", held) if isinstance(held, str) else ()


def _part(node: object, name: str, at: int) -> object:
    held = getattr(node, name, None)
    if at < 0:
        return held
    return held[at] if isinstance(held, list) and at < len(held) else None


def _same(one: object, other: object) -> TypeGuard[ast.Call]:
    """Whether two nodes call the same thing."""
    if not isinstance(one, ast.Call) or not isinstance(other, ast.Call):
        return False
    return ast.dump(one.func) == ast.dump(other.func)
