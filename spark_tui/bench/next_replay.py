"""Makes changes of a real history by hand, asks for the next edit, and judges what it offers."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from spark_tui.bench.next_judge import FileJudge, Verdict
from spark_tui.bench.release_changes import Place, alike_places
from spark_tui.bench.release_pairs import History
from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.history import EditHistory, Question
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree

LEAST_ALIKE = 3

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


def verdicts(edits: Sequence[Edit], texts: dict[str, str], history: History) -> list[tuple[Edit, Verdict]]:
    """The edits, of the texts as they are, with whether the newer texts have them."""
    out: list[tuple[Edit, Verdict]] = []
    for edit in edits:
        if edit.path not in history.after:
            out.append((edit, "gone"))
            continue
        judge = _judge(texts.get(edit.path, history.before[edit.path]), history.after[edit.path])
        out.append((edit, judge.verdict(edit.start, edit.end, edit.new)))
    return out


def is_covered(place: Place, made: Sequence[Place], right: Sequence[Edit]) -> bool:
    """Whether a right edit meets a place of the old text, whose offsets moved by what was made before it."""
    shift = sum(
        len(new) - (end - start)
        for one in made
        if one.path == place.path
        for start, end, new in one.edits
        if end <= place.start
    )
    low, high = place.start + shift, place.end + shift
    return any(one.path == place.path and one.start <= high and low <= one.end for one in right)


def repository(history: History) -> Repository:
    """The files before the change."""
    return Repository(DictTree(history.before))
