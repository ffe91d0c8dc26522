"""Messages that a written branch should log or print something too: *also log it*."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.codemods.families.files import ReplaceLines
from spark_tui.codemods.families.statements.logs import AddLog, Level
from spark_tui.codemods.families.statements.placement import InsertStatements
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Expression, Place, Statements, Text
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.exits import find_written_exits, says_any
from spark_tui.intent.followups.written.syntax import WrittenSyntax
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import MESSAGE_MADE_UP
from spark_tui.intent.words.readings import PLACES, Reading
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_INTENTS = word_set("add_log log_exception say_value show_error insert_before insert_at_start")
_ELSEWHERE, _LIKELY = 0.3, 0.9
_ERROR = "error"


def tell_in_branch(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order to log or print something, and before them that this is done in the only
    branch that was written, in front of what ends it."""
    if situation.earlier is None or reading.intent not in _INTENTS:
        return found
    text = situation.instruction
    held = [span.text for slot in ("value", "message") for span in reading.slots.get(slot, ())]
    for words in held:
        text = text.replace(words, "")
    if any(re.search(item, text, re.IGNORECASE) for item in followup_table()["instead"]["words"]):
        return found
    kind = next((kind for kind in ("print", "log") if says_any(kind, text=text)), "")
    kind = "print" if reading.intent == "show_error" and not kind else kind
    named = any(reading.slots.get(slot) for slot in PLACES)
    quoted = re.findall(r"\"[^\"\n\\]+\"", situation.instruction)
    if not kind or named or len(quoted) > 1:
        return found
    for path in dict.fromkeys(change.path for change in changes_of_edit(situation)):
        changes = [change for change in changes_of_edit(situation) if change.path == path]
        written = WrittenSyntax(reading, situation, path, changes)
        ends = [(end, written.source.parents.get(end)) for _, end in find_written_exits(written)]
        branches = [(end, one) for end, one in ends if isinstance(one, ast.If | ast.ExceptHandler)]
        calls = _calls(written, *branches[0], kind, "".join(quoted)) if len(branches) == 1 else ()
        if calls:
            there = Candidate(calls, reading, () if quoted else (MESSAGE_MADE_UP,), _LIKELY)
            return [there, *(replace(one, weight=_ELSEWHERE * one.weight) for one in found)]
    return found


def _calls(
    written: WrittenSyntax, end: ast.stmt, branch: ast.If | ast.ExceptHandler, kind: str, quoted: str
) -> tuple[Operation, ...]:
    source, at = written.source, Place(written.path, end.lineno, end.lineno)
    more: tuple[Operation, ...] = ()
    raised = end.exc if isinstance(end, ast.Raise) else None
    if quoted:
        told = log = quoted
    elif isinstance(raised, ast.Call) and raised.args:
        told = log = source.segment(raised.args[0])
    elif isinstance(branch, ast.ExceptHandler):
        if kind == "log" or branch.type is None:
            return ()  # that is what an order to log the exception does
        told = log = branch.name or _ERROR
        line = source.lines[branch.lineno - 1].rstrip()
        head = line.removesuffix(":") + f" as {_ERROR}:"
        if branch.name is None:
            more = (ReplaceLines(Place(written.path, branch.lineno, branch.lineno), Text(head)),)
    else:
        told = _subject(branch.test)
        empty = branch.test.operand if isinstance(branch.test, ast.UnaryOp) else None
        if isinstance(empty, ast.Name | ast.Attribute):
            name = empty.id if isinstance(empty, ast.Name) else empty.attr
            told = f'"no {name.strip("_").replace("_", " ")}"'
        verb = "skipped" if isinstance(end, ast.Continue) else "stopped at"
        log = told if told.startswith('"') else f'"{verb} %s", {told}'
        if not told:
            return ()
    if kind == "print":
        return (InsertStatements(at, Statements(f"print({told})")), *more)
    level = phrases.level(written.said("level")) or "warning"
    return (AddLog(at, Expression(log), Level(level)), *more)


def _subject(test: ast.expr) -> str:
    """What a test looks at: what a call of it is given, else its first name that is not called."""
    calls = find_nodes(test, ast.Call)
    for given in (arg for made in calls for arg in made.args if isinstance(arg, ast.Name | ast.Attribute)):
        return ast.unparse(given)
    called = {id(node.func) for node in find_nodes(test, ast.Call)}
    names = [node for node in find_nodes(test, ast.Name) if id(node) not in called]
    owned = [node for node in find_nodes(test, ast.Attribute) if id(node) not in called]
    if names and names[0].id in ("self", "cls"):
        return ast.unparse(owned[-1]) if owned else ""
    return names[0].id if names else ""
