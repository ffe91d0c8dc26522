"""An `else` that goes: behind a branch that leaves its statements stay; any other one goes with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.intent.building.building import Built, builder, call, of_table
from spark_tui.intent.building.shared_lines import lines_of
from spark_tui.intent.context.branches_said import Branch, owner_of_else, suites_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, places_fit

_WHOLE = 0.8


@builder("pattern.remove_else")
def remove_else(context: Context) -> Iterator[Built]:
    """Remove an `else` behind a branch that leaves and keep its statements. The `else` of a loop or a `try`,
    and one behind a branch that goes on, is removed together with its statements."""
    text = context.situation.instruction
    owner = owner_of_else(text)[0]
    plain = list(of_table(context, "pattern.remove_else")) if owner in ("", "if") else []
    whole = [] if "elif" in text else list(_with_statements(context, owner))
    done = [one for one in plain if isinstance(one.calls[0].plan(context.repo), Plan)]
    if done and whole and not owner and _names_only_place(context):
        # That of a loop or a try may be meant as well.
        others = [one for kind in ("loop", "try") for one in _with_statements(context, kind)]
        doubts = (places_fit(len(others) + 1),) if others else ()
        share = 1 / (len(others) + 1)
        for one in (*plain, *others):
            yield replace(one, weight=plain[0].weight * share, doubts=(*one.doubts, *doubts))
        return
    yield from plain if done or not whole else whole
    if not plain and not whole:
        raise Unresolved(f"there is no else of a {owner} there", nothing=True)


def _names_only_place(context: Context) -> bool:
    """Whether a message names the `else` only by its place. A needless `else` is one of an `if`."""
    kinds = ["articles", "deleting", "branches", "of_class", "in_a_line", "rest"]
    idle = {
        *phrases.table()["config_lists"]["removing"],
        *(word for kind in kinds for word in phrases.words(kind)),
    }
    return set(re.findall(r"\w+", context.beside_slots().lower())) - idle == {"else"}


def _with_statements(context: Context, owner: str) -> Iterator[Built]:
    """Each `else` there with what stands in it."""
    spots = [
        (call("delete_statements", place=lines_of(source, area.path, suite[0], suite[-1])), len(suite), area)
        for area, source, root in context.trees()
        for suite in suites_of(source, root, Branch("else", 0, 0, owner))
    ]
    tried = spots[: context.most_places]
    kept = [spot for spot in tried if not isinstance(spot[0].plan(context.repo), Refused)]
    fitting = len(spots) - len(tried) + len(kept)
    for one, count, area in kept:
        lines = "1 statement" if count == 1 else f"{count} statements"
        doubts: tuple[str, ...] = (Doubt(f"{lines} of the else would go with it", DoubtKind.DROPPED),)
        doubts = (*doubts, places_fit(fitting)) if fitting > 1 else doubts
        yield Built((one,), _WHOLE * area.weight / fitting, doubts)
