"""Calls that pass values to an SQL statement as parameters, in place of formatting them into its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, build_together, is_meant, replace_within
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.texts.text_parts import Part, TextField, as_field, quote_text, split_text, write_value
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_EXECUTES = word_set("execute executemany executescript fetch fetchall fetchone fetchrow fetchval")
_NAMED = re.compile(
    r"(?:\b(?:from|into|update|table|join|order\s+by|group\s+by|as|index|pragma|view)\s+[\"`]?|"
    r"[\w\"`]\.|`)\Z",
    re.I,
)
"""What stands in front of the name of a table or column, which is no value."""
_PERCENT = ("psycopg2", "psycopg", "pymysql", "MySQLdb", "mysql")


@builder("pattern.query_parameters")
def query_parameters(context: Context) -> Iterator[Built]:
    found: list[Rewritten] = []
    calls = 0
    for area, source, node in context.find(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _EXECUTES and node.args:
            calls += 1
            found += _passed(context, area, source, node)
    if calls and not found:
        raise Unresolved("no value is formatted into an SQL statement there", nothing=True)
    yield from build_together(context, found, "SQL statement with values in its text")


def _passed(context: Context, area: Area, source: Source, node: ast.Call) -> list[Rewritten]:
    """The statement with placeholders, and the call with its values."""
    text = node.args[0]
    held = _set_once(source, node, text.id) if isinstance(text, ast.Name) else None
    parts = split_text(source, held or text)
    given = node.args[1] if len(node.args) == 2 else None
    if (
        parts is None
        or len(node.args) > 2
        or (given is not None and not isinstance(given, ast.Tuple | ast.List))
    ):
        return []
    already = (
        [source.segment(element) for element in given.elts] if isinstance(given, ast.Tuple | ast.List) else []
    )
    made = _parted(source, parts, _sign(context, area, source), already)
    if made is None or not is_meant(context, *made[1], ast.unparse(text)):
        return []
    query, values, doubts = made
    passed = f"({', '.join(values)}{',' if len(values) == 1 else ''})"
    name = source.segment(text) if held is not None else query
    new = replace_within(source, node, text, f"{name}, {passed}", given)
    whole = Rewritten(area, node, new, doubts)
    return [whole] if held is None else [whole, Rewritten(area, held, query)]


def _set_once(source: Source, node: ast.Call, name: str) -> ast.expr | None:
    """What a name is set to that only this call reads; texts without values may be added to it."""
    inside = source.function_of(node) or source.tree
    every = [inner for inner in find_nodes(inside, ast.Name) if inner.id == name] if inside else []
    holders = [source.parents.get(inner) for inner in every if isinstance(inner.ctx, ast.Store)]
    sets = [item for item in holders if not (isinstance(item, ast.AugAssign) and is_text(item.value))]
    holder = sets[0] if len(sets) == 1 and len(every) == len(holders) + 1 else None
    return holder.value if isinstance(holder, ast.Assign) else None


def _sign(context: Context, area: Area, source: Source) -> str:
    """The placeholder: that of the module for the database, or what other statements of the file have."""
    modules = {
        imported.module.partition(".")[0] for imported in context.repo.index.summary(area.path).imports
    }
    others = re.search(r"(?:=|\(|,)\s*%s\b", source.text) if "sqlite3" not in modules else None
    return "%s" if modules & set(_PERCENT) or others else "?"


def _parted(
    source: Source, parts: list[Part], sign: str, already: list[str]
) -> tuple[str, list[str], tuple[str, ...]] | None:
    """The statement, the values in their order, and what stays in its text."""
    rows = list(parts)
    shown = ""
    values: list[str] = []
    kept = False
    given = list(already)
    done = 0
    for at, one in enumerate(rows):
        if isinstance(one, str):
            for _ in range(one.count(sign)):
                if not given:
                    return None
                values.append(given.pop(0))
            shown += one
            continue
        if _NAMED.search(shown):
            shown, kept = shown + as_field(source, one), True
            continue
        after = rows[at + 1] if at + 1 < len(rows) else ""
        quote = next((item for item in ("'", '"') if shown.count(item) % 2), "")
        if quote and isinstance(after, str) and quote in after:
            shown, before = shown[: shown.rindex(quote)], shown[shown.rindex(quote) + 1 :]
            behind, rows[at + 1] = after.split(quote, 1)
            values.append(_joined(source, before, one, behind))
        elif quote:
            return None
        else:
            values.append(_joined(source, "", one, ""))
        shown += sign
        done += 1
    if not done or given:
        return None
    doubts = ("the name of a table or column stays in the text",) if kept else ()
    text = quote_text(shown, quote_of(source))
    return (f"f{text}" if kept else text), values, doubts


def _joined(source: Source, before: str, filled: TextField, behind: str) -> str:
    """A value, with what stands beside it within its quotes: `%{word}%`."""
    if before or behind or filled.spec not in ("", "d", "s"):
        return f'f"{before}{as_field(source, filled)}{behind}"'
    return write_value(source, filled.value)
