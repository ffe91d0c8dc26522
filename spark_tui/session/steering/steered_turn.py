"""A turn and a message after it: what the message names, and which windows of the turn it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.backends.base import Request
from spark_tui.context.ignore_rules import ReadLines
from spark_tui.context.mentions import without_files
from spark_tui.context.prompt import file_windows
from spark_tui.context.shown_context import ContextLimits, CountTokens, Section
from spark_tui.context.symbols import Outline
from spark_tui.edits.hunk import Hunk
from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.session.model.context_builder import file_part
from spark_tui.session.review.messages import lies_in
from spark_tui.session.steering.named_targets import (
    NamedRange,
    files_named,
    places_named,
    without_names_of,
    words_for_code,
)
from spark_tui.session.window_cursor import INTO_THE_LAST, MessageRoute, TurnPosition

Hunks = tuple[WindowHunk, ...]
Outlines = Callable[[], Sequence[Outline]]
_STANDS = ("open", "accepted", "edited")
MAX_WINDOWS = 8
"""The number of windows that a message is sent to at most."""


@dataclass
class SteeredTurn:
    """A turn with several windows, or with one window of a longer file, at the time of a message."""

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

    def route(self) -> MessageRoute:
        windows = self._windows()[:MAX_WINDOWS]
        if windows == [self.last] and len(self.position.requests) == 1:
            # The backend reads the message itself where there is only one window.
            return INTO_THE_LAST
        unanswered = (item for item in self.unfinished if item not in windows)
        return MessageRoute(tuple(windows), tuple(unanswered))

    def _windows(self) -> list[Request]:
        """The windows that the message is for, in order."""
        if self.added_paths:
            return [request for path in self.added_paths for request in self.requests_about(path)]
        named = list(dict.fromkeys(request for path in self.places for request in self._windows_at(path)))
        if named:
            return named
        holding = [hunk for hunk in self.with_hunks if self._talks_of(hunk)]
        if holding and len(holding) < len(self.with_hunks):
            return self._ordered([*holding, *([self.last] if self.was_cut else [])])
        every = (*self.with_hunks, *self.unfinished)
        likely = [hunk for hunk in every if hunk.files[0].path in self.target_paths]
        return self._ordered(likely or self.with_hunks) or [self.last]

    def _ordered(self, requests: Sequence[Request]) -> list[Request]:
        return [request for request in self.position.requests if request in requests]

    def _talks_of(self, request: Request) -> bool:
        """Whether a hunk of this window holds a word of code that the message has."""
        words = words_for_code(self.text)
        return any(
            words & words_for_code("\n".join([*hunk.old_lines, *hunk.new_lines]))
            for hunk in self.hunks_in(request)
        )

    def _windows_at(self, path: str) -> Iterator[Request]:
        """The windows with hunks in the named places; if there are none, the windows of the places."""
        hunks, lines = self.hunks_of(path), self.lines(path)
        for window in file_windows(path, lines, self.limits, self.count_tokens)[1]:
            for place in self.places[path]:
                inside = [hunk for hunk in hunks if place.holds(hunk)]
                spots = [hunk.first + 1 for hunk in inside] or [place.first]
                if any(window.first <= spot <= window.last for spot in spots):
                    text = "".join(f"{line}\n" for line in lines[window.first - 1 : window.last])
                    section = Section(path, text, window.first, len(lines), window.tokens, "named")
                    yield self.request_for(section)
                    break

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
            item
            for item in files_named(self.message, [outline.path for outline in self.outlines()])
            if item not in self.paths
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
        return tuple(sorted(found, key=lambda item: (item.first, item.last)))

    @cached_property
    def places(self) -> dict[str, tuple[NamedRange, ...]]:
        """Definitions that the message names, by file."""
        found = {path: places_named(self.text, path, self.lines(path)) for path in self.target_paths}
        return {path: places for path, places in found.items() if places}

    @cached_property
    def with_hunks(self) -> list[Request]:
        return [request for request in self.position.requests if self.hunks_in(request)]

    def request_for(self, section: Section) -> Request:
        """The request about this window; if there is none, a new one like the others."""
        for request in self.position.requests:
            part = request.files[0]
            if (part.path, part.first_line, part.text) == (section.path, section.first_line, section.text):
                return request
        same = [item for item in self.position.requests if item.files[0].path == section.path]
        base = same[0] if same else replace(self.position.requests[0], history=())
        return replace(base, files=(file_part(section),), selection=(0, 0), cursor=0)

    def hunks_in(self, request: Request) -> list[Hunk]:
        """The hunks of a window, partial ones too."""
        return [
            hunk
            for hunk, state in self.hunks
            if state in (*_STANDS, "partial") and lies_in(hunk, request.files[0])
        ]
