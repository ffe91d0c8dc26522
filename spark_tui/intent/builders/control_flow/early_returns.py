"""Early returns: a branch that leaves comes first, or stands before the others without `elif` and `else`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.building.building import Built, build_at, builder, call, of_table
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.pysource.source import Function

_SECOND = 0.3
_DEEPEST = 4


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
