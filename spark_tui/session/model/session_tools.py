"""The tools of a session: which ones exist, what they see, and whether the user allows a command."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Event as StopFlag
from typing import TYPE_CHECKING, Any

from spark_tui.backends.base import takes_tools
from spark_tui.config.settings import Settings
from spark_tui.context.ignore_rules import ignore_rules_of, is_allowed
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.emitter_options import ReadLines
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecords
from spark_tui.session.tree.moved_hunks import waiting
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.permission import Permissions
from spark_tui.tools.registry import Registry, Stopped, ToolContext
from spark_tui.workspace.file_listing import list_files
from spark_tui.workspace.files import Tree

if TYPE_CHECKING:
    from spark_tui.tools.exact_edits import KnownRepository
    from spark_tui.tools.mcp_texts import ServerText
    from spark_tui.tools.mcp_tools import McpTools
    from spark_tui.tools.run_command import CommandRunner


@dataclass(slots=True)
class ToolSetup:
    """The tools of one turn. `native`: the backend takes schemas; otherwise the tools are described in
    the prompt. `pending` returns the hunks that the model currently sees; the argument says whether those
    of its own turn are among them."""

    registry: Registry
    native: bool
    limits: Settings
    """Where a turn ends by itself."""
    make_overlay: Callable[[bool], Overlay]
    pending: Callable[[bool], Sequence[PendingHunk]]
    last_hunk_id: Callable[[], int]
    parts: dict[str, Any]
    """What single tools work with, by name."""
    permissions: Permissions
    seen: set[str]
    """The files that the model was shown, and what its calls named."""
    step_tokens: int = 0
    """Tokens that the outputs of a turn's tools may take in a prompt; 0 for no limit."""
    notes: tuple[str, ...] = ()
    """What the person should know about the tools of this turn."""

    def context(self, stop: StopFlag) -> ToolContext:
        """What a call works on: the current files."""
        return ToolContext(self.make_overlay(True), stop, self.parts, self.permissions)


