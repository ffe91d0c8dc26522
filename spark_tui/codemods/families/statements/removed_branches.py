"""One branch of an `if` that goes while the others stay."""

from __future__ import annotations

import ast
from dataclasses import replace

from spark_tui.codemods.families.statements.branches import outdented_else
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import is_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.rewriting.edits import refuse_harm
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def branch_at(source: Source, first: int, last: int) -> ast.If | None:
    """The `elif`, or the `if` with others below it, whose test and body are these lines, from 0."""
    ifs = (one for one in source.statements if isinstance(one, ast.If) and one.lineno == first + 1)
    return next((one for one in ifs if one.orelse and source.last_line(one.body[-1]) == last), None)


def without_branch(repo: Repository, source: Source, branch: ast.If) -> Plan:
    """The plan that takes one branch away. What follows it belongs to the one above then; below the first
    one the next becomes the `if`, and what stands in an `else` moves out."""
    if is_inline(source, branch.body):
        raise Refusal(f"{source.path}:{branch.lineno}: the branch stands on one line")
    first = branch.lineno - 1
    edits = [Edit(source.path, *source.line_span(first, source.last_line(branch.body[-1])), "")]
    if not is_elif(source, branch):
        below = source.span(branch.orelse[0])[0]
        if is_elif(source, branch.orelse[0]):
            edits.append(Edit(source.path, below, below + len("elif"), "if"))
        else:
            edits.append(outdented_else(source, branch, branch.orelse))
    reason = "what it took goes on to the branches below"
    doubts = [Unfollowed(source.path, branch.lineno, reason)] if branch.orelse else []
    plan = planned_change(repo, edits)
    return refuse_harm(repo, replace(plan, unfollowed=(*plan.unfollowed, *doubts)))
