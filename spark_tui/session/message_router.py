"""Which windows of a turn a message is for, and what has to be said there.

Comes in: where a turn stands, what was asked and said, the hunks that stand, the files as the turn read them.
Goes out: a plan for `Turn.steer`. Must not know: journals, decisions, doors, what is made of words (`steers`
does).

A model that reads a window at a time writes its answer window by window, and a person means all of it. So
programs read the message of whole files, with all that stands in them. What they cannot make is told to the
windows that it names, else to those whose hunks hold what it talks of, else to every window with a hunk.
Nothing else is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.backends.base import Request
from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.context.prompt import file_windows
from spark_tui.context.shown_context import ContextLimits, CountTokens, ReadLines, Section
from spark_tui.edits.hunk import Hunk
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.session.context_builder import file_part
from spark_tui.session.cross_file_edits import Outlines, cross_file_edits
from spark_tui.session.hunk_windows import PYTHON, may_be_asked, sections
from spark_tui.session.named_targets import (
    NamedRange,
    files_named,
    nothing_but_files,
    places_named,
    without_names_of,
    words_for_code,
)
from spark_tui.session.steering import lies_in
from spark_tui.session.window_answers import INTO_THE_LAST, MessageRoute, TurnPosition, WindowMessage
from spark_tui.steers.corrected import answer, applied, touch
from spark_tui.steers.corrections import Reading
from spark_tui.steers.steered_by_program import first_answer, wanted, wanted_surely
from spark_tui.steers.sureness import SHAKY

_STANDS = ("open", "accepted", "edited")
MOST_TOLD = 8
"""A message that no program reads is told to so many windows at most."""
Hunks = tuple[WindowHunk, ...]
Unfollowed = tuple[tuple[str, str], ...]


@dataclass
class MessageRouter:
    """One message behind a turn of several windows, or of one in a longer file."""

    asked: str
    message: str
    standing: TurnPosition
    hunks: Sequence[tuple[Hunk, str]]
    """Of the turn, with their states."""
    cut: bool
    """Whether the turn had not come to its end."""
    fresh: bool
    """Whether the files are as the turn read them."""
    programs: bool
    read_lines: ReadLines
    limits: ContextLimits
    count_tokens: CountTokens
    outlines: Outlines
    shown_for: Callable[[str], Sequence[Request]]
    """What would be asked were the first order about that file."""

    def plan(self) -> MessageRoute:
        if self._takes_back:
            return self._to([WindowMessage(one) for one in self._with_hunks or [self._last]], self._paths)
        read = self._read() if self.programs and self.fresh else None
        if read is not None:
            return read
        return self._to(
            [
                WindowMessage(one, one.known if self._goes_on(one) else ())
                for one in self._concerned()[:MOST_TOLD]
            ]
        )

    def _to(
        self, told: Sequence[WindowMessage], settled: Collection[str] = (), more: Unfollowed = ()
    ) -> MessageRoute:
        """Told to these; of `settled` files all is said with that."""
        if [one.request for one in told] == [self._last] and len(self.standing.requests) == 1:
            # The backend reads it of the window, as it reads all that is said behind an answer of one.
            return INTO_THE_LAST
        windows = [one.request for one in told]
        still = (one for one in self._unfinished if one not in windows and one.files[0].path not in settled)
        return MessageRoute(tuple(told), tuple(still), more)

    # -- what stands
    # -------------------------------------------------------------------------------------------------

    @property
    def _last(self) -> Request:
        return self.standing.requests[self.standing.at]

    @cached_property
    def _unfinished(self) -> list[Request]:
        """Windows that were not answered to their end."""
        last = [self.standing.at] if self.cut else []
        return [self.standing.requests[at] for at in (*last, *self.standing.ahead)]

    @cached_property
    def _paths(self) -> list[str]:
        return list(dict.fromkeys(request.files[0].path for request in self.standing.requests))

    @cached_property
    def _elsewhere(self) -> list[str]:
        """Files that the message names and the turn was not about."""
        if "." not in self.message:
            return []
        return [
            one
            for one in files_named(self.message, [one.path for one in self.outlines()])
            if one not in self._paths
        ]

    @cached_property
    def _takes_back(self) -> bool:
        """Whether all of the turn is taken back: what was not answered yet is not asked any more."""
        if self._places or self._elsewhere or self._meant != self._paths:
            return False
        hunks = {path: self._hunks_of(path) for path in self._paths}
        asked = without_files(self.asked)
        return all(
            Reading(self._lines(path), asked, self._said, found).correction().back
            for path, found in hunks.items()
            if found or not any(hunks.values())
        )

    def _goes_on(self, request: Request) -> bool:
        """Whether all that is said is that the first order is for that file as well."""
        path = request.files[0].path
        return path in self._elsewhere and nothing_but_files(self.message, [path])

    @cached_property
    def _meant(self) -> list[str]:
        """Files of the turn that the message names; all of them where it names none."""
        return files_named(self.message, self._paths) or ([] if self._elsewhere else self._paths)

    @cached_property
    def _said(self) -> str:
        return without_names_of(without_files(self.message), self._paths)

    def _lines(self, path: str) -> tuple[str, ...]:
        return tuple(self.read_lines(path) or ())

    def _hunks_of(self, path: str) -> Hunks:
        found = [
            WindowHunk(hunk.old_start - 1, hunk.old_end - 1, hunk.new_lines)
            for hunk, state in self.hunks
            if hunk.path == path and hunk.kind == "edit" and state in _STANDS and not hunk.partial
        ]
        return tuple(sorted(found, key=lambda one: (one.first, one.last)))

    def _whole(self, path: str) -> Hunks | None:
        """What the first order makes of a file, also where not all of it has been said. None: nobody knows
        yet."""
        stands = self._hunks_of(path)
        if all(request.files[0].path != path for request in self._unfinished):
            return stands
        asked = [request for request in self.standing.requests if request.files[0].path == path]
        if asked and all(request.known for request in asked):
            made = tuple(WindowHunk(a - 1, b - 1, new) for request in asked for a, b, new in request.known)
        else:
            made = first_answer(self._lines(path), without_files(self.asked)) or ()
        gone = [
            (hunk.old_start - 1, hunk.old_end - 1)
            for hunk, state in self.hunks
            if hunk.path == path and state == "rejected"
        ]
        made = tuple(one for one in made if (one.first, one.last) not in gone)
        return made if made and all(one in made for one in stands) else None

    # -- by programs
    # -------------------------------------------------------------------------------------------------

    def _read(self) -> MessageRoute | None:
        """What programs make of the message, in every file that it is about."""
        final: dict[str, Hunks] = {}
        settled: set[str] = set()
        for path in self._meant:
            lines = self._lines(path)
            if not may_be_asked(lines) or not path.endswith(PYTHON):
                continue
            whole = self._whole(path)
            found = self._final(
                path, lines, self._hunks_of(path) if whole is None else whole, whole is not None
            )
            if found is not None:
                final[path] = found
                settled |= {path} if whole is not None else set()
        if not final:
            return None
        unfollowed = self._abroad(final, settled)
        told = list(self._told(final))
        if not self._places and self._meant == self._paths:
            # Said of no place: what is not read of one file is told to its windows.
            told += [WindowMessage(one) for one in self._concerned() if one.files[0].path not in final]
        return self._to(told, settled, unfollowed) if told else None

    def _final(self, path: str, lines: tuple[str, ...], stands: Hunks, is_whole: bool) -> Hunks | None:
        """What is to stand in a file in the end: what is said of a place is first read of the hunks there
        alone."""
        if not stands or self._is_edited(path):
            return None
        places = self._places.get(path, ())
        here = tuple(one for one in stands if any(place.holds(one) for place in places))
        if 0 < len(here) < len(stands):
            found = self._read_of(lines, here)
            rest = [one for one in stands if one not in here]
            if found is not None and not any(touch(old, new) for old in rest for new in found):
                return tuple(sorted([*rest, *found], key=lambda one: (one.first, one.last)))
        found = self._read_of(lines, stands) if is_whole else None
        found = found if found is None else _as_they_stand(lines, found, stands)
        if found is None or not self._is_about(found, stands, here):
            return None
        bare = [place for place in places if not any(place.holds(one) for one in stands)]
        reached = [place for place in bare if any(place.holds(one) for one in found)]
        # Where some of the places that are named were found, the others are as much meant.
        return found if not reached or reached == bare else None

    def _read_of(self, lines: tuple[str, ...], standing: Hunks) -> Hunks | None:
        """What leaves words over is not done here, where nothing is marked: each window is told, and marks
        it."""
        found = wanted_surely(lines, without_files(self.asked), self._said, standing)
        return None if found is None or found.sure <= SHAKY else found.hunks

    def _is_about(self, found: Hunks, stands: Hunks, here: Hunks) -> bool:
        """Whether what is said of some places is done there alone, or does nothing but take back."""
        rest = [one for one in stands if one not in here]
        return (
            not here or not rest or all(one in found for one in rest) or all(one in stands for one in found)
        )

    def _is_edited(self, path: str) -> bool:
        """What the person wrote is not read again."""
        return any(hunk.path == path and state == "edited" for hunk, state in self.hunks)

    def _abroad(self, final: dict[str, Hunks], settled: set[str]) -> Unfollowed:
        """Other files follow the first one of an edit that was known, whatever it is to be now."""
        requests = self.standing.requests
        home = self._paths[0]
        if home not in final or not all(request.known for request in requests):
            return ()
        hunks = tuple((one.first + 1, one.last + 1, one.new) for one in final[home])
        abroad = cross_file_edits(home, hunks, self.read_lines, self.limits, self.count_tokens, self.outlines)
        follow: dict[str, list[WindowHunk]] = {
            path: [] for path in self._paths[1:] if not self._by_itself(path)
        }
        for section in abroad.sections:
            known = [WindowHunk(a - 1, b - 1, new) for a, b, new in section.known]
            follow.setdefault(section.path, []).extend(known)
        final |= {path: tuple(found) for path, found in follow.items() if path not in final or found}
        settled |= follow.keys()
        return abroad.left_out

    def _by_itself(self, path: str) -> bool:
        """Whether the first order is about that file as well."""
        return first_answer(self._lines(path), without_files(self.asked)) is not None

    def _told(self, final: dict[str, Hunks]) -> Iterator[WindowMessage]:
        """What has to be said for it, window by window; none where it does not lie in windows."""
        for path, hunks in final.items():
            lines = self._lines(path)
            said = answer(lines, self._hunks_of(path), hunks)
            known = tuple((one.first + 1, one.last + 1, one.new) for one in said)
            for section in sections(path, lines, known, self.limits, self.count_tokens):
                yield WindowMessage(self._asking(section), section.known)

    def _asking(self, section: Section) -> Request:
        """The request that asks about this window; one as the others where none does."""
        for request in self.standing.requests:
            part = request.files[0]
            if (part.path, part.first_line, part.text) == (section.path, section.first_line, section.text):
                return request
        same = [one for one in self.standing.requests if one.files[0].path == section.path]
        base = same[0] if same else replace(self.standing.requests[0], history=())
        return replace(base, files=(file_part(section),), selection=(0, 0), cursor=0, known=())

    # -- by the model
    # ------------------------------------------------------------------------------------------------

    def _concerned(self) -> list[Request]:
        """The windows that a message is for, in order."""
        if self._elsewhere:
            return [request for path in self._elsewhere for request in self.shown_for(path)]
        named = list(dict.fromkeys(request for path in self._places for request in self._windows_at(path)))
        if named:
            return named
        holding = [one for one in self._with_hunks if self._talks_of(one)]
        if holding and len(holding) < len(self._with_hunks):
            return self._ordered([*holding, *([self._last] if self.cut else [])])
        told = [one for one in (*self._with_hunks, *self._unfinished) if one.files[0].path in self._meant]
        return self._ordered(told or self._with_hunks) or [self._last]

    @cached_property
    def _with_hunks(self) -> list[Request]:
        return [one for one in self.standing.requests if self._in(one)]

    def _ordered(self, requests: Sequence[Request]) -> list[Request]:
        return [one for one in self.standing.requests if one in requests]

    def _in(self, request: Request) -> list[Hunk]:
        return [
            hunk
            for hunk, state in self.hunks
            if state in (*_STANDS, "partial") and lies_in(hunk, request.files[0])
        ]

    def _talks_of(self, request: Request) -> bool:
        """Whether a hunk of this window holds a word that the message has for something in code."""
        words = words_for_code(self._said)
        return any(
            words & words_for_code("\n".join([*hunk.old_lines, *hunk.new_lines]))
            for hunk in self._in(request)
        )

    @cached_property
    def _places(self) -> dict[str, tuple[NamedRange, ...]]:
        """Definitions that the message names, by file."""
        found = {path: places_named(self._said, path, self._lines(path)) for path in self._meant}
        return {path: places for path, places in found.items() if places}

    def _windows_at(self, path: str) -> Iterator[Request]:
        """The windows with hunks in the places that are named; where there are none, the windows of the
        places."""
        places, hunks = self._places[path], self._hunks_of(path)
        lines = self._lines(path)
        for window in file_windows(path, lines, self.limits, self.count_tokens)[1]:
            for place in places:
                inside = [one for one in hunks if place.holds(one)]
                spots = [one.first + 1 for one in inside] or [place.first]
                if any(window.first <= spot <= window.last for spot in spots):
                    text = "".join(f"{line}\n" for line in lines[window.first - 1 : window.last])
                    yield self._asking(Section(path, text, window.first, len(lines), window.tokens, "named"))
                    break


def _as_they_stand(lines: Sequence[str], found: Hunks, stands: Hunks) -> Hunks:
    """The same text, with every hunk that comes to what one that stands comes to as that one: it is not said
    again."""
    out = list(found)
    for old in stands:
        near = [one for one in out if old.first <= one.first and one.last <= old.last]
        moved = [WindowHunk(one.first - old.first, one.last - old.first, one.new) for one in near]
        if near and tuple(applied(lines[old.first : old.last], moved)) == old.new:
            out = [one for one in out if one not in near] + [old]
    return tuple(sorted(out, key=lambda one: (one.first, one.last)))


def corrects(asked: str, message: str, lines: Sequence[str], hunks: Sequence[Hunk]) -> bool:
    """Whether a message says what is wrong with the hunks of a file that stand, and is no order by itself."""
    if not hunks or find_mentions(message) or not may_be_asked(lines):
        return False
    standing = [WindowHunk(hunk.old_start - 1, hunk.old_end - 1, hunk.new_lines) for hunk in hunks]
    return (
        first_answer(lines, message) is None
        and wanted(lines, without_files(asked), message, standing) is not None
    )
