"""Decides which windows of a turn a message is for, and what has to be answered there.

What programs make of the message is told to the windows in which it changes something. Any other message is
told to the windows that it names, else to those whose hunks hold a word of it, else to every window with a
hunk. Nothing else is asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from spark_tui.backends.base import Request
from spark_tui.context.mentions import without_files
from spark_tui.context.prompt import file_windows
from spark_tui.context.shown_context import Section
from spark_tui.session.named_targets import nothing_but_files, words_for_code
from spark_tui.session.steer_reader import SteerReader, Unfollowed
from spark_tui.session.steered_turn import SteeredTurn
from spark_tui.session.window_answers import INTO_THE_LAST, MessageRoute, WindowMessage
from spark_tui.steers.corrections import Reading

MAX_WINDOWS = 8
"""A message that no program reads is told to this many windows at most."""


class MessageRouter:
    """Routes one message."""

    def __init__(self, turn: SteeredTurn) -> None:
        self._turn = turn

    def route(self) -> MessageRoute:
        """Where the message goes."""
        if self._takes_back:
            return self._route_to(
                [WindowMessage(one) for one in self._turn.with_hunks or [self._turn.last]], self._turn.paths
            )
        read = SteerReader(self._turn).read() if self._turn.programs and self._turn.unchanged else None
        if read is not None:
            messages = list(read.messages)
            if not self._turn.places and self._turn.target_paths == self._turn.paths:
                # It names no place: what was not read of a file is told to its windows.
                messages += [
                    WindowMessage(one) for one in self._windows() if one.files[0].path not in read.paths
                ]
            if messages:
                return self._route_to(messages, read.settled, read.unfollowed)
        return self._route_to(
            [
                WindowMessage(one, one.known if self._only_extends(one) else ())
                for one in self._windows()[:MAX_WINDOWS]
            ]
        )

    def _route_to(
        self, messages: Sequence[WindowMessage], settled: Collection[str] = (), unfollowed: Unfollowed = ()
    ) -> MessageRoute:
        """Told to these windows; of `settled` files no other window is asked."""
        if [one.request for one in messages] == [self._turn.last] and len(self._turn.position.requests) == 1:
            # The backend reads the message itself where there is only one window.
            return INTO_THE_LAST
        windows = [one.request for one in messages]
        unanswered = (
            one for one in self._turn.unfinished if one not in windows and one.files[0].path not in settled
        )
        return MessageRoute(tuple(messages), tuple(unanswered), unfollowed)

    @cached_property
    def _takes_back(self) -> bool:
        """Whether the message takes back all of the turn: then no other window is asked."""
        if self._turn.places or self._turn.added_paths or self._turn.target_paths != self._turn.paths:
            return False
        hunks = {path: self._turn.hunks_of(path) for path in self._turn.paths}
        asked = without_files(self._turn.instruction)
        return all(
            Reading(self._turn.lines(path), asked, self._turn.text, found).correction().back
            for path, found in hunks.items()
            if found or not any(hunks.values())
        )

    def _only_extends(self, request: Request) -> bool:
        """Whether the message only says that the instruction is for that file as well."""
        path = request.files[0].path
        return path in self._turn.added_paths and nothing_but_files(self._turn.message, [path])

    def _windows(self) -> list[Request]:
        """The windows that a message is for, in order."""
        if self._turn.added_paths:
            return [request for path in self._turn.added_paths for request in self._turn.requests_about(path)]
        named = list(
            dict.fromkeys(request for path in self._turn.places for request in self._windows_at(path))
        )
        if named:
            return named
        holding = [one for one in self._turn.with_hunks if self._talks_of(one)]
        if holding and len(holding) < len(self._turn.with_hunks):
            return self._ordered([*holding, *([self._turn.last] if self._turn.was_cut else [])])
        likely = [
            one
            for one in (*self._turn.with_hunks, *self._turn.unfinished)
            if one.files[0].path in self._turn.target_paths
        ]
        return self._ordered(likely or self._turn.with_hunks) or [self._turn.last]

    def _ordered(self, requests: Sequence[Request]) -> list[Request]:
        return [one for one in self._turn.position.requests if one in requests]

    def _talks_of(self, request: Request) -> bool:
        """Whether a hunk of this window holds a word of code that the message has."""
        words = words_for_code(self._turn.text)
        return any(
            words & words_for_code("\n".join([*hunk.old_lines, *hunk.new_lines]))
            for hunk in self._turn.hunks_in(request)
        )

    def _windows_at(self, path: str) -> Iterator[Request]:
        """The windows with hunks in the places that are named; where there are none, the windows of the
        places."""
        places, hunks = self._turn.places[path], self._turn.hunks_of(path)
        lines = self._turn.lines(path)
        for window in file_windows(path, lines, self._turn.limits, self._turn.count_tokens)[1]:
            for place in places:
                inside = [one for one in hunks if place.holds(one)]
                spots = [one.first + 1 for one in inside] or [place.first]
                if any(window.first <= spot <= window.last for spot in spots):
                    text = "".join(f"{line}\n" for line in lines[window.first - 1 : window.last])
                    yield self._turn.request_for(
                        Section(path, text, window.first, len(lines), window.tokens, "named")
                    )
                    break
