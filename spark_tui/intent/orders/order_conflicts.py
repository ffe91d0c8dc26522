"""Several orders of which two would write the same thing with different values: one of them means another."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.codemods.families.functions.arguments import SetArgument
from spark_tui.codemods.families.values.replacement import SetValue
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.planning.ways import Way


def clash(ways: Sequence[Way]) -> int | None:
    """Which of some edits is the less certain of two that write the same thing."""
    for at, later in enumerate(ways):
        for before, one in enumerate(ways[:at]):
            if any(_same(mine, other) for mine in later.calls for other in one.calls):
                loose = [not _is_named(each) for each in (one, later)]
                return before if loose == [True, False] else at if loose[1] else None
    return None


def _is_named(way: Way) -> bool:
    """Whether the words of an edit are the name of what it sets."""
    names = {key(str(one.target).rpartition("::")[2]) for one in way.calls if isinstance(one, SetValue)}
    said = way.done.slots.get("variable", ()) if way.done is not None else ()
    return any(key(plain_name(one.text)) in names for one in said) or not names


def untaken(
    weighed: list[tuple[float, Candidate]], taken: Sequence[Operation]
) -> list[tuple[float, Candidate]]:
    """The candidates that do not write what another order of the same instruction writes."""
    return [
        each for each in weighed if not any(_same(one, other) for one in each[1].calls for other in taken)
    ]


def _same(one: Operation, other: Operation) -> bool:
    """Whether two calls set the same thing to different values."""
    if isinstance(one, SetValue) and isinstance(other, SetValue):
        return one.target == other.target and one.value != other.value
    if isinstance(one, SetArgument) and isinstance(other, SetArgument):
        same = (one.callee, one.place, one.name) == (other.callee, other.place, other.name)
        return same and one.value != other.value
    return False
