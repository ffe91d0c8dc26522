"""Makes changes of a real history by hand, asks for the next edit, and judges what it offers."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from spark_tui.bench.next_edit.judge import FileJudge, Verdict, words_of
from spark_tui.bench.next_edit.release_changes import ChangedPlace, alike_places
from spark_tui.bench.next_edit.release_pairs import History
from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.candidates import Situation
from spark_tui.next_edit.history import EditHistory, Question
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

LEAST_ALIKE = 3

_judge = lru_cache(maxsize=2_000)(FileJudge)


def sampled(
    history: History, rng: random.Random, most: int
) -> tuple[list[list[ChangedPlace]], list[ChangedPlace]]:
    """Groups of alike places, at most so many, and about as many places that stand alone."""
    found = alike_places(history.before, history.after, 1)
    groups = [place for place in found if len(place) >= LEAST_ALIKE]
    lone = [place[0] for place in found if len(place) == 1]
    groups = groups if len(groups) <= most else rng.sample(groups, most)
    return groups, rng.sample(lone, min(len(lone), max(len(groups), 2)))


class Walk:
    """A way through a group of alike places: some are changed by hand, then offers are taken. Offsets are of
    the texts as they are at that time."""

    def __init__(self, repo: Repository, history: History, group: Sequence[ChangedPlace]) -> None:
        self._repo, self._history, self._person = repo, history, EditHistory()
        self._texts: dict[str, str] = {}
        self._question: Question | None = None
        self.left = dict(enumerate(group))
        """The places that are as they were, by their number in the group."""

    def make(self, number: int) -> None:
        """Change a place by hand."""
        place = self.left.pop(number)
        if place.path not in self._texts:
            self._person.opened(place.path, self._text(place.path))
        self._change([Edit(place.path, *edit) for edit in place.edits])
        self._question = self._person.typed(place.path, self._texts[place.path])

    def take(self, edits: Sequence[Edit], words: str = "") -> None:
        before = {edit.path: self._text(edit.path) for edit in edits}
        for at in self.covered(edits):
            del self.left[at]
        self._change(edits)
        self._question = self._person.took(words, before, {path: self._texts[path] for path in before})

    def take_places(self, numbers: Sequence[int]) -> None:
        """Take an offer of just these places."""
        self.take([Edit(self.left[at].path, *edit) for at in numbers for edit in self.left[at].edits])

    def situation(self) -> Situation | None:
        """What is asked now."""
        if self._question is None:
            return None
        return self._question.situation(self._repo.with_changes(self._texts))

    def verdicts(self, edits: Sequence[Edit]) -> list[tuple[Edit, Verdict]]:
        """The edits, with whether the newer texts have them: what makes the change of one of the places that
        are left is right however the lines around it were moved."""
        out: list[tuple[Edit, Verdict]] = []
        for edit in edits:
            text = self._text(edit.path)
            alike = (place for place in self.left.values() if place.path == edit.path)
            if any(_makes(edit, place, text) for place in alike):
                out.append((edit, "right"))
            elif edit.path not in self._history.after:
                out.append((edit, "gone"))
            else:
                judge = _judge(text, self._history.after[edit.path])
                out.append((edit, judge.verdict(edit.start, edit.end, edit.new)))
        return out

    def covered(self, edits: Sequence[Edit]) -> set[int]:
        """The places that some edits meet."""
        return {
            at
            for at, place in self.left.items()
            if any(e.path == place.path and e.start <= place.end and place.start <= e.end for e in edits)
        }

    def _text(self, path: str) -> str:
        return self._texts.get(path, self._history.before.get(path, ""))

    def _change(self, edits: Sequence[Edit]) -> None:
        for path in {edit.path for edit in edits}:
            made = [(edit.start, edit.end, edit.new) for edit in edits if edit.path == path]
            self._texts[path] = _edited(self._text(path), made)
            for at, place in self.left.items():
                if place.path == path:
                    self.left[at] = _moved(place, made)


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    out, done = [], 0
    for start, end, new in sorted(edits):
        out += [text[done:start], new]
        done = end
    return "".join([*out, text[done:]])


def _moved(place: ChangedPlace, edits: Sequence[tuple[int, int, str]]) -> ChangedPlace:
    """A place after some edits of its file."""
    shift = sum(len(new) - (end - start) for start, end, new in edits if end <= place.start)
    moved = tuple((start + shift, end + shift, new) for start, end, new in place.edits)
    return replace(place, start=place.start + shift, end=place.end + shift, edits=moved)


def _makes(edit: Edit, place: ChangedPlace, text: str) -> bool:
    """Whether an edit makes the change of a place, but for blanks."""
    low, high = min(edit.start, place.start), max(edit.end, place.end)
    if high - low > edit.end - edit.start + place.end - place.start:
        return False
    around = text[low:high]
    one = _edited(around, [(edit.start - low, edit.end - low, edit.new)])
    two = _edited(around, [(start - low, end - low, new) for start, end, new in place.edits])
    return words_of(one) == words_of(two)


Result = TypeVar("Result")


def in_processes(
    work: Callable[[History, int, int], Result],
    histories: Iterable[History],
    seed: int,
    most: int,
    processes: int,
) -> Iterator[tuple[str, Result]]:
    """What `work` makes of each history, by its name; several are worked on at a time, and the one that is
    done first comes first."""
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        waiting: dict[Future[Result], str] = {}
        for history in histories:
            waiting[pool.submit(work, history, seed, most)] = history.name
            # Histories are large: no more of them are read than are worked on soon.
            if len(waiting) > 2 * processes:
                wait(waiting, return_when=FIRST_COMPLETED)
            yield from _done(waiting)
        while waiting:
            wait(waiting, return_when=FIRST_COMPLETED)
            yield from _done(waiting)


def _done(waiting: dict[Future[Result], str]) -> Iterator[tuple[str, Result]]:
    for item in [one for one in waiting if one.done()]:
        yield waiting.pop(item), item.result()


def repository(history: History) -> Repository:
    """The files before the change."""
    return Repository(DictTree(history.before))
