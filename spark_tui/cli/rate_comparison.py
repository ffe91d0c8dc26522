"""`spark stats --compare`: the rates of your turns with two models, or in two periods."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from spark_tui.bars import columns
from spark_tui.errors import NothingToDo, UsageError
from spark_tui.evals.intervals import independent_difference
from spark_tui.session.storage.session_index import SessionIndex, TurnFilter

_SPAN = re.compile(r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)")
_WORDS = {"accepted": "hunks accepted", "undone": "written hunks undone", "interrupted": "turns interrupted"}


def turn_filter(text: str) -> TurnFilter:
    """A span of days, its end excluded, or a part of a model's name."""
    span = _SPAN.fullmatch(text)
    if span is None:
        return TurnFilter(model=text)
    try:
        since, before = (datetime.fromisoformat(day).timestamp() for day in span.groups())
    except ValueError as error:
        raise UsageError(f"{text!r} is not a range of days: {error}") from error
    return TurnFilter(since=since, before=before)


def run(store: SessionIndex, names: Sequence[str], *, as_json: bool) -> int:
    """Print the comparison. Raises NothingToDo if one of the two has no turns."""
    found = [store.decided_counts(turn_filter(name)) for name in names]
    for name, counts in zip(names, found, strict=True):
        if not any(total for _, total in counts.values()):
            raise NothingToDo(
                f"no turns of {name!r} in this repository",
                hint="Name a part of a model's name, or a span such as 2026-10-01..2026-11-01.",
            )
    rows = {rate: _row(found[0][rate], found[1][rate]) for rate in _WORDS}
    print(json.dumps({"A": names[0], "B": names[1], "rates": rows}) if as_json else _table(names, rows))
    return 0


def _row(first: tuple[int, int], second: tuple[int, int]) -> dict[str, Any]:
    difference = independent_difference(*first, *second)
    return {"A": first, "B": second, "difference": difference.as_dict() if difference else None}


def _table(names: Sequence[str], rows: dict[str, dict[str, Any]]) -> str:
    cells = [["", *names, "B − A", "95 % interval"]]
    for rate, row in rows.items():
        gap = row["difference"]
        interval = f"{100 * gap['low']:+.1f} … {100 * gap['high']:+.1f}" if gap else "-"
        value = f"{100 * gap['value']:+.1f}" if gap else "-"
        cells.append([_WORDS[rate], _share(row["A"]), _share(row["B"]), value, interval])
    return "\n".join(columns(cells))


def _share(counts: tuple[int, int]) -> str:
    count, total = counts
    return f"{100 * count / total:.0f} % ({count} of {total})" if total else "-"
