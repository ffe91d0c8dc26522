"""The symbol kind that an instruction gives for a name: `the attribute rate`, `self.rate`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.context.situation import Area
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span

_OWN = re.compile(r"[\s`'\"]*(?:self|cls)\.[A-Za-z_]")
_ANY_VARIABLE = frozenset((SymbolKind.VARIABLE, SymbolKind.LOCAL, SymbolKind.PARAMETER, SymbolKind.ATTRIBUTE))
_SEVERAL_KINDS = {"variable": _ANY_VARIABLE, "constant": frozenset((SymbolKind.VARIABLE,))}
_QUOTES = "`'\"“”‘’ \t"


def is_member(text: str) -> bool:
    """Whether a name is shown as one of the object, and so is no parameter or local."""
    return _OWN.match(text) is not None


def kinds_said(span: Span | None, instruction: str) -> frozenset[SymbolKind]:
    """The kinds that the word beside a name, or at its edge, allows; empty where none is said."""
    if span is None or span.start < 0:
        return frozenset()
    front = instruction[: span.start].rstrip(_QUOTES)
    behind = instruction[span.end :].lstrip(_QUOTES)
    own = span.text.strip(_QUOTES)
    for kind, (ending, beginning) in _patterns().items():
        inside = " " in own and (ending.search(own) or beginning.match(own))
        if inside or ending.search(front) or beginning.match(behind):
            return _SEVERAL_KINDS.get(kind) or frozenset((SymbolKind(kind),))
    return frozenset()


def around_members(area: Area | None) -> Area | None:
    """The class of a method that is an area: what is set in a method belongs to its class."""
    if area is None or "." not in area.qualname:
        return area
    return replace(area, node=None, qualname=area.qualname.rpartition(".")[0])


@lru_cache(maxsize=1)
def _patterns() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    out = {}
    for kind, rows in phrases.table()["symbol_kinds"].items():
        known = f"(?:{'|'.join(map(_word, sorted(rows, key=len, reverse=True)))})"
        out[kind] = re.compile(rf"{known}\Z", re.IGNORECASE), re.compile(known, re.IGNORECASE)
    return out


def _word(text: str) -> str:
    """A pattern for a word: no spaces stand around Chinese ones."""
    return re.escape(text) if text > "\u2e80" else rf"(?<!\w){re.escape(text)}(?!\w)"
