"""The tool that makes an exact edit of Python code: a rename across the repository, a changed signature, …"""

from __future__ import annotations

import itertools
from collections.abc import Generator
from pathlib import Path
from typing import Annotated, Any

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.hunks import hunk_of_line, hunks_of_plan
from spark_tui.codemods.plan import Refused
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import SparkError
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.repository import Repository
from spark_tui.tools.bounded_text import count_of, joined, shown_line
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.registry import ToolContext, ToolOutcome

_MOST_PLACES = 40


class OverlayFiles:
    """The files of an overlay as `pysource` reads them."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay

    def paths(self) -> tuple[str, ...]:
        root = self._overlay.tree.root
        return tuple(path for path in self._overlay.paths if not (root / path).is_symlink())

    def read(self, path: str) -> str | None:
        # As for any file that `pysource` cannot read: what is wrong with it is said where it is named.
        try:
            return self._overlay.read(path)
        except (SparkError, OSError, UnicodeError):
            return None


class KnownRepository:
    """What is known of the repository, from call to call. `cache`: a folder for the next session."""

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._repo: Repository | None = None

    def now(self, context: ToolContext) -> Repository:
        """The repository as the overlay has it. Raises Stopped."""
        files = OverlayFiles(context.files)
        if self._repo is None:
            self._repo = Repository(files, index=Index(files, self._cache, on_work=context.look))
        else:
            self._repo = self._repo.reread(files, context.look)
        return self._repo


def codemod(
    context: ToolContext,
    op: Annotated[str, "the operation, such as rename; help: list all of them with their arguments"],
    arguments: Annotated[dict[str, Any], 'such as {"target": "Cart.add", "new": "put"}'] = {},  # noqa: B006
) -> Generator[str | tuple[Hunk, ...], None, ToolOutcome]:
    """Make an exact edit of Python code, with every call and import that follows from it."""
    if op == "help":
        text = _listed()
        yield text
        return ToolOutcome(text, "operations")
    try:
        call = registry.from_json({**arguments, "op": op})
    except (registry.MalformedCall, ValueError, TypeError) as error:
        text = f"{error}; codemod(op='help') lists all operations"
        yield text
        return ToolOutcome(text, "wrong operation", failed=True)
    known: KnownRepository = context.parts["codemods"]
    repo = known.now(context)
    plan = call.plan(repo)
    if isinstance(plan, Refused) or plan.changes_nothing:
        text = str(plan) if isinstance(plan, Refused) else "nothing to change"
        yield text
        return ToolOutcome(text, f"{op}: refused", failed=True)
    context.look()
    plan = checked(plan, repo)
    made = hunks_of_plan(plan, repo, itertools.count(1).__next__)
    yield made
    where = f"{count_of(len(made), 'hunk')} in {count_of(len(plan.paths), 'file')}"
    told = [f"proposed {where}: {registry.render(call)}"]
    told += [
        f"{one.path}:{one.line}: {'breaks' if one.sure else 'may break'}: {one.reason}"
        for one in plan.findings
    ]
    left = "not changed: "
    told += [
        f"{one.path}:{one.line}: {left if hunk_of_line(made, one.path, one.line) is None else ''}{one.reason}"
        for one in plan.unfollowed[:_MOST_PLACES]
    ]
    text, _ = joined(shown_line(item) for item in told)
    yield text
    return ToolOutcome(text, f"{shown_line(registry.render(call))[:60]}: {count_of(len(made), 'hunk')}")


def _listed() -> str:
    out = []
    for name, operation in registry.operations().items():
        parts = [item.name + ("" if item.required else "?") for item in registry.slots_of(operation)]
        head = (operation.__doc__ or "").strip().split("\n")[0]
        out.append(f"{name}({', '.join(parts)}): {head}")
    return "\n".join(out)
