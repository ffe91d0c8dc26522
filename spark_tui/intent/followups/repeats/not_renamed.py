"""What still has its old name after a rename that was meant everywhere."""

from __future__ import annotations

import re
from itertools import islice

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.symbols import list_targets
from spark_tui.intent.context.lookup import names_of, plain_name
from spark_tui.intent.context.places_left_out import find_left_out
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.executing import Executed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import PLACES

_MOST_LOOKED_AT = 60
_MOST_SAID = 3


def not_renamed(executed: Executed, situation: Situation) -> str:
    """Where other definitions of the name are, or texts that are the name, such as keys. Empty where
    a place is named, or where there are none."""
    reading, repo = executed.candidate.reading, situation.repo
    name = next(
        (call.target.name.rpartition(".")[2] for call in executed.calls if isinstance(call, Rename)), ""
    )
    bounded = any(reading.slots.get(slot) for slot in PLACES) or "." in plain_name(reading.text("symbol"))
    if not name or not reading.everywhere or bounded or _in_one_file(situation.instruction):
        return ""
    left = {path for path, *_ in find_left_out(reading.left_out, situation, names_of(repo, situation.path))}
    after = repo.with_changes(executed.texts)
    paths = [path for path in after.index.files_with(name) if path not in left]
    text = re.compile(rf"""(["']){re.escape(name)}\1""")
    still = [
        path
        for path in islice(paths, _MOST_LOOKED_AT)
        if text.search(after.index.text(path) or "")
        or any(target.kind is not SymbolKind.IMPORT for target in list_targets(after, path, name))
    ]
    still += paths[_MOST_LOOKED_AT:]
    more = len(still) - _MOST_SAID
    shown = still if more == 1 else still[:_MOST_SAID]
    return f"{name} in {', '.join(shown)}" + (f" and {more} more files" if more > 1 else "") if still else ""


def _in_one_file(instruction: str) -> bool:
    """Whether *the entire file* is said, and not *all the files*."""
    known = "|".join(map(re.escape, phrases.words("file")))
    return re.search(rf"(?:{known})(?!s)", instruction.lower()) is not None
