"""Several orders of which two would write the same thing with different values: one of them means another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.codemods.families.files import SetKey
from spark_tui.codemods.families.functions.arguments import SetArgument
from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.families.values.replacement import SetValue
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.planning.answers import Way


def clash(ways: Sequence[Way]) -> int | None:
    """Which of some edits is the less certain of two that write the same thing."""
    for at, later in enumerate(ways):
        for before, one in enumerate(ways[:at]):
            if any(_same(mine, other) for mine in later.calls for other in one.calls):
                loose = [not _is_named(item) for item in (one, later)]
                return before if loose == [True, False] else at if loose[1] else None
    return None


def _is_named(way: Way) -> bool:
    """Whether the words of an edit are the name of what it sets. A key is named as it is spelled."""
    slots = way.done.slots if way.done is not None else {}
    if keys := {_spelled(call.key) for call in way.calls if isinstance(call, SetKey)}:
        return any(_spelled(plain_name(item.text)) in keys for item in slots.get("key", ()))
    names = {key(str(call.target).rpartition("::")[2]) for call in way.calls if isinstance(call, SetValue)}
    return any(key(plain_name(item.text)) in names for item in slots.get("variable", ())) or not names


def _spelled(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.rpartition(".")[2].strip("\"'")).lower()


def untaken(
    weighed: list[tuple[float, Candidate]], taken: Sequence[Operation]
) -> list[tuple[float, Candidate]]:
    """The candidates that do not write what another order of the same instruction writes."""
    return [
        item for item in weighed if not any(_same(call, other) for call in item[1].calls for other in taken)
    ]


def _same(operation: Operation, other: Operation) -> bool:
    """Whether two calls set the same thing to different values."""
    if isinstance(operation, SetValue) and isinstance(other, SetValue):
        return operation.target == other.target and operation.value != other.value
    if isinstance(operation, SetKey) and isinstance(other, SetKey):
        same = (operation.path, operation.key) == (other.path, other.key)
        return same and operation.value != other.value
    if isinstance(operation, SetArgument) and isinstance(other, SetArgument):
        same = (operation.callee, operation.place, operation.name) == (other.callee, other.place, other.name)
        return same and operation.value != other.value
    if isinstance(operation, SetDefault) and isinstance(other, SetDefault):
        same = (operation.target, operation.name) == (other.target, other.name)
        return same and operation.default != other.default
    return False
