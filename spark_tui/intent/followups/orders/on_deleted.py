"""Orders behind an edit that only deleted are about what it deleted: *only if count is above 0*."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.codemods.registry import from_json, to_json
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.orders.near_edit import names_no_subject
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.words import word_set

_OF_STATEMENTS = word_set(
    "run_only_if print_to_logging print_to_stderr change_log_level comment_out set_argument"
)
"""What is done to statements that are there."""


def on_deleted(reading: Reading, situation: Situation, found: list[Candidate]) -> list[Candidate]:
    """The candidates for the lines that were deleted, in the files before, where they can be for them."""
    before, changes = situation.before, changes_of_edit(situation)
    deletes = bool(changes) and not any(one.new for one in changes) and not situation.partial
    if before is None or not deletes or reading.intent not in _OF_STATEMENTS or not names_no_subject(reading):
        return found
    lines = changes[0].first + 1, changes[-1].last
    then = replace(
        situation, repo=before, earlier=None, before=None, path=changes[0].path, selection=lines, focused=True
    )
    made = [one for one in find_candidates(reading, then) if one.calls]
    return [_there(one, changes[0].path, lines) for one in made] or found


def _there(candidate: Candidate, path: str, lines: tuple[int, int]) -> Candidate:
    """A candidate for the lines, and not for all of their file."""
    calls = []
    for one in candidate.calls:
        place = getattr(one, "place", None)
        whole = place is not None and place.side == "in" and place.symbol == path
        there = {**to_json(one), "place": f"{path}:{lines[0]}-{lines[1]}"} if whole else {}
        calls.append(from_json(there) if whole else one)
    return replace(candidate, calls=tuple(calls), from_before=True)
