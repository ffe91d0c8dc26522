"""An `else` that goes: behind a branch that leaves its statements stay; any other one goes with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.statements.branches import RemoveElse, list_branches
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, builder, call, of_table
from spark_tui.intent.building.shared_lines import lines_of
from spark_tui.intent.context.branches_said import Branch, Suite, owner_of_else, suites_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed, places_fit
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import LOOPS, has_break

_WHOLE = 0.8
_STAYS = assumed("an elif was assumed to be meant: the else stays, as a branch above can go on")


@builder("pattern.remove_else")
def remove_else(context: Context) -> Iterator[Built]:
    """Remove an `else` behind a branch that leaves, or of a loop without `break`, and keep its statements.
    Any other one is removed together with its statements."""
    text = context.situation.instruction
    owner = owner_of_else(text)[0]
    plain = list(of_table(context, "pattern.remove_else")) if owner in ("", "if") else []
    whole = [] if "elif" in text else list(_with_statements(context, owner))
    plain = [one if "elif" in text else _with_kept_else(one, context) for one in plain]
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


def _with_kept_else(one: Built, context: Context) -> Built:
    """The edit with a doubt where it makes an `if` of an `elif` and the `else` of that stays."""
    plan = one.calls[0].plan(context.repo)
    for edit in plan.edits if isinstance(plan, Plan) else ():
        source = context.source(edit.path)
        ifs = [node for node in source.statements if isinstance(node, ast.If)]
        owner = next((node for node in ifs if source.span(node)[0] == edit.start), None)
        if edit.new == "if" and owner is not None and list_branches(source, owner)[-1].orelse:
            return replace(one, doubts=(*one.doubts, _STAYS))
    return one


def _without(context: Context, source: Source, path: str, suite: Suite) -> Operation:
    """What takes an `else` away: of a loop without `break` its statements stay."""
    loop = source.parents.get(suite[0])
    if isinstance(loop, LOOPS) and not has_break(loop):
        found = call("remove_else", place=lines_of(source, path, loop, loop))
        if isinstance(found.plan(context.repo), Plan):
            return found
    return call("delete_statements", place=lines_of(source, path, suite[0], suite[-1]))


def _with_statements(context: Context, owner: str) -> Iterator[Built]:
    """Each `else` there with what stands in it."""
    spots = [
        (_without(context, source, area.path, suite), len(suite), area)
        for area, source, root in context.trees()
        for suite in suites_of(source, root, Branch("else", 0, 0, owner))
    ]
    tried = spots[: context.most_places]
    kept = [spot for spot in tried if not isinstance(spot[0].plan(context.repo), Refused)]
    fitting = len(spots) - len(tried) + len(kept)
    for one, count, area in kept:
        if isinstance(one, RemoveElse):
            yield Built((one,), _WHOLE * area.weight / fitting, (places_fit(fitting),) if fitting > 1 else ())
            continue
        lines = "1 statement" if count == 1 else f"{count} statements"
        doubts: tuple[str, ...] = (Doubt(f"{lines} of the else would go with it", DoubtKind.DROPPED),)
        doubts = (*doubts, places_fit(fitting)) if fitting > 1 else doubts
        yield Built((one,), _WHOLE * area.weight / fitting, doubts)
