"""The error that a guard raises: its class and its message as they are said, or made from the condition."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.builders.control_flow.raised_alike import subject_of, with_subject
from spark_tui.intent.building.building import filled
from spark_tui.intent.conditions.condition_messages import message_of, shown
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk


def raised(context: Context, anchor: Anchor, condition: str) -> list[Option]:
    """How an error is raised: its class and message as they are said, or made from the condition."""
    name = filled(context, "{exception:exception}", anchor)
    said = filled(context, "{message:message}", anchor)
    written = _with_arguments(context)
    if said is None and isinstance(parsed(written), ast.Call):
        return [Option(f"raise {written}")]
    kind = name[0] if name else Option(_fitting(condition), 0.95)
    if said is not None:
        return [Option(f"raise {kind.text}({one.text})", kind.weight * one.weight) for one in said]
    if again := _raised_there(anchor, kind.text) or with_subject(context, anchor, kind.text, condition):
        return [Option(f"raise {again}", kind.weight)]
    text = message_of(condition)
    source = context.source(anchor.path)
    if text and (named := with_value(context, text, condition)):
        return [Option(f"raise {kind.text}({named})", kind.weight)]
    if text:
        return [Option(f"raise {kind.text}({literal(text, source)})", kind.weight)]
    doubts = ("the message was made up",)
    made = literal(f"not allowed: {shown(condition)}", source)
    return [Option(f"raise {kind.text}({made})", kind.weight, doubts)]


def with_value(context: Context, text: str, condition: str) -> str:
    """A message that shows what is tested, where the words ask for that: *that names it*."""
    said = context.beside_slots().lower()
    subject = subject_of(condition)
    if not subject or not phrases.any_stands_in(phrases.table()["shows_value"]["said"], said):
        return ""
    return f'f"{text}: {{{subject}}}"' if not set('"{}\\\\') & set(text) else ""


def _raised_there(anchor: Anchor, kind: str) -> str:
    """How a function raises an error already, if it gives no text but its own parameters."""
    node = anchor.node
    if not isinstance(node, Function):
        return ""
    given = {one.arg for one in parameters(node)}
    for one in walk(node):
        made = one.exc if isinstance(one, ast.Raise) else None
        if isinstance(made, ast.Call) and ast.unparse(made.func) == kind and made.args and not made.keywords:
            inside = [each for arg in made.args for each in walk(arg)]
            names = {each.id for each in inside if isinstance(each, ast.Name)}
            if names and names <= given and not any(isinstance(each, ast.Constant) for each in inside):
                return ast.unparse(made)
    return ""


def _with_arguments(context: Context) -> str:
    """The exception as it is written, with the arguments that stand behind its name."""
    span = context.span("exception")
    if span is None:
        return ""
    shown = span.text.strip().strip("`")
    behind = re.match(r"\([^()\n]+\)", context.situation.instruction[span.end :]) if span.end > 0 else None
    return shown + behind[0] if behind is not None and "(" not in shown else shown


def _fitting(condition: str) -> str:
    """The exception that a condition of its kind raises."""
    return "TypeError" if "isinstance(" in condition else "ValueError"
