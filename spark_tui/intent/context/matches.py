"""The symbols that a text may mean, weighed against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.symbols import Target, told_apart
from spark_tui.intent.context.situation import Area
from spark_tui.intent.words.doubts import Doubt, DoubtKind, places_fit

INNER = frozenset((SymbolKind.LOCAL, SymbolKind.PARAMETER))


@dataclass(frozen=True, eq=False)
class Match:
    """A symbol that a text may mean."""

    target: Target
    weight: float
    doubts: tuple[str, ...] = ()

    @property
    def symbol(self) -> str:
        return f"{self.target.path}::{self.target.qualname}"


def narrowed(found: list[Target], name: str, area: Area | None) -> Iterator[tuple[Target, float, str]]:
    """The symbols of a name: those in the area, where it has one, and else all, less likely."""
    exact = [one for one in found if one.name == name]
    spelled = 1.0 if exact else 0.97
    where = area.qualname if area is not None else ""
    inside = [one for one in exact or found if not where or f"{one.qualname}.".startswith(f"{where}.")]
    for one in inside or exact or found:
        yield one, spelled if inside else spelled * 0.25, ""


def weighted(found: list[tuple[Target, float, str]], near: list[str], path: str) -> list[Match]:
    """Matches by weight: those around the cursor first, definitions before locals."""
    if not found:
        return []
    scored = []
    defined = any(each.kind not in INNER for each, _, _ in found)
    for one, weight, doubt in found:
        score = weight
        outer = one.qualname.rpartition(".")[0]
        if one.kind in INNER:
            score *= 0.4 if defined else 0.9
        if outer and outer in near:
            score *= 8
        elif one.path != path:
            score *= 0.5
        scored.append((score, weight, one, doubt))
    whole = sum(score for score, *_ in scored)
    scored.sort(key=lambda each: (-each[0], each[2].path, each[2].line))
    several = (_several([one for *_, one, _ in scored]),) if len(scored) > 1 else ()
    out = []
    for score, weight, one, doubt in scored:
        doubts = (*((doubt,) if doubt else ()), *several)
        out.append(Match(one, weight * score / whole, doubts))
    return out


def _several(found: Sequence[Target]) -> Doubt:
    """That several symbols may be meant."""
    if any(one.name != found[0].name for one in found):
        return places_fit(len(found))
    return Doubt(told_apart(found), DoubtKind.SYMBOLS, len(found))
