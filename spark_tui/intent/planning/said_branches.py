"""Branches that an instruction names as a place, and whether its edit stays in them."""

from __future__ import annotations

from spark_tui.codemods.plan import Edit
from spark_tui.intent.context.branches_said import Branch, branches_said, owner_of_else, suites_of
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.source import Function, Source

_REMOVED = "pattern.remove_else"
_Spans = list[tuple[int, int]]


def branches_kept(found: RankedEdit) -> tuple[_Spans, _Spans]:
    """The characters that name branches in which the edit stays, and those of the others."""
    text = found.situation.instruction
    held = found.executed.candidate.reading.held
    said = [
        one
        for one in branches_said(text)
        if not one.new
        and found.start <= one.start < max(found.end, 1)
        and not any(span.start < one.end and one.start < span.end for span in held)
    ]
    kept = [one for one in said if _stays(found, one)]
    owner, *place = owner_of_else(text)
    removed = [(place[0], place[1])] if owner and found.executed.candidate.reading.intent == _REMOVED else []
    return (
        [*removed, *((one.start, one.end) for one in kept)],
        [(one.start, one.end) for one in said if one not in kept],
    )


def _stays(found: RankedEdit, branch: Branch) -> bool:
    """Whether the edit changes functions in such branches alone; imports may be added."""
    one, situation = found.executed, found.situation
    index = ((situation.before if one.candidate.from_before else None) or situation.repo).index
    edits = [(index.source(edit.path), edit) for edit in one.plan.edits if is_python(edit.path)]
    placed = [(source, edit, _function(source, edit)) for source, edit in edits]
    inner = [item for item in placed if item[2] is not None] or placed
    return bool(inner) and all(_is_in(source, edit, function, branch) for source, edit, function in inner)


def _function(source: Source, edit: Edit) -> Function | None:
    return next((one for one in reversed(source.functions) if _holds(source.span(one), edit)), None)


def _holds(span: tuple[int, int], edit: Edit) -> bool:
    return span[0] <= edit.start and span[0] < edit.end <= span[1] + 1


def _is_in(source: Source, edit: Edit, function: Function | None, branch: Branch) -> bool:
    """Whether an edit lies in the lines of such a branch, with the one of its keyword."""
    for suite in suites_of(source, function or source.tree, branch):
        lines = source.line_span(source.first_line(suite[0]) - 1, source.last_line(suite[-1]))
        if lines[0] <= edit.start and edit.end <= lines[1]:
            return True
    return False
