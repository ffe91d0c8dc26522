"""What a message wants done in the case that the edit before dealt with: *and log it*, *leave those out*."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.intent.builders.control_flow.guards import names_tested
from spark_tui.intent.builders.errors.message_guards import written_message
from spark_tui.intent.building.building import call
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Candidate, Situation
from spark_tui.intent.context.written_lines import LineChange, calls_with, changes_of_edit
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords, literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Function, Source

_MEANT = 0.8
_TOLD = frozenset(("guard_message", "add_log"))
_MADE_UP = "the text was made up"


@dataclass(frozen=True)
class _Case:
    """A branch that was written, or a value that stands in for another under a condition; `item` is that
    other one as it was."""

    source: Source
    spot: ast.stmt
    condition: str
    branch: bool


def in_treated_case(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to print or log something in that case, or to skip it."""
    told, skips = reading.intent in _TOLD, reading.intent == "skip_in_loop"
    if situation.before is None or not (told or skips) or not _means_case(reading, situation.instruction):
        return []
    case = next(_cases(situation), None)
    if case is None:
        return []
    made = _told(reading, case, situation) if told else _skipped(reading, case, situation)
    return [made] if made is not None else []


def _means_case(reading: Reading, instruction: str) -> bool:
    """Whether no other condition and no other function is named."""
    if reading.slots.get("function") or reading.slots.get("file"):
        return False
    condition_texts = [item.text for item in reading.slots.get("condition", ())]
    if condition_texts:
        return all(re.search(followup_table()["case"]["things"], text.lower()) for text in condition_texts)
    back = re.search(followup_table()["case"]["words"], instruction, re.IGNORECASE) is not None
    return reading.intent == "guard_message" or back


def _cases(situation: Situation) -> Iterator[_Case]:
    """The branches whose heads were written, then the values in the place of others, the last first."""
    written = {
        (change.path, change.at + at + 1) for change in changes_of_edit(situation) for at in _fresh(change)
    }
    nodes = [line for line in nodes_on_lines(situation) if (line[0].path, _line(line[1])) in written]
    for source, node in reversed(nodes):
        if isinstance(node, ast.If) and node.body:
            yield _Case(source, node.body[0], source.segment(node.test), True)
        elif isinstance(node, ast.ExceptHandler) and node.body:
            yield _Case(source, node.body[0], "", True)
    for source, node in reversed(nodes):
        missing = _missing(node)
        holder = next(
            (ancestor for ancestor in source.ancestors(node) if isinstance(ancestor, ast.stmt)), None
        )
        if missing and holder is not None:
            yield _Case(source, holder, missing, False)


def _fresh(change: LineChange) -> list[int]:
    old = {line.strip() for line in change.old}
    return [at for at, line in enumerate(change.new) if line.strip() not in old]


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _missing(node: ast.AST) -> str:
    """The condition under which the second argument of a `get` is taken."""
    got = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get"
    if got and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 2:
        return f"{ast.unparse(node.args[0])} not in {ast.unparse(node.func.value)}"
    return ""


def _told(reading: Reading, case: _Case, situation: Situation) -> Candidate | None:
    source = case.source
    there = replace(situation, repo=situation.behind, path=source.path, earlier=None, selection=None)
    anchor = Anchor(Area(source.path, case.spot), case.spot)
    context = Context(reading, there, names_of(there.repo, source.path))
    log = reading.intent == "add_log"
    for sign in (": %s", ":"):
        message, doubts = _message(context, anchor, case, sign)
        if not message:
            return None
        shown, extra, guessed = written_message(context, anchor, message, log)
        if not shown.startswith("print("):
            break
    first, last = source.first_line(case.spot) + 1, source.last_line(case.spot)
    empty = case.branch and isinstance(case.spot, ast.Pass)
    code = shown if case.branch else f"if {_quoted_like(case, source)}:\n    {shown}"
    place = f"{source.path}:{first}" + (f"-{last}" if last != first else "")
    made = (
        call("replace_statements", place=place, code=code)
        if empty
        else call("insert_statements", place=place, code=code, side="before")
    )
    return Candidate((made, *extra), reading, (*doubts, *guessed), _MEANT)


def _quoted_like(case: _Case, source: Source) -> str:
    """The condition with the quotes of the file."""
    return (
        case.condition.replace("'", '"')
        if source.text.count('"') > source.text.count("'")
        else case.condition
    )


def _message(context: Context, anchor: Anchor, case: _Case, sign: str) -> tuple[str, tuple[str, ...]]:
    """What is printed or logged: the text that is given, a value that is named, or what the case is about,
    behind a sign."""
    span = context.span("message")
    visible = context.visible(anchor.path, anchor.node)
    wording = phrases.without_articles(span.text.strip()) if span is not None else ""
    if span is not None and span.quoted:
        options = CONVERTERS["message"](SlotWords(context, span, anchor))
        return (options[0].text, options[0].doubts) if options else ("", ())
    value = visible.expression(wording) if wording else None
    if value is not None:
        return value, ()
    told = (
        re.search(followup_table()["case"]["named"], span.text, re.IGNORECASE) is None
        if span is not None
        else False
    )
    if told and not re.search(followup_table()["case"]["words"], wording, re.IGNORECASE):
        return literal(wording, case.source), ("the words were read as the text",)
    tested = [item for item in sorted(names_tested(case.condition)) if visible.expression(item) is not None]
    about = [item for item in tested if not item.isupper() and item not in dir(builtins)][-1:]
    inside = case.source.function_of(case.spot)
    subject = inside.name.strip("_").replace("_", " ") if isinstance(inside, Function) else ""
    text = literal(f"{subject}{sign}" if about else subject, case.source)
    return ", ".join((text, *about)), (_MADE_UP,)


def _skipped(reading: Reading, case: _Case, situation: Situation) -> Candidate | None:
    """A round of the loop that goes on in that case, in the place of the value that stood in."""
    before = situation.before
    if case.branch or before is None:
        return None
    source = before.index.source(case.source.path)
    change = next(
        (item for item in changes_of_edit(situation) if item.at + 1 == _line(case.spot) and item.old), None
    )
    if change is None:
        return None
    row = change.first + 1
    spot = next((statement for statement in source.statements if statement.lineno == row), None)
    loop = (
        next(
            (ancestor for ancestor in source.ancestors(spot) if isinstance(ancestor, ast.For | ast.While)),
            None,
        )
        if spot
        else None
    )
    if spot is None or loop is None:
        return None
    margin = source.lines[row - 1][: spot.col_offset]
    code = f"{margin}if {_quoted_like(case, source)}:\n{margin}    continue\n"
    text = source.text[: source.starts[row - 1]] + code + source.text[source.starts[row - 1] :]
    calls = calls_with({source.path: text}, situation)
    return Candidate(calls, reading, (), _MEANT, from_before=True) if calls else None
