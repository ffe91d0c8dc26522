"""The calls of the last edit with what a message gives in the one field that holds such a thing."""

from __future__ import annotations

from spark_tui.codemods.registry import MalformedCall, from_json, to_json
from spark_tui.intent.context.situation import Candidate, Done
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words.readings import Reading


def with_given_field(reading: Reading, earlier: Done) -> list[Candidate]:
    """The calls once more; none where no field holds such a thing, or several do."""
    fields = followup_table()["fields"].get(reading.intent, {})
    calls = [to_json(call) for call in earlier.calls]
    held = [call for call in calls if call["op"] in fields]
    given = reading.slots.get(str(followup_table()["given"].get(reading.intent, "")), ())
    if len(held) != 1 or len(given) != 1:
        return []
    field = fields[held[0]["op"]]
    if reading.text("old").strip("`'\"") not in ("", held[0].get(field)):
        return []
    held[0][field] = given[0].text.strip()
    try:
        made = tuple(map(from_json, calls))
    except MalformedCall:
        return []
    return [Candidate(made, reading)] if made != earlier.calls else []
