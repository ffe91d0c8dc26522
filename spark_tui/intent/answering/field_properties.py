"""A message that says no more of fields of a model than a property: *sku is unique*, *let note be blank*,
*make address optional*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.registry import Operation
from spark_tui.intent.answering.problem_answer import offer_fixes
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.facts.declared import is_declared
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.values.types.said_types import declares_fields
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.tables import table_beside

_SQLALCHEMY = ("Column", "mapped_column")
_OPTIONAL = ("optional", "null")


_table = table_beside(__file__, "field_properties.toml")


def or_field_property(found: Answer, situation: Situation) -> Answer:
    """The answer that was found, unless nothing was and the message gives fields a property."""
    path, index = situation.path, situation.repo.index
    if found.kind not in ("write", "cannot", "nothing") or situation.earlier is not None:
        return found
    source = index.source(path) if path in index.modules.paths else None
    said = _property_said(situation.instruction, source) if source is not None else None
    if source is None or said is None:
        return found
    rows, kind, denied = said
    made = [_with_property(source, row, kind, denied) for row in rows]
    calls = tuple(one for each in made for one in each)
    if not all(made):
        return found
    told = f"{kind} was assumed to be said of {', '.join(map(_name, rows))}"
    offered = offer_fixes([Built(calls, 0.9, (assumed(told),))], situation, harmless=True)
    return offered if offered.ways else found


_Row = ast.Assign | ast.AnnAssign


def _name(row: _Row) -> str:
    return last_name(targets(row)[0])


def _property_said(text: str, source: Source) -> tuple[list[_Row], str, bool] | None:
    """The fields that are named, their property, and whether it is denied, where nothing else is said."""
    table, low = _table(), text.lower()
    every = {_name(row): row for row in _rows(source)}
    words = re.findall(r"[\w']+", text)
    named = [every[word] for word in dict.fromkeys(words) if word in every]
    kinds = [kind for kind, form in table["said"].items() if re.search(rf"\b(?:{form})\b", low)]
    if not named or len(kinds) != 1:
        return None
    known = {*table["words"]["around"].split(), *map(_name, named)}
    owners = {node.name for node in source.definitions if isinstance(node, ast.ClassDef)}
    rest = [word for word in words if word not in owners and word.lower() not in known]
    said = re.compile(table["said"][kinds[0]])
    if any(not said.fullmatch(word.lower()) and word.lower() != "key" and "n't" not in word for word in rest):
        return None
    return named, kinds[0], re.search(table["words"]["denied"], low) is not None


def _rows(source: Source) -> Iterator[_Row]:
    """The fields that classes declare."""
    for node in source.definitions:
        for row in node.body if isinstance(node, ast.ClassDef) else ():
            made = isinstance(row, _Row) and row.value is not None and is_declared(source, row.value)
            if isinstance(row, _Row) and (made or (isinstance(node, ast.ClassDef) and declares_fields(node))):
                yield row


def _with_property(source: Source, row: _Row, kind: str, denied: bool) -> tuple[Operation, ...]:
    """The calls that give a field a property; none where that is not known."""
    spot = f"{source.path}:{row.lineno}"
    if isinstance(row.value, ast.Call) and called_name(row.value) != "Field":
        library = "sqlalchemy" if called_name(row.value) in _SQLALCHEMY else "django"
        name, _, value = _table()["keywords"][library].get(kind, "").partition("=")
        value = str(value != "True") if denied else value
        callee = ast.unparse(row.value.func)
        return (call("set_argument", callee=callee, place=spot, name=name, value=value),) if name else ()
    owner = source.parents.get(row)
    if not isinstance(row, ast.AnnAssign) or not isinstance(owner, ast.ClassDef) or denied:
        return ()
    hint, behind = source.segment(row.annotation), owner.body[owner.body.index(row) + 1 :]
    needed = any(isinstance(one, ast.AnnAssign) and one.value is None for one in behind)
    may_be_none = kind not in _OPTIONAL or re.search(r"\bNone\b|Optional\[", hint) is not None
    if may_be_none or (row.value is None and needed and owner.decorator_list):
        return ()
    default = source.segment(row.value) if row.value is not None else "None"
    return (call("replace_statements", place=spot, code=f"{_name(row)}: {hint} | None = {default}"),)
