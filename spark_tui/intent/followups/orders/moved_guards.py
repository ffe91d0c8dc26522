"""A guard that an edit added to a loop or function, at the start of another function: *do it in send*."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container
from textwrap import dedent, indent

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_to, changes_of_edit, functions_around, texts_for
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import names_in

_LIKELY = 0.9
_ENDS = ast.Continue | ast.Break | ast.Return | ast.Raise


def moved_guards(reading: Reading, situation: Situation) -> list[Candidate]:
    """The only guard that was added at the start of the function that is named, which has all its names; what
    skipped a round of a loop returns there."""
    before, named = situation.before, reading.slots.get("function", ())
    found = changes_of_edit(situation)
    blocks = [change for change in found if not change.old and functions_around(change, situation.behind)]
    if reading.intent != "amend.place" or len(named) != 1 or len(blocks) != 1 or before is None:
        return []
    block = blocks[0]
    code = dedent("\n".join(block.new)).strip("\n")
    guard = _guard(code)
    rest = before.with_changes(texts_for(found, {block: None}, before))
    source = rest.index.source(block.path)
    name = named[0].text.strip("`'\"()").rpartition(".")[2]
    homes = [one for one in source.functions if one.name == name]
    bound = rest.index.scopes(block.path).module.bound
    if guard is None or len(homes) != 1 or not _knows(bound, homes[0], guard):
        return []
    if isinstance(guard.body[-1], ast.Continue | ast.Break):
        lines = code.split("\n")
        lines[guard.body[-1].lineno - 1] = lines[guard.body[-1].lineno - 1].replace(
            ast.unparse(guard.body[-1]), "return"
        )
        code = "\n".join(lines)
    at = _start(source, homes[0])
    moved = indent(code, " " * homes[0].body[0].col_offset)
    text = source.text.split("\n")
    result = "\n".join((*text[:at], moved, *text[at:]))
    kept = {change.path: rest.index.text(change.path) for change in found}
    calls = calls_to({**kept, block.path: result}, before) if parse(result) is not None else ()
    return [Candidate(calls, reading, weight=_LIKELY, from_before=True)] if calls else []


def _guard(code: str) -> ast.If | None:
    """The branch that lines are, where that ends a round or a function."""
    tree = parse(code)
    one = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    is_guard = isinstance(one, ast.If) and not one.orelse and isinstance(one.body[-1], _ENDS)
    return one if is_guard and isinstance(one, ast.If) else None


def _knows(bound: Container[str], function: Function, guard: ast.If) -> bool:
    """Whether all names of a guard are parameters of a function, or of its file or Python."""
    own = {item.arg for item in parameters(function)}
    return all(name in own or name in bound or hasattr(builtins, name) for name in names_in(guard))


def _start(source: Source, function: Function) -> int:
    """The line of the first statement behind the docstring, from 0."""
    first = function.body[0]
    told = isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str)
    if told and len(function.body) > 1:
        return source.first_line(function.body[1])
    return source.last_line(first) if told else source.first_line(first)
