"""What an edit put around a value, put around the values of other lines: `.strip()`, `round(…, 2)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.places_left_out import Place
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.tree_comparison import parse_statement

_OF_NUMBERS = ("round(", "abs(", "max(", "min(", "int(", "float(")
_TEXTS = ("join", "format", "strip", "lower", "upper", "replace", "decode", "strftime", "isoformat")
_VALUED = (ast.Return, ast.Assign, ast.AnnAssign)


def repeat_wrapping(
    found: Sequence[LineChange],
    situation: Situation,
    path: str,
    spans: Sequence[Span],
    where: Sequence[Place],
) -> Iterator[LineChange]:
    """The same around the values of the lines that are named: in a place, or by what they assign."""
    assert situation.before is not None
    source = situation.before.index.source(path)
    around = next((one for change in found if change.path == path and (one := _around(change))), None)
    if around is None or source.tree is None:
        return
    kind, before, behind = around
    words = {span.text.strip("`'\"()").rpartition(".")[2] for span in spans}
    taken = {at for change in found if change.path == path for at in range(change.first, change.last)}
    for node in walk(source.tree):
        if not isinstance(node, kind) or not isinstance(node, _VALUED) or node.value is None:
            continue
        value = node.value
        if node.lineno - 1 in taken or source.last_line(node) != node.lineno:
            continue
        if not (_is_in(source, node, path, where) if where else words & set(_assigned(node))):
            continue
        if is_no_number(before, value):
            continue
        line, (low, high) = source.lines[node.lineno - 1].rstrip("\r\n"), source.span(value)
        start = source.starts[node.lineno - 1]
        new = line[: low - start] + before + line[low - start : high - start] + behind + line[high - start :]
        yield LineChange(path, node.lineno - 1, node.lineno, node.lineno - 1, (line,), (new,))


def is_no_number(before: str, value: ast.AST) -> bool:
    """Whether a function of numbers would be put around a value whose form tells that it is a text."""
    method = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
    return before.rstrip().endswith(_OF_NUMBERS) and (method in _TEXTS or is_string(value))


def _around(change: LineChange) -> tuple[type[ast.stmt], str, str] | None:
    """The kind of a statement, and what was put in front of its value and after it."""
    old, new = _statement(change.old), _statement(change.new)
    if old is None or new is None or type(old[0]) is not type(new[0]):
        return None
    before, value, behind = new[1].partition(old[1])
    plain = bool(value) and bool(before or behind) and old[1] not in behind
    return (type(old[0]), before, behind) if plain else None


def _statement(lines: Sequence[str]) -> tuple[ast.stmt, str] | None:
    """A statement of one line, and the text of its value."""
    if len(lines) != 1:
        return None
    text = lines[0].strip()
    node = parse_statement(text)
    value = node.value if isinstance(node, _VALUED) else None
    return (node, ast.get_source_segment(text, value) or "") if node and value is not None else None


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [ast.unparse(target) for target in targets if target is not None]
    return [word for name in names for word in (name, *split_name(name))]


def _is_in(source: Source, node: ast.stmt, path: str, where: Sequence[Place]) -> bool:
    start = source.span(node)[0]
    return any(one == path and (high < 0 or low <= start < high) for one, low, high in where)