@dataclass
class SessionTools:
    """Makes the tools of each turn with a connected model. A user interface that can ask sets
    `permissions.ask`."""

    _root: Path
    _setup: ModelSetup
    _records: TurnRecords
    _decisions: Decisions
    _context: ContextBuilder
    _state: Path
    _cache: Path
    permissions: Permissions = field(default_factory=Permissions)
    _runner: CommandRunner | None = None
    _mcp: McpTools | None = None
    _closed: bool = False
    _seen: set[str] = field(default_factory=set)
    _mcp_lock: threading.Lock = field(default_factory=threading.Lock)
    """A turn and a list to choose from may ask for the servers at the same time."""

    def for_turn(self, turn_id: str, tree: Tree, shown: frozenset[str] = frozenset()) -> ToolSetup | None:
        """The tools of a turn that reads `tree`; None for the built-in model, which has its own way to look.
        Files in `shown` were named by the person: no rule withholds them."""
        settings, backend = self._setup.settings, self._setup.backend
        if not self._are_offered:
            return None
        from spark_tui.tools.all_tools import make_registry  # slow to import, and not needed before

        self._seen |= shown
        ignored = ignore_rules_of(tree.read_lines)

        def listed() -> list[str]:
            return is_allowed(list_files(self._root), ignored)

        def withheld(path: str) -> str:
            return "" if path in shown else self._context.withheld(path)

        def pending(own: bool) -> Sequence[PendingHunk]:
            return self._pending(turn_id, tree, own=own)

        def overlay(own: bool) -> Overlay:
            return Overlay(tree, pending(own), listed=listed, withheld=withheld)

        parts = {"run": self._commands(), "codemods": self._known_repository}
        mcp = self._mcp_tools()
        return ToolSetup(
            make_registry(run=settings.tool_run != "never", more=mcp.tools if mcp else ()),
            settings.tools != "text" and takes_tools(backend),
            settings,
            overlay,
            pending,
            lambda: self._records.last_hunk_id,
            parts,
            self.permissions,
            self._seen,
            self._context.history_tokens() // 2,
            mcp.problems() if mcp else (),
        )

    def lines_of(self, turn_id: str, tree: Tree) -> ReadLines:
        """The files as the prompt of a turn shows them: to a model with tools with the hunks of earlier turns
        that wait."""
        if not self._are_offered:
            return tree.read_lines
        overlay = Overlay(tree, self._pending(turn_id, tree, own=False))

        def read_lines(path: str) -> Sequence[str] | None:
            found = overlay.lines(path)
            return tree.read_lines(path) if found is None else found

        return read_lines

    def pending_tree(self, tree: Tree, stop: StopFlag) -> Path | None:
        """A copy of the repository with all hunks that are neither written nor rejected; None if there
        are none."""
        overlay = Overlay(tree, self._pending("", tree))
        if not overlay.changed:
            return None

        def look() -> None:
            if stop.is_set():
                raise Stopped

        return self._commands().prepare(overlay, look)

    def expanded(self, ask: ContextRequest) -> ContextRequest:
        """The instruction with what it names of MCP servers: prompts and resources."""
        if not self._setup.settings.mcp_servers or ":" not in ask.instruction:
            return ask
        mcp = self._mcp_tools()
        if mcp is None:
            return ask
        from spark_tui.tools.mcp_texts import expanded

        return replace(ask, instruction=expanded(ask.instruction, mcp.clients))

    def server_prompts(self) -> list[ServerText]:
        """The prompts of MCP servers, for a list to choose from. Starts the servers, which may take seconds;
        nothing where none is configured."""
        from spark_tui.tools.mcp_texts import prompts_of

        mcp = self._mcp_tools()
        return list(prompts_of(mcp.clients)) if mcp else []

    def server_resources(self) -> list[ServerText]:
        """The resources of MCP servers, as `server_prompts`."""
        from spark_tui.tools.mcp_texts import resources_of

        mcp = self._mcp_tools()
        return list(resources_of(mcp.clients)) if mcp else []

    def wait_for_late_servers(self) -> None:
        """Wait until those that are still starting have answered or failed."""
        if (mcp := self._mcp) is not None:
            mcp.wait_for_late()

    def close(self) -> None:
        """Remove the worktree of commands, and end the servers of tools."""
        with self._mcp_lock:
            if self._mcp is not None:
                self._mcp.close()
            self._mcp, self._closed = None, True
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    @property
    def _are_offered(self) -> bool:
        backend, offer = self._setup.backend, self._setup.settings.tools
        takes = getattr(backend, "takes_tools", None) is not None
        return offer != "off" and takes and getattr(backend, "small_window", None) is None

    def _commands(self) -> CommandRunner:
        from spark_tui.tools.run_command import CommandRunner, RunPolicy

        settings = self._setup.settings
        if self._runner is None:
            self._runner = CommandRunner(self._root, self._state / "runs")
        self._runner.policy = RunPolicy(settings.tool_run, settings.tool_allow, settings.tool_run_seconds)
        return self._runner

    def _mcp_tools(self) -> McpTools | None:
        """The MCP servers of the settings; None if there are none, or the session is closed."""
        servers = self._setup.settings.mcp_servers
        if not servers and self._mcp is None:
            return None
        from spark_tui.tools.mcp_tools import McpTools
        from spark_tui.tools.permission import McpConsent

        with self._mcp_lock:
            if self._closed:
                return None
            if self._mcp is None:
                self._mcp = McpTools(McpConsent(self._state))
            self._mcp.use(servers)
            return self._mcp

    @cached_property
    def _known_repository(self) -> KnownRepository:
        from spark_tui.tools.exact_edits import KnownRepository

        return KnownRepository(self._cache)

    def _pending(self, turn_id: str, tree: Tree, *, own: bool = True) -> list[PendingHunk]:
        """The hunks of this turn if `own`, and those of earlier ones that wait, as hunks of the files as this
        one read them."""
        out: list[PendingHunk] = []
        review, last = self._decisions.review, self._records.last_hunk_id
        with self._records.lock:
            for record in self._records:
                is_own = record.turn_id == turn_id
                if is_own and not own:
                    continue
                found = self._decisions.hunks_of(record)
                out += [
                    PendingHunk(hunk, state, earlier=not is_own)
                    for hunk, state in (found if is_own else waiting(found, record.tree, tree))
                    if review.source(hunk.id) <= last
                ]
        return out
