"""The lines that an edit replaced, kept in front of the new ones: *keep the print too*."""

from __future__ import annotations

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_for, changes_of_edit, functions_around
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kept import only_keeps
from spark_tui.intent.words.readings import Reading

_LIKELY = 0.9


def both_kept(reading: Reading, situation: Situation) -> list[Candidate]:
    """The edit with the old statements beside the new ones, where words ask to keep them as well."""
    before, text = situation.before, situation.instruction.lower()
    also = phrases.any_stands_in((*phrases.words("also"), "both"), text)
    if before is None or not also or not only_keeps(text):
        return []
    found = changes_of_edit(situation)
    inside = [one for one in found if one.old and one.new and functions_around(one, situation.behind)]
    if not inside or any(line.rstrip().endswith((":", "(", ",")) for one in inside for line in one.old):
        return []
    calls = calls_for(found, {one: (*one.old, *one.new) for one in inside}, before)
    return [Candidate(calls, reading, weight=_LIKELY, from_before=True)] if calls else []
