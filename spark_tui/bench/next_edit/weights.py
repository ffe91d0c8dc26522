"""Fits the weights of `next_edit/confidence.toml`: one logistic regression for each group of candidates."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.bench.next_edit.release_changes import ChangedPlace
from spark_tui.bench.next_edit.release_pairs import History
from spark_tui.bench.next_edit.replay import Walk, in_processes, repository, sampled
from spark_tui.next_edit.candidates import candidates
from spark_tui.next_edit.confidence import NEXT, share_of, threshold_of
from spark_tui.next_edit.features import Features

_MOST_JUDGED = 200
_MOST_STATES = 8
_TAKEN_NEXT = (2, 6, 14, 30)
"""So many of the places after the first two are made by offers, in some of the states."""
_PENALTY = 12.0
_LEAST_WEIGHT = 0.01
_ROUNDS = 60
_FOLDS = 10
_WANTED = {"least": 0.93, "least after more": 0.95, "least after many": 0.95, "least of next": 0.89}
"""The share of right places that offers have to have, in packages that the weights were not fitted on. The
next places may be wrong a little more often: they are few, and tell whether more follow."""
_NEVER = 0.99
_AT_MOST = {"least": 0.9, NEXT: 0.74}
"""Thresholds that are no higher, by walks of offers: what is offered early makes the next offers likely."""
_LEAST_PLACES = 40
_AS_LIKELY = 0.06
_GIVEN_LEAST = {"rename": 0.7}
"""Where a name is typed over, the code is broken until its uses follow: shown from here on, whatever releases
did."""
_GIVEN = {
    "signature": {**dict.fromkeys(_WANTED, 0.75), "bias": 2.0, "unfollowed": -0.7},
    "import": {**dict.fromkeys(_WANTED, 0.75), "bias": 1.5},
}
"""Exact operations that are rare in releases: the code is broken until they are done."""
_HEAD = """\
# Weights by sort of change, made by `spark bench next --packages DIR --part all --groups 25 --fit FILE`.
# Those that begin with `more` are added after more than one example. The thresholds say from which confidence
# a candidate is shown: `least` after one example, `least after more` and `least after many` after more, and
# `least of next` where it is for as few places as there are examples.
"""


Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class FitSample:
    """A candidate, and how many of its places were right and wrong. `question` is what it answers."""

    question: int
    group: str
    examples: int
    features: Features
    places: int
    right: int
    wrong: int


def fit_weights(histories: Iterable[History], seed: int, most: int, processes: int, file: Path) -> list[str]:
    """Write the weights; returns what the thresholds reach, and how many samples each history had."""
    samples = dict(in_processes(samples_of, histories, seed, most, processes))
    text, notes = as_toml(samples)
    file.write_text(text, encoding="utf-8")
    return [*notes, *(f"{name}: {len(found)} samples" for name, found in sorted(samples.items()))]


def as_toml(samples: Mapping[str, Sequence[FitSample]]) -> tuple[str, list[str]]:
    """The weights of all groups, from the samples of each history, and what they reach in histories that are
    left out."""
    folds = [
        [(name, item) for name in sorted(samples)[fold::_FOLDS] for item in samples[name]]
        for fold in range(_FOLDS)
    ]
    left_out: dict[str, list[tuple[float, tuple[str, int], FitSample]]] = {name: [] for name in _WANTED}
    for at, fold in enumerate(folds):
        weights = _all_weights([one for other in folds[:at] + folds[at + 1 :] for _, one in other])
        for name, one in fold:
            if one.group in weights:
                sure = share_of(weights[one.group], one.features)
                left_out[threshold_of(one.examples, one.features)].append((sure, (name, one.question), one))
    notes, least = [], {}
    for key, found in left_out.items():
        least[key], shown, right = threshold(found, _WANTED[key])
        notes.append(f"{key}: {least[key]}; {right} of {shown} places right in packages that are left out")
    least = {key: min(one, _AT_MOST.get(key, one)) if one < _NEVER else one for key, one in least.items()}
    tables = dict(_GIVEN)
    for group, final in _all_weights([one for fold in folds for _, one in fold]).items():
        given = _GIVEN_LEAST.get(group)
        tables[group] = (dict.fromkeys(_WANTED, given) if given else least) | final
    parts = [_HEAD]
    for group, rows in sorted(tables.items()):
        lines = (f'"{name}" = {value:.3f}\n' for name, value in rows.items())
        parts.append(f'["{group}"]\n' + "".join(lines))
    return "\n".join(parts), notes


def _all_weights(samples: Sequence[FitSample]) -> dict[str, dict[str, float]]:
    alone = [sample for sample in samples if sample.group in _GIVEN_LEAST]
    others = [sample for sample in samples if sample.group not in _GIVEN_LEAST and sample.group not in _GIVEN]
    return {**fitted(alone, _PENALTY), **fitted(others, _PENALTY)}


def samples_of(history: History, seed: int, most: int) -> list[FitSample]:
    """The candidates after one place was changed by hand, after two, and after an offer was taken for the
    next ones, for those in the first file, or in the first half of the files."""
    rng = random.Random(seed)
    groups, lone = sampled(history, rng, most)
    repo = repository(history)
    out: list[FitSample] = []
    for number, group in enumerate(groups):
        for state, (by_hand, taken) in enumerate(_states(group)):
            walk = Walk(repo, history, group)
            for at in range(by_hand):
                walk.make(at)
            if taken:
                walk.take_places(taken)
            out += _judged(walk, rng, _MOST_STATES * number + state)
    for number, place in enumerate(lone, len(groups)):
        walk = Walk(repo, history, [place])
        walk.make(0)
        # Where one definition takes the place of another, a name was replaced, and nothing was renamed.
        out += [sample for sample in _judged(walk, rng, _MOST_STATES * number) if sample.group != "rename"]
    return out


def _states(group: Sequence[ChangedPlace]) -> Iterator[tuple[int, list[int]]]:
    """How many places were changed by hand, and of which then an offer was taken."""
    yield 1, []
    yield 2, []
    files = sorted({place.path for place in group[2:]})
    seen: set[tuple[int, ...]] = {(), tuple(range(2, len(group)))}
    yield from _next_taken(len(group), seen)
    for first in ({place.path for place in group[:2]}, set(files[: len(files) // 2])):
        taken = [at for at in range(2, len(group)) if group[at].path in first]
        if tuple(taken) not in seen:
            seen.add(tuple(taken))
            yield 2, taken


def _next_taken(count: int, seen: set[tuple[int, ...]]) -> Iterator[tuple[int, list[int]]]:
    for size in _TAKEN_NEXT:
        taken = list(range(2, min(2 + size, count)))
        if tuple(taken) not in seen:
            seen.add(tuple(taken))
            yield 2, taken


def _judged(walk: Walk, rng: random.Random, question: int) -> Iterator[FitSample]:
    at = walk.situation()
    for candidate in candidates(at, lambda: True) if at is not None else ():
        edits = (
            candidate.edits
            if len(candidate.edits) <= _MOST_JUDGED
            else rng.sample(candidate.edits, _MOST_JUDGED)
        )
        judged = walk.verdicts(edits)
        right = sum(verdict == "right" for _, verdict in judged)
        wrong = sum(verdict == "wrong" for _, verdict in judged)
        if right or wrong:
            features = {name: round(value, 4) for name, value in candidate.features.items()}
            yield FitSample(
                question, candidate.group, candidate.examples, features, len(candidate.edits), right, wrong
            )


def threshold(
    found: Sequence[tuple[float, tuple[str, int], FitSample]], wanted: float
) -> tuple[float, int, int]:
    """The least confidence with which enough is right of what is offered, how many places are shown then, and
    how many of them are right. Of each question the candidate counts that would be offered."""
    questions: dict[tuple[str, int], list[tuple[float, FitSample]]] = defaultdict(list)
    for sure, question, one in found:
        questions[question].append((sure, one))
    offered = []
    for ranked in questions.values():
        best = max(sure for sure, _ in ranked) - _AS_LIKELY
        offered.append(max(ranked, key=lambda item: (item[0] >= best, item[1].places)))
    least, shown, good, right, total = _NEVER, 0, 0, 0, 0
    for sure, one in sorted(offered, key=lambda item: -item[0]):
        scale = one.places / (one.right + one.wrong) if one.places > _MOST_JUDGED else 1.0
        right, total = right + round(one.right * scale), total + round((one.right + one.wrong) * scale)
        if total >= _LEAST_PLACES and right >= wanted * total:
            least, shown, good = math.floor(sure * 1000) / 1000, total, right
    return least, shown, good


def fitted(samples: Sequence[FitSample], penalty: float) -> dict[str, dict[str, float]]:
    """The weights by group of a logistic regression of the share of right places, with a penalty on large
    ones. Groups share weights, and each has its own on top: a group with few samples is like the others."""
    groups = sorted({fit_sample.group for fit_sample in samples})
    names = ["bias", *sorted({name for sample in samples for name in _columns(sample)} - {"bias"})]
    column = {name: at for at, name in enumerate(names)}
    width = len(names)
    x = np.zeros((len(samples), width * (1 + len(groups))))
    for row, one in enumerate(samples):
        own = width * (1 + groups.index(one.group))
        for name, value in _columns(one).items():
            x[row, column[name]] = x[row, own + column[name]] = value
    right = np.array([sample.right for sample in samples], float)
    judged = np.array([sample.right + sample.wrong for sample in samples], float)
    costs = np.full(x.shape[1], penalty)
    costs[0] = 1e-6
    solved = _regression(x, right / judged, 1 + np.log2(judged), costs)
    out = {}
    for at, group in enumerate(groups, 1):
        found = solved[:width] + solved[at * width : (at + 1) * width]
        out[group] = {
            name: float(value)
            for name, value in zip(names, found, strict=True)
            if name == "bias" or math.fabs(value) >= _LEAST_WEIGHT
        }
    return out


def _columns(sample: FitSample) -> dict[str, float]:
    """The features; each once more where there is more than one example: then they say something else."""
    out = {"bias": 1.0, **sample.features}
    if "more" in sample.features:
        out |= {f"more {name}": value for name, value in sample.features.items() if name != "more"}
    return out


def _regression(x: Matrix, share: Matrix, counts: Matrix, costs: Matrix) -> Matrix:
    solved: Matrix = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-np.clip(x @ solved, -30, 30)))
        slope = x.T @ (counts * (share - sure)) - costs * solved
        curve = (x * (counts * sure * (1 - sure))[:, None]).T @ x + np.diag(costs)
        step = np.linalg.solve(curve, slope)
        solved = solved + step
        if float(np.abs(step).max()) < 1e-4:
            break
    return solved
