"""Turns that a program answers: a planned exact edit with its hunks and the places that were not edited, or a
sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Backend, FilePart, Request, WithoutModel
from spark_tui.codemods.hunks import hunk_of_line
from spark_tui.codemods.plan import Finding, Plan, Unfollowed
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.errors import ExitCode
from spark_tui.events import Event
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.session.exact.kept_hunks import KeptHunk
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.turn import MOST_FILES, Turn
from spark_tui.workspace.files import FileText, Tree

_MOST_PLACES = 60
"""The number of places that are shown one by one; the others are counted."""
_MOST_SHOWN = 400
"""Characters of a call in the transcript. Its text may be a whole function, which the hunks show."""
_FURTHER_LINES = re.compile(r"\n.*?(?=\)(?:; \w+\(|\Z))", re.DOTALL)
"""Of the text of a call, all but the first line."""
_NEXT_CALL = re.compile(r"; (?=\w+\()")
_MOST_ALIKE = 3
"""Calls with the same arguments but for the place that are shown one by one."""


class _Program(WithoutModel):
    """The backend of a turn that no model answers."""

    name = EXACT_BACKEND
    window = 1
    """It is shown nothing."""

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        del request, stop
        return iter(())


PROGRAM: Backend = _Program()


@dataclass(frozen=True)
class LeftPlace:
    """A place without a hunk that the user has to look at."""

    path: str
    line: int
    message: str


@dataclass(frozen=True)
class PlannedEdit:
    """An edit that is ready to be shown. `line` is the command in full, `shown` its calls. Hunks are numbered
    from 1."""

    line: str
    shown: str
    plan: Plan
    hunks: tuple[Hunk, ...]
    read: Mapping[str, FileText | None]
    """The files with hunks, as they were read."""
    seconds: float = 0.0
    guessed: tuple[str, ...] = ()
    """What was guessed about the edit as a whole: its hunks are marked with it, but for those in `kept`."""
    kept: Mapping[int, KeptHunk] = field(default_factory=dict)
    """Hunks that have marks of an earlier instruction, by their numbers."""
    of_typed: bool = False
    """Whether the plan was made, and checked, with texts that are typed and not saved."""

    @cached_property
    def _found(self) -> list[tuple[Hunk | None, Unfollowed]]:
        """What was not followed, each with the hunk that edits its line."""
        return [
            (hunk_of_line(self.hunks, unfollowed.path, unfollowed.line), unfollowed)
            for unfollowed in self.plan.unfollowed
        ]

    @cached_property
    def _here(self) -> list[tuple[Hunk, Unfollowed]]:
        """What speaks against a place that is edited."""
        return [(hunk, one) for hunk, one in self._found if hunk is not None]

    @cached_property
    def _elsewhere(self) -> list[Unfollowed]:
        """Places that were not changed."""
        return [one for hunk, one in self._found if hunk is None]

    @cached_property
    def _guessed(self) -> tuple[str, ...]:
        """What was guessed may name places of the plan: each is said once, where it is."""
        places = {f"{finding.path}:{finding.line} {finding.reason}" for finding in self.plan.findings}
        places |= {
            f"{unfollowed.path}:{unfollowed.line} {unfollowed.reason}" for unfollowed in self.plan.unfollowed
        }
        guessed = tuple(item for item in self.guessed if item not in places)
        own = [[hunk for hunk in self.hunks if hunk.path == one.path] for one in self.plan.findings]
        apart = [one for one, hunks in zip(self.plan.findings, own, strict=True) if not _place(one, hunks)[0]]
        left = [_not_changed(len(self._elsewhere))] if self._elsewhere else []
        left += [f"{_count_places(len(apart))} elsewhere may break"] if apart else []
        return (*guessed, *(left if len(guessed) < len(self.guessed) else ()))

    @cached_property
    def _marks(self) -> tuple[tuple[events.Doubt, ...], tuple[LeftPlace, ...]]:
        guessed = {hunk.id: self._guessed for hunk in self.hunks}
        guessed |= {number: item.marked for number, item in self.kept.items()}
        return _marks(self.plan, self.hunks, guessed, self._here, self._elsewhere)

    @cached_property
    def rest(self) -> tuple[str, ...]:
        """The parts of the instruction that are left undone, in its words."""
        earlier = (mark for item in self.kept.values() for mark in item.marked)
        every = dict.fromkeys((*earlier, *self._guessed))
        return tuple(item.words for item in every if is_of(item, DoubtKind.UNDONE) and item.words)

    @property
    def doubts(self) -> tuple[events.Doubt, ...]:
        return self._marks[0]

    @property
    def left(self) -> tuple[LeftPlace, ...]:
        return self._marks[1]

    @property
    def summary(self) -> str:
        """The call, and what speaks against it."""
        doubts = [
            *self._guessed,
            *_by_reason((one.path, one.line, one.reason) for _, one in self._here[:_MOST_PLACES]),
            *_by_reason(
                (finding.path, finding.line, _said(finding)) for finding in self.plan.findings[:_MOST_PLACES]
            ),
        ]
        count = len(self._elsewhere)
        left = _not_changed(count)
        shown = " ".join(_FURTHER_LINES.sub(" …", self.shown).split())
        shown = _shortened(shown)
        shown = shown if len(shown) <= _MOST_SHOWN else f"{shown[: _MOST_SHOWN - 1]}…"
        out = [f"→ {shown}", *(f"? {doubt}" for doubt in doubts if doubt != left)]
        if count > _MOST_PLACES:
            left += f"; the first {_MOST_PLACES} are marked"
        return "\n".join([*out, left] if count else out) + "\n"


def _shortened(shown: str) -> str:
    """Of calls in a row that differ only in their place the first and how many more there are."""
    out: list[str] = []
    for (_, others), alike in groupby(_NEXT_CALL.split(shown), _but_for_the_place):
        calls = list(alike)
        more = len(calls) - 1 if others and len(calls) > _MOST_ALIKE else 0
        out += [calls[0], f"… and {more} more like it"] if more else calls
    return "; ".join(out)


def _but_for_the_place(call: str) -> tuple[str, str]:
    return call.partition("(")[0], call.partition(", ")[2]


def _by_reason(places: Iterable[tuple[str, int, str]]) -> Iterator[str]:
    """What speaks against some places, once for all lines of a file."""
    lines: dict[tuple[str, str], list[int]] = {}
    for path, line, reason in places:
        lines.setdefault((path, reason), []).append(line)
    for (path, reason), every in lines.items():
        yield f"{path}:{', '.join(map(str, dict.fromkeys(every)))}: {reason}"


def _not_changed(count: int) -> str:
    return f"{_count_places(count)} to check {'was' if count == 1 else 'were'} not changed"


def _count_places(count: int) -> str:
    return "1 place" if count == 1 else f"{count} places"


def _said(finding: Finding) -> str:
    return f"{'breaks' if finding.sure else 'may break'}: {finding.reason}"


def _marks(
    plan: Plan,
    hunks: Sequence[Hunk],
    guessed: Mapping[int, Sequence[str]],
    here: Sequence[tuple[Hunk, Unfollowed]],
    elsewhere: Sequence[Unfollowed],
) -> tuple[tuple[events.Doubt, ...], tuple[LeftPlace, ...]]:
    """Findings in the lines of a hunk become doubts about it, the others places. Their lines count in the
    file as it would be."""
    reasons = {hunk.id: list(guessed[hunk.id]) for hunk in hunks}
    for own, place in here:
        reasons[own.id].append(place.reason)
    found: dict[int, Finding] = {}
    left: list[LeftPlace] = []
    for finding in plan.findings:
        hunk, line = _place(finding, [hunk for hunk in hunks if hunk.path == finding.path])
        if hunk is None:
            left.append(LeftPlace(finding.path, line, _said(finding)))
        elif hunk.id not in found or finding.sure:
            found[hunk.id] = finding
    left += [
        LeftPlace(unfollowed.path, unfollowed.line, f"not changed: {unfollowed.reason}")
        for unfollowed in elsewhere
    ]
    doubts = []
    for number, others in reasons.items():
        harm = found.get(number)
        if harm is not None or others:
            sentence = "; ".join([_said(harm), *others] if harm is not None else others)
            sureness = 0.0 if harm is not None and harm.sure else 0.5
            part = any(is_of(item, DoubtKind.UNDONE) for item in guessed[number])
            doubts.append(events.Doubt(number, sureness, sentence, part=part))
    return tuple(doubts), tuple(left[:_MOST_PLACES])


def _place(finding: Finding, hunks: Sequence[Hunk]) -> tuple[Hunk | None, int]:
    """The hunk in which a line of the new file is, or the line in the file as it is."""
    shift = 0
    for hunk in sorted(hunks, key=lambda item: item.old_start):
        first = hunk.old_start + shift
        if first <= finding.line < first + max(len(hunk.new_lines), 1):
            return hunk, hunk.old_start
        if finding.line < first:
            break
        shift += len(hunk.new_lines) - len(hunk.old_lines)
    return None, max(finding.line - shift, 1)


class ProgramTurn(Turn):
    """A turn without a model: it ends as soon as it has begun, and cannot be resumed or steered."""

    def _begin(self) -> events.TurnStarted:
        self.format = "lines"
        instruction = self.requests[0].instruction
        return events.TurnStarted(self.turn_id, instruction, self.backend.name, self.format, self._wall())

    def _token(self, text: str) -> events.Token:
        self.emitted += 1
        return events.Token(self.emitted, text)


class ExactTurn(ProgramTurn):
    """A turn that shows a planned edit."""

    def __init__(
        self, turn_id: str, planned: PlannedEdit, tree: Tree, first_hunk: int, chosen: events.Chosen | None
    ) -> None:
        paths = list(dict.fromkeys(hunk.path for hunk in planned.hunks))
        request = Request(
            planned.line, tuple(FilePart(path, "") for path in paths[:MOST_FILES]), format="lines"
        )

        def parser(name: str) -> Parser:
            return Parser(name, tree.read_lines, read_link=tree.read_link, last_id=first_hunk - 1)

        super().__init__(turn_id, (request,), PROGRAM, parser)
        self._planned, self._first_hunk, self._chosen = planned, first_hunk, chosen
        self.checked = planned.of_typed

    def start(self, stop: StopFlag) -> Iterator[Event]:
        """Yields all hunks even if it is stopped: part of an exact edit would not be one."""
        del stop
        planned = self._planned
        yield self._begin()
        if self._chosen is not None:
            yield self._chosen
        yield self._token(planned.summary + "\n")
        yield events.Prose(planned.summary)
        doubts = {item.hunk_id: item for item in planned.doubts}
        for hunk in planned.hunks:
            number = hunk.id + self._first_hunk - 1
            yield self._token(_as_text(hunk))
            yield events.HunkOpened(
                number, hunk.path, hunk.old_start, len(hunk.old_lines), hunk.kind, hunk.new_path
            )
            if hunk.id in doubts:
                # Before the hunk closes: a killed process cannot leave a whole hunk without its doubt.
                yield replace(doubts[hunk.id], hunk_id=number)
            yield replace(hunk, id=number).closed()
            self.changes += 1
        for at, place in enumerate(planned.left, self._first_hunk + len(planned.hunks)):
            yield events.HunkFailed(at, place.path, place.message, int(ExitCode.DONE), place.line)
        if planned.rest:
            yield events.Choices(tuple(events.GO_ON + words for words in planned.rest))
        self.reason = "stop"
        yield events.Finished(self.reason, timing=events.Timing(first_token=planned.seconds))


class SpokenTurn(ProgramTurn):
    """A turn that answers with a sentence or a list of edits, and has no hunks."""

    def __init__(
        self,
        turn_id: str,
        instruction: str,
        sentence: str,
        titles: Sequence[str],
        ending: str,
        tree: Tree,
        first_token: float,
    ) -> None:
        def parser(name: str) -> Parser:
            return Parser(name, tree.read_lines)

        super().__init__(turn_id, (Request(instruction, format="lines"),), PROGRAM, parser)
        self._sentence, self._titles, self._ending = sentence, tuple(titles), ending
        self._first_token = first_token

    def start(self, stop: StopFlag) -> Iterator[Event]:
        del stop
        yield self._begin()
        if self._sentence:
            yield self._token(self._sentence + "\n")
            yield events.Prose(self._sentence + "\n")
        if self._titles:
            yield events.Choices(self._titles)
        self.reason = self._ending
        if self.reason == "interrupted":
            yield events.Interrupted(self.emitted)
        yield events.Finished(self.reason, timing=events.Timing(first_token=self._first_token))


def _as_text(hunk: Hunk) -> str:
    """The edit as a model would have written it, for later turns with a model."""
    if hunk.kind == "delete":
        return f"{hunk.path} is deleted\n\n"
    body = "".join(f"+{line}\n" for line in hunk.new_lines)
    return f"*** {hunk.path}\n@@ {hunk.old_start},{hunk.old_end}\n{body}"
