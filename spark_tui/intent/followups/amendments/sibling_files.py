"""Another file of the same name that a message tells by its folder: *the async one too*, after an edit in
`_sync/pool.py`."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import names_of, split_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Reading, Span

_FURTHER = ("amend.also", "amend.everywhere")


def in_sibling_file(reading: Reading, situation: Situation) -> Reading:
    """The reading with the one file that is called like the one of the edit, and whose folder is named, if it
    names no other place."""
    repo, paths = situation.repo, {change.path for change in changes_of_edit(situation)}
    if reading.intent not in _FURTHER or len(paths) != 1:
        return reading
    path = next(iter(paths))
    for slot in (*PLACES, *OTHER_PLACES):
        for span in reading.slots.get(slot, ()):
            if names_of(repo, path).find(span.text) or paths_named(repo, span.text):
                return reading
    said = {word.lower() for word in re.findall(r"[^\W_]+", situation.instruction)}
    folder, _, name = path.rpartition("/")
    beside = [one for one in repo.index.paths if one.rpartition("/")[2] == name and one != path]
    own = set(split_name(folder.replace("/", "_")))
    told = [one for one in beside if said & {*split_name(one.rpartition("/")[0].replace("/", "_"))} - own]
    if len(told) != 1:
        return reading
    return replace(reading, intent="amend.also", slots={"file": (Span(-1, -1, told[0]),)})
