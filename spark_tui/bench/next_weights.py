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

from spark_tui.bench.next_replay import after_changes, in_processes, repository, sampled, verdicts
from spark_tui.bench.release_changes import Place
from spark_tui.bench.release_pairs import History
from spark_tui.next_edit.candidates import candidates
from spark_tui.next_edit.confidence import share_of
from spark_tui.next_edit.features import Features
from spark_tui.pysource.repository import Repository

_MOST_JUDGED = 80
_PENALTY = 6.0
_ROUNDS = 60
_FOLDS = 10
_WANTED = {"least": 0.92, "least after more": 0.90}
"""The share of right places that offers have to have, in packages that the weights were not fitted on: after
one example, and after more."""
_LEAST_PLACES = 40
_AS_LIKELY = 0.02
_GIVEN_LEAST = {"rename": 0.7}
"""Where a name is typed over, the code is broken until its uses follow: shown from here on, whatever releases
did."""
_GIVEN = {
    "signature": {"least": 0.75, "least after more": 0.75, "bias": 2.0, "unfollowed": -0.7},
    "import": {"least": 0.75, "least after more": 0.75, "bias": 1.5},
}
"""Exact operations that are rare in releases: the code is broken until they are done."""
_HEAD = """\
# Weights by sort of change, made by `spark bench next --part develop --fit FILE`. `least` is the confidence
# from which a candidate is shown after one example, `least after more` that after more.
"""


@dataclass(frozen=True)
class Sample:
    """A candidate, and how many of its places were right and wrong. `question` is what it answers."""

    question: int
    group: str
    examples: int
    features: Features
    places: int
    right: int
    wrong: int


def fit_weights(histories: Iterable[History], seed: int, most: int, file: Path) -> list[str]:
    """Write the weights; returns what the thresholds reach, and how many samples each history had."""
    samples = dict(in_processes(_samples, histories, seed, most))
    text, notes = as_toml(samples)
    file.write_text(text, encoding="utf-8")
    return [*notes, *(f"{name}: {len(found)} samples" for name, found in sorted(samples.items()))]


def as_toml(samples: Mapping[str, Sequence[Sample]]) -> tuple[str, list[str]]:
    """The weights of all groups, from the samples of each history, and what they reach in histories that are
    left out."""
    folds = [
        [(name, one) for name in sorted(samples)[fold::_FOLDS] for one in samples[name]]
        for fold in range(_FOLDS)
    ]
    left_out: dict[str, list[tuple[float, tuple[str, int], Sample]]] = {name: [] for name in _WANTED}
    for at, fold in enumerate(folds):
        weights = _all_weights([one for other in folds[:at] + folds[at + 1 :] for _, one in other])
        for name, one in fold:
            if one.group in weights:
                sure = share_of(weights[one.group], one.features)
                left_out[_threshold_of(one)].append((sure, (name, one.question), one))
    notes, least = [], {}
    for key, found in left_out.items():
        least[key], shown, right = threshold(found, _WANTED[key])
        notes.append(f"{key}: {least[key]}; {right} of {shown} places right in packages that are left out")
    tables = dict(_GIVEN)
    for group, final in _all_weights([one for fold in folds for _, one in fold]).items():
        given = _GIVEN_LEAST.get(group)
        tables[group] = (dict.fromkeys(_WANTED, given) if given else least) | final
    parts = [_HEAD]
    for group, rows in sorted(tables.items()):
        lines = (f'"{name}" = {value:.3f}\n' for name, value in rows.items())
        parts.append(f'["{group}"]\n' + "".join(lines))
    return "\n".join(parts), notes


def _threshold_of(sample: Sample) -> str:
    return "least" if sample.examples == 1 else "least after more"


def _all_weights(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    grouped: dict[str, list[Sample]] = defaultdict(list)
    for one in samples:
        if one.group not in _GIVEN:
            grouped[one.group].append(one)
    return {group: fitted(found, _PENALTY) for group, found in grouped.items()}


def _samples(history: History, seed: int, most: int) -> list[Sample]:
    rng = random.Random(seed)
    groups, lone = sampled(history, rng, most)
    repo = repository(history)
    out: list[Sample] = []
    number = 0
    for group in groups:
        for count in (1, 2):
            number += 1
            out += _judged(repo, history, group[:count], group[count:], rng, number)
    for place in lone:
        number += 1
        # Where one definition takes the place of another, a name was replaced, and nothing was renamed.
        found = _judged(repo, history, [place], [], rng, number)
        out += [one for one in found if one.group != "rename"]
    return out


def _judged(
    repo: Repository,
    history: History,
    made: Sequence[Place],
    rest: Sequence[Place],
    rng: random.Random,
    question_number: int,
) -> Iterator[Sample]:
    question, texts = after_changes(history.before, made)
    if question is None:
        return
    for one in candidates(question.situation(repo.with_changes(texts)), lambda: True):
        edits = one.edits if len(one.edits) <= _MOST_JUDGED else rng.sample(one.edits, _MOST_JUDGED)
        found = [verdict for _, verdict in verdicts(edits, texts, history, made, rest)]
        right, wrong = found.count("right"), found.count("wrong")
        if right + wrong:
            yield Sample(question_number, one.group, one.examples, one.features, len(one.edits), right, wrong)


def threshold(
    found: Sequence[tuple[float, tuple[str, int], Sample]], wanted: float
) -> tuple[float, int, int]:
    """The least confidence with which enough is right of what is offered, how many places are shown then, and
    how many of them are right. Of each question the candidate counts that would be offered."""
    questions: dict[tuple[str, int], list[tuple[float, Sample]]] = defaultdict(list)
    for sure, question, one in found:
        questions[question].append((sure, one))
    offered = []
    for ranked in questions.values():
        best = max(sure for sure, _ in ranked) - _AS_LIKELY
        offered.append(max(ranked, key=lambda each: (each[0] >= best, each[1].places)))
    least, shown, good, right, total = 0.99, 0, 0, 0, 0
    for sure, one in sorted(offered, key=lambda each: -each[0]):
        scale = one.places / (one.right + one.wrong) if one.places > _MOST_JUDGED else 1.0
        right, total = right + round(one.right * scale), total + round((one.right + one.wrong) * scale)
        if total >= _LEAST_PLACES and right >= wanted * total:
            least, shown, good = math.floor(sure * 1000) / 1000, total, right
    return least, shown, good


def fitted(samples: Sequence[Sample], penalty: float) -> dict[str, float]:
    """The weights of a logistic regression of the share of right places, with a penalty on large ones. Each
    candidate counts as much as any other, whatever it would change."""
    names = sorted({name for one in samples for name in one.features})
    x = np.array([[1.0, *(one.features.get(name, 0.0) for name in names)] for one in samples])
    share = np.array([one.right / (one.right + one.wrong) for one in samples])
    solved: NDArray[np.float64] = np.zeros(len(names) + 1)
    costs = np.r_[1e-6, np.full(len(names), penalty)]
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-np.clip(x @ solved, -30, 30)))
        slope = x.T @ (share - sure) - costs * solved
        curve = (x * (sure * (1 - sure))[:, None]).T @ x + np.diag(costs)
        step = np.linalg.solve(curve, slope)
        solved = solved + step
        if float(np.abs(step).max()) < 1e-6:
            break
    found = {"bias": float(solved[0])} | {
        name: float(value) for name, value in zip(names, solved[1:], strict=True)
    }
    return {name: value for name, value in found.items() if name == "bias" or math.fabs(value) >= 0.0005}
