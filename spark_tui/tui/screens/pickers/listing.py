"""A picker that appears at once and is filled by a function that runs on a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from spark_tui.errors import SparkError
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.screens.protocols import OverlayHost
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.turns.session_access import one_line_error

T = TypeVar("T")


def push_list(
    host: OverlayHost,
    picker: Picker,
    look: Callable[[], Sequence[T]],
    take: Callable[[T], None],
    choice: Callable[[T], ChoiceRow],
    nothing: str,
) -> None:
    """Lay an empty picker over the workbench and fill it with what `look` returns on a thread of its own.
    `take` gets what was chosen; `nothing` is said where there is nothing to choose."""
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
