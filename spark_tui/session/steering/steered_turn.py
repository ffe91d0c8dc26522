"""A turn and a message after it: what the message names, and which hunks and windows the turn has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.backends.base import Request
from spark_tui.context.mentions import without_files
from spark_tui.context.shown_context import ContextLimits, CountTokens, ReadLines, Section
from spark_tui.context.symbols import Outline
from spark_tui.edits.hunk import Hunk
from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.session.model.context_builder import file_part
from spark_tui.session.review.messages import lies_in
from spark_tui.session.steering.named_targets import NamedRange, files_named, places_named, without_names_of
from spark_tui.session.window_answers import TurnPosition

Hunks = tuple[WindowHunk, ...]
Outlines = Callable[[], Sequence[Outline]]
_STANDS = ("open", "accepted", "edited")


@dataclass
class SteeredTurn:
    """A turn with several windows, or with one window of a longer file, at the time of a message."""

    instruction: str
    message: str
    position: TurnPosition
    hunks: Sequence[tuple[Hunk, str]]
    """Of the turn, with their states."""
    was_cut: bool
    """Whether the turn had not come to its end."""
    read_lines: ReadLines
    limits: ContextLimits
    count_tokens: CountTokens
    outlines: Outlines
    requests_about: Callable[[str], Sequence[Request]]
    """What would be asked if the instruction were about that file."""

    @property
    def last(self) -> Request:
        """The window that was answered last."""
        return self.position.requests[self.position.at]

    @cached_property
    def unfinished(self) -> list[Request]:
        """Windows that were not answered to their end."""
        last = [self.position.at] if self.was_cut else []
        return [self.position.requests[at] for at in (*last, *self.position.ahead)]

    @cached_property
    def paths(self) -> list[str]:
        """The files that the turn is about."""
        return list(dict.fromkeys(request.files[0].path for request in self.position.requests))

    @cached_property
    def added_paths(self) -> list[str]:
        """Files that the message names and the turn was not about."""
        if "." not in self.message:
            return []
        return [
            one
            for one in files_named(self.message, [one.path for one in self.outlines()])
            if one not in self.paths
        ]

    @cached_property
    def target_paths(self) -> list[str]:
        """Files of the turn that the message names; all of them where it names none."""
        return files_named(self.message, self.paths) or ([] if self.added_paths else self.paths)

    @cached_property
    def text(self) -> str:
        """The message without the files that it names."""
        return without_names_of(without_files(self.message), self.paths)

    def lines(self, path: str) -> tuple[str, ...]:
        """A file as the turn read it."""
        return tuple(self.read_lines(path) or ())

    def hunks_of(self, path: str) -> Hunks:
        """The whole hunks of a file that are not rejected, in order."""
        found = [
            WindowHunk(hunk.old_start - 1, hunk.old_end - 1, hunk.new_lines)
            for hunk, state in self.hunks
            if hunk.path == path and hunk.kind == "edit" and state in _STANDS and not hunk.partial
        ]
        return tuple(sorted(found, key=lambda one: (one.first, one.last)))

    @cached_property
    def places(self) -> dict[str, tuple[NamedRange, ...]]:
        """Definitions that the message names, by file."""
        found = {path: places_named(self.text, path, self.lines(path)) for path in self.target_paths}
        return {path: places for path, places in found.items() if places}

    @cached_property
    def with_hunks(self) -> list[Request]:
        return [one for one in self.position.requests if self.hunks_in(one)]

    def request_for(self, section: Section) -> Request:
        """The request about this window; if there is none, a new one like the others."""
        for request in self.position.requests:
            part = request.files[0]
            if (part.path, part.first_line, part.text) == (section.path, section.first_line, section.text):
                return request
        same = [one for one in self.position.requests if one.files[0].path == section.path]
        base = same[0] if same else replace(self.position.requests[0], history=())
        return replace(base, files=(file_part(section),), selection=(0, 0), cursor=0)

    def hunks_in(self, request: Request) -> list[Hunk]:
        """The hunks of a window, partial ones too."""
        return [
            hunk
            for hunk, state in self.hunks
            if state in (*_STANDS, "partial") and lies_in(hunk, request.files[0])
        ]
