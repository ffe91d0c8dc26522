"""What is moved where an instruction names a definition beside the files: it and not the whole file."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.areas import paths_named
from spark_tui.intent.names import Names, key, plain_name
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.tokens import tokenize


def as_move(reading: Reading, instruction: str, names: Names) -> Reading:
    """`move the function clamp out of number.py into clamp.py`, read as another name for number.py, as the
    move of the function. Of several definitions the first that the instruction names is meant."""
    if reading.intent != "rename_file":
        return reading
    held = [one for spans in reading.slots.values() for one in spans]
    inside = {
        key(one.name)
        for path, _ in paths_named(names.repo, reading.text("file"))
        for own in names.in_file(path).values()
        for one in own
        if "." not in one.qualname
    }
    for one in tokenize(instruction).items:
        free = one.kind == "name" and not any(span.start < one.end and one.start < span.end for span in held)
        if free and key(plain_name(one.text)) in inside:
            named = (Span(one.start, one.end, one.text, one.inside >= 0),)
            slots = {"symbol": named, "file": (*reading.slots.get("file", ()), *reading.slots.get("new", ()))}
            return replace(reading, intent="move_definition", slots=slots)
    return reading
