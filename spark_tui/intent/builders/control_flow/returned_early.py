"""What a function returns where it is left early, and what it says before: `print "no such room" and
return`."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.codemods.families.statements.branches import always_leaves
from spark_tui.intent.building.building import filled
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.http_statuses import failing_like
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.phrases import words
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_PRINTED = r"""(?:"(?P<one>[^"\n]+)"|`(?P<two>[^`\n]+)`|'(?P<three>[^\n]+?)'(?!\w))"""


def return_options(context: Context, anchor: Anchor, status: str = "") -> list[Option]:
    """What is returned early: as said, or nothing where the function returns nothing, or None. A `status`
    that the file answers with in its own way is none."""
    if status and failing_like(context.source(anchor.path), status):
        return [Option(status)]
    if context.has("result"):
        node = anchor.node
        values = [inner.value for inner in find_nodes(node, ast.Return) if inner.value] if node else []
        known = replace(anchor, extra={"old": values[-1]} if values else {})
        out = filled(context, "{result:value}", known) or []
        if context.text("result").strip("`") in phrases.table()["leaving"]["return"]:
            return [Option("")]
        span = context.span("result")
        if span is not None and not span.quoted and " " in span.text and parsed(span.text) is None:
            out = [
                item for item in out if item.text[1:-1] != span.text
            ]  # words that say no value are no text
        return [replace(item, text="") if item.text == "nothing" else item for item in out]
    beside = phrases.value_in(context.beside_slots())
    if beside is not None:
        return [Option(beside)]
    node = anchor.node
    if (empty := _collected(anchor)) is not None:
        return [Option(empty, 0.9, (assumed(f"it was assumed to return {empty} then"),)), Option("", 0.4)]
    returned = [one.value for one in find_nodes(node, ast.Return)] if node is not None else []
    # Both forms do the same: it is the one that the function has. One that raised returned a value.
    raised = context.has("forgiven") and any(one is not None for one in returned)
    says_none = raised or any(isinstance(one, ast.Constant) and one.value is None for one in returned)
    if {ast.unparse(one) for one in returned if one is not None} == {"self"}:
        return [Option("self")]  # calls of its methods are chained
    return [Option("None")] if says_none else _otherwise_returned(context, anchor)


def _otherwise_returned(context: Context, anchor: Anchor) -> list[Option]:
    """The parameter that a function changes and returns, or nothing; doubted where it always returns a
    value."""
    node = anchor.node
    values = context.source(anchor.path).returned(node) if isinstance(node, Function) else None
    if not isinstance(node, Function) or not values or None in values or not always_leaves(node.body):
        return [Option("")]
    nothing = Option("", 1.0, (assumed("it was assumed to return None then"),))
    names = {ast.unparse(value) for value in values if value is not None}
    stored = {one.id for one in find_nodes(node, ast.Name) if isinstance(one.ctx, ast.Store)}
    if len(names) > 1 or not names <= stored & {one.arg for one in parameters(node)}:
        return [nothing]
    (name,) = names
    return [
        Option(name, 0.9, (assumed(f"it was assumed to return {name} then"),)),
        replace(nothing, weight=0.4),
    ]


def _collected(anchor: Anchor) -> str | None:
    """The empty list, dictionary or set with which what a function returns begins, if it returns no other."""
    node = anchor.node
    if not isinstance(node, Function):
        return None
    returned = {ast.unparse(one.value) for one in find_nodes(node, ast.Return) if one.value is not None}
    begins = [
        stmt.value
        for stmt in node.body
        if isinstance(stmt, ast.Assign) and [ast.unparse(one) for one in stmt.targets] == [*returned]
    ]
    shown = ast.unparse(begins[0]) if begins else ""
    return shown if shown in ("[]", "{}", "set()", "dict()", "list()") else None


def printed_first(context: Context, anchor: Anchor) -> str:
    """The call of print that an instruction wants in front of a return; empty where it wants none."""
    verbs = "|".join(map(re.escape, words("print")))
    joins = "|".join(map(re.escape, words("and")))
    leaves = "|".join(map(re.escape, words("leave")))
    form = rf"(?<!\w)(?:{verbs})\s+{_PRINTED}\s*,?\s*(?:{joins})\s+(?:\w+\s+)?(?:{leaves})(?!\w)"
    found = re.search(form, context.situation.instruction, re.IGNORECASE)
    if found is None:
        return ""
    text = found["one"] or found["two"] or found["three"]
    if context.span("result") is not None and text == context.text("result"):
        return ""
    return f"print({literal(text, context.source(anchor.path))})"
