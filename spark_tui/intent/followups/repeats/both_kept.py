"""The lines that an edit replaced, kept in front of the new ones: *keep the print too*."""

from __future__ import annotations

import re

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_for, changes_of_edit, functions_around
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import only_keeps
from spark_tui.intent.words.readings import Reading

_LIKELY = 0.9
_LEAVES = re.compile(r"(?:return|raise|continue|break)\b")
"""What is behind such a line is never reached."""


def both_kept(reading: Reading, situation: Situation) -> list[Candidate]:
    """The edit with the old statements beside the new ones, where words ask to keep them as well."""
    before, text = situation.before, situation.instruction.lower()
    also = phrases.any_stands_in((*phrases.words("also"), "both"), text)
    if before is None or not also or not only_keeps(text):
        return []
    found = changes_of_edit(situation)
    inside = [one for one in found if one.old and one.new and functions_around(one, situation.behind)]
    old = [line.strip() for one in inside for line in one.old]
    if not inside or any(line.endswith((":", "(", ",")) for line in old):
        return []
    if any(map(_LEAVES.match, old)):
        return [Candidate((), reading, refused="nothing comes after the old line")]
    calls = calls_for(found, {one: (*one.old, *one.new) for one in inside}, before)
    return [Candidate(calls, reading, weight=_LIKELY, from_before=True)] if calls else []
