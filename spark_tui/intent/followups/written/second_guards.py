"""Further things that a guard refuses which was just written: *and an empty body*."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.conditions.by_failure import prefer_presence_test
from spark_tui.intent.conditions.condition_messages import write_condition_message
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.situation import Area, Option
from spark_tui.intent.followups.written.syntax import NodeRewrite, WrittenSyntax
from spark_tui.intent.words import phrases

_THEN = re.compile(r"\b(?:not|n['’]t|unless|without|when|while|as long as)\b", re.IGNORECASE)


def joining(written: WrittenSyntax, test: ast.AST, operator: str, code: str) -> str:
    """How a condition comes to a test: beside a guard that raises it is refused too, unless it says when the
    guard does so: *only if*, *and strict is set*."""
    outer = written.source.parents.get(test)
    raises = isinstance(outer, ast.If) and outer.test is test and isinstance(outer.body[0], ast.Raise)
    only = any(phrases.stands_in(word, written.instruction.lower()) for word in phrases.words("only"))
    tree = parsed(code)
    plain = isinstance(tree, ast.UnaryOp) or (
        isinstance(tree, ast.Compare) and not isinstance(tree.ops[0], ast.IsNot)
    )
    when = only or _THEN.search(written.instruction) is not None
    return "or" if raises and plain and not when else operator


def says_or(text: str) -> bool:
    """Whether a message begins with an *or*, as the test goes on then."""
    first = re.match(r"\W*(\w+)", text.lower())
    return first is not None and first[1] in phrases.words("or")


def _as_first(written: WrittenSyntax, guard: ast.If, option: Option) -> Option:
    """The condition as it is read where no guard stands yet: *already exists* asks what holds the things."""
    function, spans = written.source.function_of(guard), written.reading.slots.get("condition", ())
    if function is None or not spans:
        return option
    anchor = Anchor(Area(written.path, function), function)
    return prefer_presence_test(written.context, spans[-1], anchor, [option])[0]


def second_guard(written: WrittenSyntax, test: ast.AST, option: Option, weight: float) -> NodeRewrite | None:
    """A guard of its own behind one whose message tells its condition, with the message for the new one."""
    source, guard = written.source, written.source.parents.get(test)
    if not isinstance(guard, ast.If) or guard.test is not test or guard.orelse or len(guard.body) != 1:
        return None
    option = _as_first(written, guard, option)
    told, said = write_condition_message(source.segment(test)), write_condition_message(option.text)
    raised = source.segment(guard.body[0])
    if not isinstance(guard.body[0], ast.Raise) or not told or not said or told not in raised:
        return None
    indent = source.newline + source.indent(guard)
    code = f"{source.segment(guard)}{indent}if {option.text}:{indent}{source.indent_unit}"
    code += re.sub(re.escape(told), lambda _: said, raised)
    return NodeRewrite(guard, code, weight * option.weight, option.doubts)
