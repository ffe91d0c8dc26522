"""The tools that propose hunks, as a model is told of them. The turn reads the arguments as they arrive."""

from __future__ import annotations

from typing import Annotated

from spark_tui.tools.edit_calls import EditCall, QuotedEdit, WriteFile
from spark_tui.tools.patch_call import ApplyPatch
from spark_tui.tools.registry import Tool, ToolContext, ToolOutcome, tool_of

Path = Annotated[str, "relative to the root of the repository"]


def edit(
    context: ToolContext,
    path: Path,
    old: Annotated[str, "the exact text to replace; it must occur once in the file"],
    new: Annotated[str, "what it becomes; empty: it is deleted"],
) -> ToolOutcome:
    """Replace a small piece of a file. The person reviews every edit before it is written."""
    raise _streamed(context, path, old, new)


def write_file(
    context: ToolContext, path: Path, text: Annotated[str, "the whole new content"]
) -> ToolOutcome:
    """Create a file, or replace all of one. For a change of some lines, use edit."""
    raise _streamed(context, path, text)


def apply_patch(
    context: ToolContext, patch: Annotated[str, "*** Begin Patch … *** End Patch, or a unified diff"]
) -> ToolOutcome:
    """Edit several places or files by one patch."""
    raise _streamed(context, patch)


def _streamed(*given: object) -> AssertionError:
    return AssertionError(f"the turn reads the arguments of an edit itself ({len(given)} given)")


EDIT_TOOLS: tuple[Tool, ...] = tuple(tool_of(item, streams=True) for item in (edit, write_file, apply_patch))
EDIT_CALLS: dict[str, type[EditCall]] = {
    "edit": QuotedEdit,
    "write_file": WriteFile,
    "apply_patch": ApplyPatch,
}
