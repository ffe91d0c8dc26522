"""Whether the number in an order decides what is done: without it something else would be meant as well."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.tokens import Token


def is_number_used(found: RankedEdit, number: Token) -> bool:
    """Whether other calls come of the reading where its order says all but a number."""
    candidate, situation = found.executed.candidate, found.situation
    if candidate.from_before or candidate.reading.intent.startswith("amend."):
        return False
    text = situation.instruction
    blank = " " * (number.end - number.start)
    without = replace(situation, instruction=text[: number.start] + blank + text[number.end :])
    said, unsaid = (
        {one.calls for one in find_candidates(candidate.reading, told)} for told in (situation, without)
    )
    return candidate.calls in said and said != unsaid
