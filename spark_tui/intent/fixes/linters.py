"""Fixes of what linters report: of rules that an exact edit follows, unused imports, mutable defaults, and
files that stay open."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import Anchor, position
from spark_tui.intent.facts.expression_types import returned_type
from spark_tui.intent.fixes.seen_error import SeenError, quoted_names
from spark_tui.intent.names.name_styles import in_style
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.tables import read_table

_SURE = 0.95


@lru_cache(maxsize=1)
def _rules() -> Mapping[str, Mapping[str, Any]]:
    """The rules of `linter_rules.toml` by their codes and names."""
    data = read_table(__file__, "linter_rules.toml")
    return {code: rule for rule in data["rule"] for code in rule["codes"]}


def by_rule(at: SeenError, code: str) -> Iterator[Built]:
    """The edit that follows a rule of a linter, at the line of the problem."""
    rule = _rules().get(code)
    if rule is None:
        return
    path, named = at.source.path, quoted_names(at.text)
    known = {"path": path, "line": f"{path}:{at.line}"}
    if called := re.search(r"`(\w+)", at.text):
        known["name"] = called[1]
    for holder in reversed(at.source.definitions) if named else ():
        if holder.lineno <= at.line <= at.source.last_line(holder):
            qualname, name = at.source.qualname(holder), named[0]
            known["symbol"] = f"{path}::{qualname}" + (f".{name}" if name != holder.name else "")
            known |= {style: in_style(style, name) for style in ("snake_case", "pascal_case")}
            break
    try:
        slots = {name: text.format_map(known) for name, text in rule["call"].items()}
    except KeyError:
        return
    doubts = _texts_with(at, named[0]) if slots["op"] == "rename" else tuple(rule.get("doubts", ()))
    yield Built((call(slots.pop("op"), **slots),), _SURE * at.area.weight, doubts)


def _texts_with(at: SeenError, name: str) -> tuple[str, ...]:
    """Where a text of another file is the name of a definition, which may be looked up by it."""
    index = at.context.repo.index
    if not any(definition.name == name for definition in at.source.definitions):
        return ()
    for path in sorted({*index.files_with(name)} - {at.source.path}):
        source = index.source(path)
        for text in source.strings:
            statement = source.statement(text) if text.value == name else None
            if statement is not None and not source.segment(statement).startswith("__all__"):
                return (f"{path}:{text.lineno} has {name} as a text",)
    return ()


def unused_import(at: SeenError) -> Iterator[Built]:
    """The import is taken out, or only the name that nothing uses."""
    wanted = at.groups.get("name", "")
    source = at.source
    found: list[ast.Import | ast.ImportFrom] = [*at.nodes(ast.Import), *at.nodes(ast.ImportFrom)]
    for node in found:
        names = [
            name
            for name in node.names
            if wanted in (name.name, name.asname, f"{getattr(node, 'module', '')}.{name.name}")
            or name.name.rpartition(".")[2] == wanted.rpartition(".")[2]
        ]
        if not names:
            continue
        if len(node.names) == 1:
            where = line_range(source.path, node.lineno, source.last_line(node))
            title = f"remove {source.segment(node)}"
            yield Built((call("delete_lines", place=where),), 0.95 * at.area.weight, (), title)
            return
        spans = [source.span(name) for name in node.names]
        number = node.names.index(names[0])
        if number + 1 < len(spans):
            yield at.spliced(spans[number][0], spans[number + 1][0], "", 0.95)
        else:
            yield at.spliced(spans[number - 1][1], spans[number][1], "", 0.95)
        return


def untyped_result(at: SeenError) -> Iterator[Built]:
    """The type of what a function returns, where its code tells it."""
    for definition in at.source.functions:
        hint = returned_type(definition, at.source) if definition.lineno == at.line else ""
        if hint and definition.returns is None:
            target = f"{at.source.path}::{at.source.qualname(definition)}@{definition.lineno}"
            yield Built((call("annotate_return", target=target, hint=hint),), 0.95 * at.area.weight)


def mutable_default(at: SeenError) -> Iterator[Built]:
    """The default is made anew in each call."""
    for definition in at.source.functions:
        if definition.lineno <= at.line <= definition.body[0].lineno:
            several = (
                sum(
                    at.source.qualname(item) == at.source.qualname(definition)
                    for item in at.source.definitions
                )
                > 1
            )
            line = f"@{definition.lineno}" if several else ""
            target = f"{at.source.path}::{at.source.qualname(definition)}{line}"
            for name, value in _mutable(definition, at.line):
                if _knows_none(definition, name):
                    doubt = f"a call without {name} gives None now, which means something of its own"
                    yield at.spliced(*at.source.span(value), "None", 0.95, doubt)
                else:
                    made = call("fix_mutable_default", target=target, name=name)
                    yield Built((made,), 0.95 * at.area.weight)


def _knows_none(function: Function, name: str) -> bool:
    """Whether None means something of its own for a parameter: its annotation has it, or it is compared with
    it."""
    hints = [
        ast.unparse(parameter.annotation)
        for parameter in parameters(function)
        if parameter.arg == name and parameter.annotation
    ]
    if any("None" in hint or "Optional" in hint for hint in hints):
        return True
    return any(
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and node.left.id == name
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
        for node in walk(function)
    )


def _mutable(function: Function, line: int) -> list[tuple[str, ast.expr]]:
    """The parameters with a mutable default, and that: those on the line, else all."""
    given = sorted(defaults(function).items(), key=lambda item: position(item[1]))
    made = ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp | ast.DictComp
    found: list[tuple[str, ast.expr]] = [(name, value) for name, value in given if isinstance(value, made)]
    return [pair for pair in found if pair[1].lineno == line] or found


def unclosed_file(at: SeenError) -> Iterator[Built]:
    """The file is opened by `with`."""
    for node in at.nodes(ast.Call):
        statement = at.source.statement(node)
        if statement is not None and called_name(node) == "open":
            spot = place(at.context, Anchor(at.area, statement))
            yield Built((call("open_with", place=spot),), 0.9 * at.area.weight)
