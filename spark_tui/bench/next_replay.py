"""Makes changes of a real history by hand, asks for the next edit, and judges what it offers."""

from __future__ import annotations

import multiprocessing
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from spark_tui.bench.next_judge import FileJudge, Verdict, words_of
from spark_tui.bench.release_changes import Place, alike_places
from spark_tui.bench.release_pairs import History
from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.history import EditHistory, Question
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree

LEAST_ALIKE = 3
_PROCESSES = 4

_judge = lru_cache(maxsize=2_000)(FileJudge)


def sampled(history: History, rng: random.Random, most: int) -> tuple[list[list[Place]], list[Place]]:
    """Groups of alike places, at most so many, and about as many places that stand alone."""
    found = alike_places(history.before, history.after, 1)
    groups = [one for one in found if len(one) >= LEAST_ALIKE]
    lone = [one[0] for one in found if len(one) == 1]
    groups = groups if len(groups) <= most else rng.sample(groups, most)
    return groups, rng.sample(lone, min(len(lone), max(len(groups), 2)))


def after_changes(before: dict[str, str], made: Sequence[Place]) -> tuple[Question | None, dict[str, str]]:
    """What is asked after these places were changed, one after the other, and the texts then."""
    edits: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    history, question = EditHistory(), None
    for place in made:
        if place.path not in edits:
            history.opened(place.path, before[place.path])
        edits[place.path] += place.edits
        question = history.typed(place.path, _edited(before[place.path], edits[place.path]))
    return question, {path: _edited(before[path], found) for path, found in edits.items()}


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    out, done = [], 0
    for start, end, new in sorted(edits):
        out += [text[done:start], new]
        done = end
    return "".join([*out, text[done:]])


def verdicts(
    edits: Sequence[Edit],
    texts: dict[str, str],
    history: History,
    made: Sequence[Place],
    rest: Sequence[Place],
) -> list[tuple[Edit, Verdict]]:
    """The edits, of the texts in which some places are `made`, with whether the newer texts have them: what
    makes the change of one of the alike places is right however the lines around it were moved."""
    out: list[tuple[Edit, Verdict]] = []
    alike: dict[str, list[Place]] = defaultdict(list)
    for place in rest:
        alike[place.path].append(_moved(place, made))
    for edit in edits:
        text = texts.get(edit.path, history.before.get(edit.path, ""))
        if any(_makes(edit, place, text) for place in alike[edit.path]):
            out.append((edit, "right"))
        elif edit.path not in history.after:
            out.append((edit, "gone"))
        else:
            judge = _judge(text, history.after[edit.path])
            out.append((edit, judge.verdict(edit.start, edit.end, edit.new)))
    return out


def _moved(place: Place, made: Sequence[Place]) -> Place:
    """A place of the old text in the text in which others are made."""
    shift = sum(
        len(new) - (end - start)
        for one in made
        if one.path == place.path
        for start, end, new in one.edits
        if end <= place.start
    )
    edits = tuple((start + shift, end + shift, new) for start, end, new in place.edits)
    return replace(place, start=place.start + shift, end=place.end + shift, edits=edits)


def _makes(edit: Edit, place: Place, text: str) -> bool:
    """Whether an edit makes the change of a place, but for blanks."""
    low, high = min(edit.start, place.start), max(edit.end, place.end)
    if high - low > edit.end - edit.start + place.end - place.start:
        return False
    around = text[low:high]
    one = _edited(around, [(edit.start - low, edit.end - low, edit.new)])
    two = _edited(around, [(start - low, end - low, new) for start, end, new in place.edits])
    return words_of(one) == words_of(two)


def is_covered(place: Place, made: Sequence[Place], right: Sequence[Edit]) -> bool:
    """Whether a right edit meets a place of the old text, whose offsets moved by what was made before it."""
    moved = _moved(place, made)
    return any(one.path == place.path and one.start <= moved.end and moved.start <= one.end for one in right)


Result = TypeVar("Result")


def in_processes(
    work: Callable[[History, int, int], Result], histories: Iterable[History], seed: int, most: int
) -> Iterator[tuple[str, Result]]:
    """What `work` makes of each history, by its name; several are worked on at a time, and the one that is
    done first comes first."""
    with ProcessPoolExecutor(_PROCESSES, multiprocessing.get_context("spawn")) as pool:
        waiting: dict[Future[Result], str] = {}
        for history in histories:
            waiting[pool.submit(work, history, seed, most)] = history.name
            # Histories are large: no more of them are read than are worked on soon.
            if len(waiting) > 2 * _PROCESSES:
                wait(waiting, return_when=FIRST_COMPLETED)
            yield from _done(waiting)
        while waiting:
            wait(waiting, return_when=FIRST_COMPLETED)
            yield from _done(waiting)


def _done(waiting: dict[Future[Result], str]) -> Iterator[tuple[str, Result]]:
    for one in [one for one in waiting if one.done()]:
        yield waiting.pop(one), one.result()


def repository(history: History) -> Repository:
    """The files before the change."""
    return Repository(DictTree(history.before))
