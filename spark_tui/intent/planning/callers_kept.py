"""Requests that callers notice nothing of an edit (*existing callers keep what they have*).

No edit that changes what callers get can keep them, so the request is shown as left out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.codemods.registry import operation_name
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words import phrases
from spark_tui.pysource.words import word_set

_REACHING = word_set(
    "set_default remove_default set_return add_guard make_async make_sync to_generator remove_parameter"
    " reorder_parameters make_keyword_only change_method_kind make_property rename rename_all rename_module"
    " move_definition remove_definition"
)
"""The operations that change what callers get, or must write."""


@lru_cache(maxsize=1)
def _callers_stay() -> re.Pattern[str]:
    """That callers stay as they are."""
    callers, stay, joins = (phrases.form(kind) for kind in ("callers", "callers_stay", "joins_callers"))
    return re.compile(
        rf"(?i)(?:[,;.:]|\b{joins})\s[^,;.\n]{{0,40}}{callers}[^,;.\n]{{0,40}}?\b{stay}\b"
        rf"(?!\s+{phrases.form('goes_on_well')})[^;.\n]{{0,40}}"
    )


@lru_cache(maxsize=1)
def _clause_behind() -> re.Pattern[str]:
    begins, explains = phrases.form("clause_begins"), phrases.form("clause_explains")
    return re.compile(rf"(?i)(?:[,;.:，；。]|\b{begins}\b)(?!\s*{explains}\b)[^,;.\n，；。]{{0,80}}")


def callers_kept(found: RankedEdit, start: int) -> str:
    """The clause from `start` on that asks for it; empty for none. A new default changes the calls that leave
    the argument out, so there every such wording counts."""
    text, done = found.situation.instruction, {operation_name(type(one)) for one in found.executed.calls}
    if done.isdisjoint(_REACHING):
        return ""
    if "set_default" not in done:
        stay = _callers_stay().search(text, start, max(found.end, 1))
        return stay[0].strip(" ,;.") if stay is not None else ""
    clauses = (one[0].strip(" ,;.:，；。") for one in _clause_behind().finditer(text, start))
    alike, callers = (f"(?i){phrases.form(kind)}" for kind in ("alike", "callers"))
    said = (one for one in clauses if re.search(alike, one) and re.search(callers, one))
    return next(said, "")
