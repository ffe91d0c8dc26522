"""Early returns: a branch that leaves comes first, or stands before the others without `elif` and `else`;
what a function returns there, and what it says before: `print "no such room" and return`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.statements.branches import always_leaves
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, of_table
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
_SECOND = 0.3
_DEEPEST = 4


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


@builder("pattern.early_return")
def early_return(context: Context) -> Iterator[Built]:
    """The last `if` turned round, then each around it; where none can be, every `else` behind a return is
    taken away."""
    for built in of_table(context, "pattern.early_return"):
        yield _with_outer(context, built)
    for built in of_table(context, "pattern.remove_else"):
        yield replace(built, weight=_SECOND * built.weight)


def turned_round(context: Context, anchor: Anchor, condition: Option) -> Built | None:
    """The last `if` of a function turned round, where what it does not do, or its `else`, is what happens if
    the condition holds: a guard in front of it would ask twice."""
    body = anchor.node.body if isinstance(anchor.node, Function) else []
    last = next((one for one in reversed(body[-2:]) if not isinstance(one, ast.Return)), None)
    if not isinstance(last, ast.If) or (last.orelse and last is not body[-1]) or context.has("result"):
        return None
    if ast.unparse(last.test) not in (negate_code(condition.text), f"not {condition.text}"):
        return None
    made = call("leave_early", place=f"{anchor.path}:{last.lineno}-{last.end_lineno}")
    return build_at(anchor, made, option=condition) if isinstance(made.plan(context.repo), Plan) else None


def _with_outer(context: Context, built: Built) -> Built:
    """The same once more for each `if` around the one that is turned round, so that none stays nested."""
    calls, repo, inner = built.calls, context.repo, None
    while len(calls) == 1 and len(built.calls) <= _DEEPEST:
        plan = calls[0].plan(repo)
        if not isinstance(plan, Plan) or len(plan.edits) != 1:
            break
        edit = plan.edits[0]
        if inner is not None:
            if edit.path != inner.path or not edit.start <= inner.start < edit.end:
                break
            built = replace(built, calls=(*built.calls, calls[0]))
        inner, repo = edit, repo.with_changes(plan.texts(repo))
    return built
