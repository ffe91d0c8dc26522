"""A picker that opens immediately and is filled by a function on a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from spark_tui.errors import SparkError
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.turns.session_access import one_line_error

T = TypeVar("T")


def push_list(
    host: WorkbenchHost,
    picker: Picker,
    look: Callable[[], Sequence[T]],
    take: Callable[[T], None],
    choice: Callable[[T], ChoiceRow],
    nothing: str,
) -> None:
    """Open an empty picker over the workbench and fill it with the result of `look`, which runs on a
    thread. `take` gets the choice; `nothing` is shown if there is nothing to choose."""
    rows: dict[str, T] = {}

    def chosen(value: str | None) -> None:
        if value is not None:
            take(rows[value])

    async def fill() -> None:
        try:
            found = await run_in_daemon(look)
        except SparkError as error:
            picker.fill((), one_line_error(error))
            return
        choices = [choice(row) for row in found]
        rows.update(zip((one.value for one in choices), found, strict=True))
        picker.fill(choices, "" if choices else nothing)

    picker.looking()
    host.push_overlay(picker, chosen)
    host.start_task(fill)
