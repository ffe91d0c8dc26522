"""What a reading does not name, and the function or the value that it names tells."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.context.lookup import Names
from spark_tui.intent.words.phrases import is_said
from spark_tui.intent.words.readings import CODE, Reading, Span
from spark_tui.pysource.source import Function, parameters


def with_implied(reading: Reading, names: Names) -> Reading:
    """The reading with the parameters that *both* means, or the only one that there is."""
    if reading.intent == "annotate_parameter":
        return _with_parameters(reading, names)
    return reading


def without_pronouns(reading: Reading) -> Reading:
    """The reading without words such as *that* beside what they stand for."""
    slots = {}
    for slot, spans in reading.slots.items():
        told = tuple(one for one in spans if not is_said("pronouns", one.text))
        slots[slot] = told or spans
    return replace(reading, slots=slots)


def own_parameters(function: str, names: Names) -> list[str]:
    """The names of the parameters that a caller gives."""
    node = next((one.target.node for one in names.find(function, CALLABLE)), None)
    if not isinstance(node, Function):
        return []
    given = [one.arg for one in parameters(node)]
    return given[1:] if given[:1] in (["self"], ["cls"]) else given


def _with_parameters(reading: Reading, names: Names) -> Reading:
    said, places = reading.slots.get("parameter", ()), reading.slots.get("function", ())
    if len(said) > 1 or not places:
        return reading
    own = own_parameters(places[0].text, names)
    text = said[0].text if said else ""
    both = is_said("both", text) and len(own) == 2
    every = is_said("them", text) or is_said("all_of", text)
    if not own or text in own or not (both or every or (not text and len(own) == 1)):
        return reading
    given = tuple(Span(CODE, CODE, one, True) for one in own)
    return replace(reading, slots={**reading.slots, "parameter": given})
