"""What programs make of a message after a turn: the hunks that each of its files has in the end.

A model that reads a window at a time answers window by window, while a person means all of it. So programs
read the message of whole files, with all the hunks in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.edits.hunk import Hunk
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.session.cross_file_edits import cross_file_edits
from spark_tui.session.hunk_windows import PYTHON, may_be_asked, sections
from spark_tui.session.steered_turn import Hunks, SteeredTurn
from spark_tui.session.window_answers import WindowMessage
from spark_tui.steers.corrected import answer, applied, touch
from spark_tui.steers.steered_by_program import first_answer, wanted, wanted_surely
from spark_tui.steers.sureness import SHAKY

Unfollowed = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message as programs read it."""

    messages: tuple[WindowMessage, ...]
    paths: frozenset[str]
    """The files that it was read of."""
    settled: frozenset[str]
    """Files of which everything is known with that."""
    unfollowed: Unfollowed
    """Where the person has to look besides."""


class SteerReader:
    """Reads one message with programs."""

    def __init__(self, turn: SteeredTurn) -> None:
        self._turn = turn

    def read(self) -> ReadMessage | None:
        """What programs make of the message, in every file that it is about; None where they make nothing."""
        final: dict[str, Hunks] = {}
        settled: set[str] = set()
        for path in self._turn.target_paths:
            lines = self._turn.lines(path)
            if not may_be_asked(lines) or not path.endswith(PYTHON):
                continue
            expected = self._turn.expected_hunks(path)
            known = self._turn.hunks_of(path) if expected is None else expected
            found = self._final(path, lines, known, is_whole=expected is not None)
            if found is not None:
                final[path] = found
                settled |= {path} if expected is not None else set()
        if not final:
            return None
        unfollowed = self._follow_in_other_files(final, settled)
        return ReadMessage(tuple(self._messages(final)), frozenset(final), frozenset(settled), unfollowed)

    def _final(self, path: str, lines: tuple[str, ...], before: Hunks, *, is_whole: bool) -> Hunks | None:
        """The hunks of a file after the message. A message about a place is first read of the hunks there
        alone."""
        if not before or self._turn.is_edited(path):
            return None
        places = self._turn.places.get(path, ())
        here = tuple(one for one in before if any(place.holds(one) for place in places))
        if 0 < len(here) < len(before):
            found = self._read_of(lines, here)
            rest = [one for one in before if one not in here]
            if found is not None and not any(touch(old, new) for old in rest for new in found):
                return tuple(sorted([*rest, *found], key=lambda one: (one.first, one.last)))
        found = self._read_of(lines, before) if is_whole else None
        found = found if found is None else _keeping_earlier(lines, found, before)
        if found is None or not self._is_about(found, before, here):
            return None
        bare = [place for place in places if not any(place.holds(one) for one in before)]
        reached = [place for place in bare if any(place.holds(one) for one in found)]
        # Where some of the places that are named were found, the others are as much meant.
        return found if not reached or reached == bare else None

    def _read_of(self, lines: tuple[str, ...], standing: Hunks) -> Hunks | None:
        """What programs make of the message, unless it leaves words over: then each window is told, and marks
        its doubt."""
        found = wanted_surely(lines, without_files(self._turn.instruction), self._turn.text, standing)
        return None if found is None or found.sure <= SHAKY else found.hunks

    def _is_about(self, found: Hunks, before: Hunks, here: Hunks) -> bool:
        """Whether a message about some places changes hunks there only, or takes hunks back only."""
        rest = [one for one in before if one not in here]
        return (
            not here or not rest or all(one in found for one in rest) or all(one in before for one in found)
        )

    def _follow_in_other_files(self, final: dict[str, Hunks], settled: set[str]) -> Unfollowed:
        """Where programs made the whole turn, the hunks of other files follow from those of the first one.
        Returns where they could not."""
        requests = self._turn.position.requests
        home = self._turn.paths[0]
        if home not in final or not all(request.known for request in requests):
            return ()
        hunks = tuple((one.first + 1, one.last + 1, one.new) for one in final[home])
        turn = self._turn
        elsewhere = cross_file_edits(
            home, hunks, turn.read_lines, turn.limits, turn.count_tokens, turn.outlines
        )
        follow: dict[str, list[WindowHunk]] = {
            path: [] for path in self._turn.paths[1:] if not self._by_itself(path)
        }
        for section in elsewhere.sections:
            known = [WindowHunk(a - 1, b - 1, new) for a, b, new in section.known]
            follow.setdefault(section.path, []).extend(known)
        final |= {path: tuple(found) for path, found in follow.items() if path not in final or found}
        settled |= follow.keys()
        return elsewhere.left_out

    def _by_itself(self, path: str) -> bool:
        """Whether the instruction is about that file as well."""
        return first_answer(self._turn.lines(path), without_files(self._turn.instruction)) is not None

    def _messages(self, final: dict[str, Hunks]) -> Iterator[WindowMessage]:
        """What each window has to answer; nothing where a hunk lies in no window."""
        for path, hunks in final.items():
            lines = self._turn.lines(path)
            said = answer(lines, self._turn.hunks_of(path), hunks)
            known = tuple((one.first + 1, one.last + 1, one.new) for one in said)
            for section in sections(path, lines, known, self._turn.limits, self._turn.count_tokens):
                yield WindowMessage(self._turn.request_for(section), section.known)


def _keeping_earlier(lines: Sequence[str], found: Hunks, before: Hunks) -> Hunks:
    """The same result, with a hunk that was there before in place of those that give the same text: it is not
    answered again."""
    out = list(found)
    for old in before:
        near = [one for one in out if old.first <= one.first and one.last <= old.last]
        moved = [WindowHunk(one.first - old.first, one.last - old.first, one.new) for one in near]
        if near and tuple(applied(lines[old.first : old.last], moved)) == old.new:
            out = [one for one in out if one not in near] + [old]
    return tuple(sorted(out, key=lambda one: (one.first, one.last)))


def corrects(asked: str, message: str, lines: Sequence[str], hunks: Sequence[Hunk]) -> bool:
    """Whether a message says what is wrong with the hunks of a file, and is no instruction by itself."""
    if not hunks or find_mentions(message) or not may_be_asked(lines):
        return False
    standing = [WindowHunk(hunk.old_start - 1, hunk.old_end - 1, hunk.new_lines) for hunk in hunks]
    return (
        first_answer(lines, message) is None
        and wanted(lines, without_files(asked), message, standing) is not None
    )
