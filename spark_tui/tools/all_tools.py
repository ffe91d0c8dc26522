"""The tools that a connected model is offered, in their order in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.tools.diagnostics import diagnostics
from spark_tui.tools.edit_tools import EDIT_TOOLS
from spark_tui.tools.exact_edits import codemod
from spark_tui.tools.read_tools import list_files, read_file, references, search, symbols
from spark_tui.tools.registry import Registry, Tool, tool_of
from spark_tui.tools.run_command import run


def make_registry(*, run: bool = True, more: Sequence[Tool] = ()) -> Registry:
    """All tools, and `more` of other programs; without `run` no command can be run."""
    looking = [tool_of(item) for item in (read_file, list_files, search, symbols, references)]
    checking = [tool_of(codemod), tool_of(diagnostics)]
    return Registry([*looking, *EDIT_TOOLS, *checking, *([_RUN] if run else []), *more])


_RUN = tool_of(run)
