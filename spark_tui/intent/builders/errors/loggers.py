"""The logger of a file."""

from __future__ import annotations

from spark_tui.intent.building.building import call
from spark_tui.intent.context.reading_in_place import Context


def logger_of(context: Context, path: str) -> tuple[str, tuple]:  # type: ignore[type-arg]
    """The name by which a file logs, and calls that make it."""
    bound = context.repo.index.scopes(path).module.bound
    for name in ("logger", "log", "_logger", "_log", "LOG", "LOGGER"):
        if name in bound:
            return name, ()
    if "logging" in bound:
        return "logging", ()
    return "logging", (call("add_import", path=path, module="logging"),)
