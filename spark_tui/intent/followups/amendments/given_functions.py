"""A function that is given where a value was written (*use statistics.mean* after `return 0`) is no other
value: what is asked for is another way, which no exchange of a value is."""

from __future__ import annotations

import pathlib
import re

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import LineChange, changes_of_edit
from spark_tui.intent.followups.amendments.exchanged_tokens import is_literal
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.calls.signatures import standard_function

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*\Z")


def without_functions_as_values(
    reading: Reading, found: list[Candidate], situation: Situation
) -> list[Candidate]:
    """The candidates of an amendment without those that put a function in the place of a literal."""
    given = [span.text.strip().strip("`'\"") for span in reading.slots.get("value", ())]
    if reading.intent != "amend.value" or len(given) != 1 or not _is_function(given[0], situation):
        return found
    kept = [one for one in found if not _replaces_literal(one, given[0], situation)]
    return kept or [Candidate((), reading, refused=f"{given[0]} is a function, and a value was written")]


def _is_function(text: str, situation: Situation) -> bool:
    owner, _, last = text.rpartition(".")
    if not _NAME.match(text):
        return False
    if last.startswith("__") or (owner and callable(getattr(pathlib.Path, last, None))):
        return True
    standard = standard_function(text)
    if callable(standard) and not (isinstance(standard, type) and not owner):
        return True
    found = names_of(situation.repo, situation.path).find(text)
    return bool(found) and all(one.target.kind in CALLABLE for one in found)


def _replaces_literal(one: Candidate, name: str, situation: Situation) -> bool:
    """Whether a function stands in the result where the last edit, or the file before it, has a literal."""
    repo = situation.before or situation.repo
    plan = plan_of(one.calls, repo if one.from_before else situation.repo) if one.calls else None
    if not isinstance(plan, Plan):
        return False
    texts = plan.texts(repo if one.from_before else situation.repo)
    paths = {change.path for change in changes_of_edit(situation)} & texts.keys()
    for path in paths:
        was, now = situation.behind.index.text(path) or "", texts[path] or ""
        whole = LineChange(path, 0, 0, 0, tuple(was.split("\n")), tuple(now.split("\n")))
        for old, new in whole.exchanged():
            inside = name in "".join(token.text for token in new)
            if inside and old and all(is_literal(token.text) for token in old):
                return True
    return False
