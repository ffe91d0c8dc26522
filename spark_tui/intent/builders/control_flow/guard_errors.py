"""The error that a guard raises: its class and its message as they are said, or made from the condition."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.control_flow.guard_spots import guard_spot
from spark_tui.intent.builders.control_flow.raised_alike import (
    raised_before,
    raised_by_guards,
    subject_of,
    with_message,
    with_subject,
)
from spark_tui.intent.building.building import BUILDERS, Built, call, filled, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.by_failure import FINDING
from spark_tui.intent.conditions.condition_messages import (
    as_membership,
    show_expression,
    write_condition_message,
)
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.lookup import key, split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.blocks import is_print, message_node
from spark_tui.intent.texts.printed_texts import words_of_call
from spark_tui.intent.values.converters.classes import is_plain_class
from spark_tui.intent.values.converters.of_slots import SlotWords, literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import MESSAGE_MADE_UP, assumed
from spark_tui.intent.words.phrases import without_articles
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, find_nodes


def raise_options(context: Context, anchor: Anchor, condition: str) -> list[Option]:
    """How an error is raised: its class and message as they are said, or made from the condition."""
    condition = as_membership(condition)
    span = context.span("exception")
    told = span.text.strip("`'\"() ") if span is not None else ""
    # A class that is no exception says where.
    no_error = span is not None and is_plain_class(SlotWords(context, span, anchor), told)
    name = None if no_error else filled(context, "{exception:exception}", anchor)
    message_text = filled(context, "{message:message}", anchor)
    written = _with_arguments(context)
    if message_text is None and isinstance(parsed(written), ast.Call):
        return [Option(f"raise {written}")]
    alike = raised_by_guards(context, anchor) or raised_before(context, anchor)
    kind = name[0] if name else Option(alike or _fitting(condition), 0.95)
    beside, side = guard_spot(context, anchor, condition)
    first = beside.lineno if beside is not None else getattr(anchor.node, "lineno", 0)
    line = first + (side == "after" or isinstance(anchor.node, ast.For))

    def raised(text: str) -> str:
        return f"raise {with_message(context, anchor, kind.text, text, line)}"

    if told_of := _told_of(context, condition):
        return [Option(raised(told_of), kind.weight)]
    if variable := _variable_told(context, anchor):
        return [Option(raised(variable), kind.weight)]
    if message_text is not None:
        return [Option(raised(item.text), kind.weight * item.weight) for item in message_text]
    asked = phrases.stands_in("message", context.beside_slots().lower())
    if not asked and (again := with_subject(context, anchor, kind.text, condition)):
        return [Option(f"raise {again}", kind.weight)]
    if subject := _not_matched(anchor, condition):
        return [Option(raised(f'f"invalid {subject}: {{{subject}!r}}"'), kind.weight, (MESSAGE_MADE_UP,))]
    text = write_condition_message(condition)
    source = context.source(anchor.path)
    if text:
        return [Option(raised(literal(text, source)), kind.weight)]
    doubts = (MESSAGE_MADE_UP,)
    made = literal(f"not allowed: {show_expression(condition)}", source)
    return [Option(raised(made), kind.weight, doubts)]


def _not_matched(anchor: Anchor, condition: str) -> str:
    """The name in whose text a pattern found nothing, where a condition asks for that."""
    found = condition.removesuffix(" is None")
    for node in find_nodes(anchor.node, ast.Assign) if anchor.node is not None and found != condition else ():
        call_node = node.value
        if isinstance(call_node, ast.Call) and called_name(call_node) in FINDING:
            given = call_node.args[ast.unparse(call_node.func).startswith("re.") :][:1]
            if found in map(ast.unparse, node.targets) and given and isinstance(given[0], ast.Name):
                return given[0].id
    return ""


def leave_otherwise(context: Context, anchor: Anchor, body: list[ast.stmt], action: str) -> Operation:
    """The call by which a branch leaves otherwise. An error keeps its message where none was said, and takes
    the place of a print with the words of that."""
    old, new, first = body[-1], ast.parse(action).body[-1], body[0]
    raised, source = isinstance(new, ast.Raise), context.source(anchor.path)
    was, now = (stmt.exc if isinstance(stmt, ast.Raise) else None for stmt in (old, new))
    was, now = (made.func if isinstance(made, ast.Call) else made for made in (was, now))
    if was is not None and now is not None and not context.has("message"):
        return replace_code(context, replace(anchor, node=was), ast.unparse(now))
    whole = place(context, Anchor(anchor.area, first, last=old))
    if isinstance(anchor.node, LOOPS) and not isinstance(old, LEAVING) and _is_of_round(anchor.node, body):
        return call("replace_statements", place=whole, code=action)
    if not isinstance(old, LEAVING) and not raised:
        action = f"{source.segment(old)}\n{action}"
    elif raised and isinstance(first, ast.Expr) and is_print(first.value) and len(body) <= 2:
        assert isinstance(first.value, ast.Call)
        text = "" if context.has("message") else words_of_call(source, first.value)
        action = f"raise {ast.unparse(now)}({text})" if now is not None and text else action
        return call("replace_statements", place=whole, code=action)
    return call("replace_statements", place=place(context, replace(anchor, node=old)), code=action)


def _is_of_round(loop: ast.AST, body: list[ast.stmt]) -> bool:
    """Whether statements change no more than what a round of a loop sets, so that nothing is left of them
    once the round ends."""
    above = [
        one
        for one in getattr(loop, "body", ())
        if isinstance(one, ast.Assign) and one.lineno < body[0].lineno
    ]
    own = {node.id for one in above for node in one.targets if isinstance(node, ast.Name)}
    for one in body:
        value = one.value if isinstance(one, ast.Expr) else None
        method = value.func if isinstance(value, ast.Call) else None
        changed = [method.value] if isinstance(method, ast.Attribute) else getattr(one, "targets", [])
        if not changed or not all(isinstance(node, ast.Name) and node.id in own for node in changed):
            return False
    return True


def _variable_told(context: Context, anchor: Anchor) -> str:
    """The variable of the function that the words for a message name: *with the path*."""
    span = context.span("message")
    text = without_articles(span.text.strip()) if span is not None and not span.quoted else ""
    found = context.visible(anchor.path, anchor.node).inner.get(key(text), "") if text.isidentifier() else ""
    return found if found.isidentifier() else ""


def _told_of(context: Context, condition: str) -> str:
    """A message with the value that is tested, where the words for it only ask: *saying which*."""
    span, subject = context.span("message"), subject_of(condition)
    asked = span is not None and not span.quoted and phrases.is_said("questions", span.text)
    text = write_condition_message(condition) if asked and subject else ""
    return f'f"{text}: {{{subject}!r}}"' if text and '"' not in text else ""


def _with_arguments(context: Context) -> str:
    """The exception as it is written, with the arguments that stand after its name."""
    span = context.span("exception")
    if span is None:
        return ""
    shown = span.text.strip().strip("`")
    behind = re.match(r"\([^()\n]+\)", context.situation.instruction[span.end :]) if span.end > 0 else None
    return shown + behind[0] if behind is not None and "(" not in shown else shown


def _fitting(condition: str) -> str:
    """The exception that a condition of its kind raises."""
    return "TypeError" if "isinstance(" in condition else "ValueError"


def raised_as_said(context: Context) -> list[Built]:
    """Another class for the one error of a function whose message says no more than the condition: *for what
    is neither tag nor string* beside `ValueError("not a tag or string")`."""
    span, told = context.span("condition"), _content(context.text("condition"))
    spots = []
    for one in anchors(context, "raise") if span is not None and context.has("exception") else ():
        text = message_node(one.node.exc) if isinstance(one.node, ast.Raise) and one.node.exc else None
        said = "".join(part.value for part in find_nodes(text, ast.Constant) if isinstance(part.value, str))
        if len(words := _content(said)) > 1 and words <= told:
            spots.append(said)
    if span is None or len(spots) != 1:
        return []
    slots = {name: given for name, given in context.reading.slots.items() if name != "condition"}
    reading = replace(
        context.reading, intent="change_raised", slots={**slots, "old": (replace(span, text=spots[0]),)}
    )
    made = list(BUILDERS["change_raised"](Context(reading, context.situation, context.names)))
    if not made:
        raise Unresolved(f"{context.text('exception')} is raised for it already", nothing=True)
    doubt = assumed("the error that is raised for it already was taken")
    return [replace(one, doubts=(*one.doubts, doubt)) for one in made]


def _content(text: str) -> set[str]:
    """The words of a text, without the short ones."""
    denied = phrases.words("negations")
    return {without_s(word) for word in re.findall(r"[^\W\d_]{3,}", text.lower()) if word not in denied}


def raised_where_said(context: Context) -> list[Built]:
    """The error in the place of the one message that has the words of a condition for which no test was
    found: *for an unknown command*."""
    span = context.span("condition")
    words = {without_s(word) for word in split_name(without_articles(context.text("condition")))}
    every = anchors(context, "written_out")
    spots = [one for one in every if words <= set(map(without_s, split_name(one.words["text"])))]
    if span is None or not words or len(spots) != 1:
        return []
    slots = {name: given for name, given in context.reading.slots.items() if name != "condition"}
    slots["old"] = (replace(span, text=spots[0].words["text"]),)
    reading = replace(context.reading, intent="raise_for_print", slots=slots)
    return list(BUILDERS["raise_for_print"](Context(reading, context.situation, context.names)))
