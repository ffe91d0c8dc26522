"""Builds the requests of a turn: context within the model's limits, one request a window."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from spark_tui.backends.base import MAP_PATH, Exchange, FilePart, Request
from spark_tui.context.agent_rules import NAME as RULES
from spark_tui.context.file_list import FileList
from spark_tui.context.ignore_rules import ignore_rules_of, is_allowed
from spark_tui.context.prompt import build_context
from spark_tui.context.repo_map import LOOK_SECONDS, RepoMap, is_code
from spark_tui.context.shown_context import ContextLimits, ContextRequest, Section, ShownContext
from spark_tui.context.symbols import Outline
from spark_tui.edits.emitter_options import ReadLines
from spark_tui.errors import Misfit, NoFileShown, SparkError
from spark_tui.pysource.modules import is_test_file
from spark_tui.session.model.setup import ModelSetup
from spark_tui.workspace.file_listing import file_stamp, list_files
from spark_tui.workspace.files import TEXT_ONLY, Tree
from spark_tui.workspace.path_guard import check_path

_UNKNOWN_WINDOW = 64_000
"""The window assumed for a server that does not report one."""
_FRAME_TOKENS = 600
"""Tokens of a prompt besides its parts."""


class ContextBuilder:
    """One for each session, which keeps the map of the tree from turn to turn."""

    def __init__(self, root: Path, setup: ModelSetup) -> None:
        self._root = root
        self._setup = setup
        self._map = RepoMap(self._now, partial(file_stamp, self._root))
        self._lock = threading.Lock()

    def limits(self, history: Sequence[Exchange] = ()) -> ContextLimits:
        if not self._setup.backend.window:
            # The window of a server is known once it was contacted; where that fails, the turn says why.
            with contextlib.suppress(SparkError):
                self._setup.backend.format_for(Request(""))
        small = getattr(self._setup.backend, "small_window", None)
        if small is not None:
            return ContextLimits(0, small[0], small[1])
        window = self._setup.backend.window
        if not window:
            return ContextLimits()
        token_count = sum(
            self._setup.backend.count_tokens(exchange.instruction + exchange.answer + exchange.outcome)
            for exchange in history
        )
        answer = min(self._setup.settings.max_tokens, window // 4)
        return ContextLimits(max(1, window - answer - token_count - _FRAME_TOKENS))

    def history_tokens(self) -> int:
        """The tokens that earlier turns may use; 0 for no limit, because a small model is shown only its
        window."""
        if getattr(self._setup.backend, "small_window", None) is not None:
            return 0
        window = self._setup.backend.window
        return window // 2 if window else _UNKNOWN_WINDOW // 2

    def shown(
        self,
        ask: ContextRequest,
        read_lines: ReadLines,
        history: Sequence[Exchange] = (),
        *,
        look_seconds: float = LOOK_SECONDS,
    ) -> ShownContext:
        """What a turn shows. Two threads may call it; a short `look_seconds` keeps the other from waiting."""
        limits = self.limits(history)
        with self._lock:
            return build_context(
                ask,
                limits,
                read_lines=read_lines,
                count_tokens=self._setup.backend.count_tokens,
                paths=lambda: list_files(self._root),
                real=self._real,
                repo_map=self._map,
                look_seconds=look_seconds,
            )

    def withheld(self, path: str) -> str:
        """Why a file is shown to no model unless it is named; empty for any other file."""
        return FileList(lambda: (), self._now, self._real).withheld(path)

    def is_file(self, path: str) -> bool:
        """Whether a file of the repository has this path."""
        with contextlib.suppress(OSError, ValueError):
            return not path.startswith("/") and ".." not in path and (self._root / path).is_file()
        return False

    def only_source(self) -> str:
        """The file that a repository consists of, besides tests and prose; empty where there are more."""
        paths = (path for path in list_files(self._root) if is_code(path) and not path.endswith(".md"))
        ours = (path for path in paths if not is_test_file(path) and (self._root / path).is_file())
        first = list(islice(ours, 2))
        return first[0] if len(first) == 1 and not self.withheld(first[0]) else ""

    def outlines(self) -> list[Outline]:
        """Outlines of every file that may be shown without being named."""
        with self._lock:
            files = list_files(self._root)
            self._map.look(is_allowed(files, ignore_rules_of(self._now, files)), seconds=LOOK_SECONDS)
            return self._map.outlines

    def requests(
        self, ask: ContextRequest, shown: ShownContext, history: Sequence[Exchange] = ()
    ) -> tuple[Request, ...]:
        """One request for a model that reads everything in one go, otherwise one for each window."""
        common = Request(
            instruction=ask.instruction,
            history=tuple(history),
            told_before=len(history),
            rules=shown.rules,
            format=self._setup.settings.format,
            max_tokens=self._setup.settings.max_tokens,
        )
        if not self.limits().small or not shown.sections:
            return (self._request(common, shown.sections, ask, shown.map),)
        requests = (self._request(common, (section,), ask, shown.map) for section in shown.sections)
        return tuple(
            replace(request, history=conversation_about(request.files, history)) for request in requests
        )

    def _request(
        self, common: Request, group: Sequence[Section], ask: ContextRequest, map_text: str
    ) -> Request:
        files = [file_part(section) for section in group]
        first_is_in_view = bool(group) and group[0].path == ask.in_view
        if map_text:
            files.append(FilePart(MAP_PATH, map_text))
        return replace(
            common,
            files=tuple(files),
            selection=(ask.selection or (0, 0)) if first_is_in_view else (0, 0),
            cursor=ask.cursor if first_is_in_view else 0,
        )

    def _now(self, path: str) -> Sequence[str] | None:
        return Tree(self._root, most_bytes=self._setup.settings.max_file_bytes).read_lines(path)

    def _real(self, path: str) -> str:
        """The path with symbolic links resolved; the path itself if it cannot be resolved."""
        try:
            with check_path(self._root, path) as spot:
                return spot.real
        except SparkError:
            return path


def nothing_to_show(shown: ShownContext, tree: Tree) -> SparkError:
    """The error of a small model that would be shown no file. Rules that are left out are not the cause."""
    left_out = [item for item in shown.left_out if item[0].rpartition("/")[2] != RULES]
    if not left_out and not list_files(tree.root):
        return Misfit("there is no file to edit", where=str(tree.root), hint="Add one, then ask again.")
    if not left_out:
        named = " or ".join(f"@{path}" for path in shown.likely) or "@path"
        return NoFileShown("it is not clear which file to edit", hint=f"Name it: {named}.")
    path, why = left_out[0]
    others = f"; {len(left_out) - 1} more cannot be shown" if len(left_out) > 1 else ""
    kind: type[SparkError] = Misfit
    hint = "Name a text file: @path."
    try:
        tree.read_lines(path)
    except SparkError as error:
        kind = type(error)
        hint = hint if error.hint == TEXT_ONLY else error.hint
    return kind(why + others, where=path, hint=hint)


def conversation_about(files: Sequence[FilePart], history: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The exchanges about these files. A model that reads one window would take the lines of any edit for
    lines of it."""
    heads = {f"*** {part.path}" for part in files}
    return tuple(exchange for exchange in history if heads.intersection(exchange.answer.split("\n")))


def file_part(section: Section) -> FilePart:
    return FilePart(section.path, section.text, section.first_line, section.total_lines, section.around)
