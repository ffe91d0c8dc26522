"""Requests that callers notice nothing of an edit (*existing callers keep what they have*).

No edit that changes what callers get can keep them, so the request is shown as left out.
"""

from __future__ import annotations

import re

from spark_tui.codemods.registry import operation_name
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.pysource.words import word_set

_CALLERS = r"\b(?:callers?|calls|call sites|usages|aufrufer|aufrufe|appelants|appels|llamadas|llamadores)\b"
_CALLERS_STAY = re.compile(
    r"(?i)(?:[,;.:]|\b(?:and|but|while|und|aber|et|mais|y|pero))\s[^,;.\n]{0,40}"
    rf"{_CALLERS}"
    r"[^,;.\n]{0,40}?\b(?:keep|kept|stay|remain|still|unchanged|untouched|not change|as they (?:are|were)"
    r"|behalten|bleiben|gardent|restent|mantienen|siguen)\b"
    r"(?!\s+(?:on\s+)?(?:work|function|run|compil|correct|valid))"
    r"[^;.\n]{0,40}"
)
"""That callers stay as they are."""
_REACHING = word_set(
    "set_default remove_default set_return add_guard make_async make_sync to_generator remove_parameter"
    " reorder_parameters make_keyword_only change_method_kind make_property rename rename_all rename_module"
    " move_definition remove_definition"
)
"""The operations that change what callers get, or must write."""
_CLAUSE_BEHIND = re.compile(
    r"(?i)(?:[,;.:，；。]|\b(?:and|but|while|without|und|aber|ohne|et|mais|sans|y|pero|sin)\b)"
    r"(?!\s*(?:so|since|because|as|damit|weil|da|car|pour|porque|para que)\b)[^,;.\n，；。]{0,80}"
)
_ALIKE = re.compile(
    r"(?i)\b(?:(?:keep|keeps|still)(?!\s+(?:on\s+)?(?:work|function|run|compil))|kept|stay|remain"
    r"|unchanged|same|before|untouched|(?:un)?affect(?:ed|ing)?|preserv(?:e|ing)|alone|notice"
    r"|chang(?:e|ing)|break(?:ing)?|behalten|bleiben|merken"
    r"|ändert|gardent|restent|changer|mantienen|siguen|cambiar)\b|保持|不变"
)
"""That something stays as it is, in any wording."""


def callers_kept(found: RankedEdit, start: int) -> str:
    """The clause from `start` on that asks for it; empty for none. A new default changes the calls that leave
    the argument out, so there every such wording counts."""
    text, done = found.situation.instruction, {operation_name(type(one)) for one in found.executed.calls}
    if done.isdisjoint(_REACHING):
        return ""
    if "set_default" not in done:
        stay = _CALLERS_STAY.search(text, start, max(found.end, 1))
        return stay[0].strip(" ,;.") if stay is not None else ""
    clauses = (one[0].strip(" ,;.:，；。") for one in _CLAUSE_BEHIND.finditer(text, start))
    said = (one for one in clauses if _ALIKE.search(one) and re.search(rf"(?i){_CALLERS}|调用", one))
    return next(said, "")
