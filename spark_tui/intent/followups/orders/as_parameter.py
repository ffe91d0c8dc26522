"""A value that an edit wrote, as a parameter of its function: *make it a parameter*."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.codemods.families.functions.signature import AddParameter
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Expression, NewName, Symbol
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with, changes_of_edit
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.syntax import WrittenSyntax
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading

_LIKELY, _ELSEWHERE = 0.9, 0.3


def as_parameter(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order to add a parameter, and before them that it takes the place of a literal
    that was written, which becomes its default."""
    if situation.earlier is None or reading.intent != "add_parameter" or reading.slots.get("default"):
        return found
    said = phrases.without_articles(reading.text("name")).strip("`'\"")
    if said and not re.search(
        followup_table()["parametrized"]["words"], situation.instruction, re.IGNORECASE
    ):
        return found
    changes = changes_of_edit(situation)
    for path in dict.fromkeys(change.path for change in changes):
        written = WrittenSyntax(reading, situation, path, [one for one in changes if one.path == path])
        for node in reversed(written.nodes):
            name = said or _purpose(written, node)
            default = isinstance(written.source.parents.get(node), ast.arguments)
            if (
                isinstance(node, ast.Constant)
                and written.is_whole(node)
                and name.isidentifier()
                and not default
            ):
                made = _candidate(written, node, name)
                if made is not None:
                    return [made, *(replace(one, weight=_ELSEWHERE * one.weight) for one in found)]
    return found


def _purpose(written: WrittenSyntax, node: ast.AST) -> str:
    """What a literal is called where it stands: by its keyword, or what is set to it."""
    parent = written.source.parents.get(node)
    if isinstance(parent, ast.keyword):
        return parent.arg or ""
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


def _candidate(written: WrittenSyntax, literal: ast.Constant, name: str) -> Candidate | None:
    """The edit with a name in the place of a literal, wherever that was written in the function."""
    source, function = written.source, written.source.function_of(literal)
    if function is None:
        return None
    code, path = source.segment(literal), written.path
    order = AddParameter(Symbol(source.qualname(function), path), NewName(name), default=Expression(code))
    plan = plan_of((order,), written.repo)
    texts = plan.texts(written.repo) if isinstance(plan, Plan) else {}
    text = texts.get(path) or ""
    shift = len(text) - len(source.text)  # all of it in the head of the function
    for node in reversed(written.nodes):
        low, high = (at + shift for at in source.span(node))
        same = isinstance(node, ast.Constant) and written.is_whole(node) and text[low:high] == code
        if same and source.function_of(node) is function:
            text = text[:low] + name + text[high:]
    calls = calls_with({**texts, path: text}, written.situation) if name in text else ()
    return Candidate(calls, written.reading, weight=_LIKELY, from_before=True) if calls else None
