"""A list that stands on the screen before what is in it was looked for.

Comes in: a picker, and a way to look that may take its time. Goes out: choices, or a sentence in their place.
Must not know: what is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from spark_tui.errors import SparkError
from spark_tui.tui.decisions import in_a_line
from spark_tui.tui.model_switch import in_a_daemon
from spark_tui.tui.screens.picker import Choice, Picker

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

T = TypeVar("T")


def lay_list(
    bench: Workbench,
    picker: Picker,
    look: Callable[[], Sequence[T]],
    take: Callable[[T], None],
    choice: Callable[[T], Choice],
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
            found = await in_a_daemon(look)
        except SparkError as error:
            picker.fill((), in_a_line(error))
            return
        choices = [choice(row) for row in found]
        rows.update(zip((one.value for one in choices), found, strict=True))
        picker.fill(choices, "" if choices else nothing)

    picker.looking()
    bench.lay_over(picker, chosen)
    bench.later(fill)
