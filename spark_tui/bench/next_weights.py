"""Fits the weights of `next_edit/confidence.toml`: one logistic regression for each group of candidates."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.bench.next_replay import after_changes, repository, sampled, verdicts
from spark_tui.bench.release_changes import Place
from spark_tui.bench.release_pairs import History
from spark_tui.next_edit.candidates import Features, candidates
from spark_tui.pysource.repository import Repository

_MOST_JUDGED = 80
_PENALTY = 4.0
_ROUNDS = 60
_LEAST_SAMPLES = 12
_LEAST = {"rename": 0.7, "one": 0.93, "more": 0.88}
"""The confidence from which a group is shown, by name or by its last word."""
_GIVEN = {
    "signature": {"least": 0.75, "bias": 2.0, "unfollowed": -0.7},
    "import": {"least": 0.75, "bias": 1.5},
}
"""Exact operations that are rare in releases: the code is broken until they are done."""
_HEAD = """\
# Weights by kind of change and number of examples, fitted by `spark bench next --part develop --fit FILE`.
# `least` is the confidence from which a candidate is shown.
"""


@dataclass(frozen=True)
class Sample:
    """A candidate, and how many of its places were right and wrong."""

    group: str
    features: Features
    right: int
    wrong: int


def fit_weights(histories: Iterable[History], rng: random.Random, most: int, file: Path) -> list[str]:
    """Write the weights; returns how many samples each group had."""
    samples: dict[str, list[Sample]] = defaultdict(list)
    for history in histories:
        for one in _samples(history, rng, most):
            samples[one.group].append(one)
    file.write_text(as_toml(samples), encoding="utf-8")
    return [f"{group}: {len(found)} samples" for group, found in sorted(samples.items())]


def as_toml(samples: Mapping[str, Sequence[Sample]]) -> str:
    """The weights of all groups."""
    tables = dict(_GIVEN)
    for group, found in samples.items():
        if group not in tables and len(found) >= _LEAST_SAMPLES:
            least = _LEAST.get(group) or _LEAST[group.rpartition(" ")[2]]
            tables[group] = {"least": least, **fitted(found)}
    parts = [_HEAD]
    for group, rows in sorted(tables.items()):
        lines = (f'"{name}" = {value:.3f}\n' for name, value in rows.items())
        parts.append(f'["{group}"]\n' + "".join(lines))
    return "\n".join(parts)


def _samples(history: History, rng: random.Random, most: int) -> Iterable[Sample]:
    groups, lone = sampled(history, rng, most)
    repo = repository(history)
    for group in groups:
        for count in (1, 2):
            yield from _judged(repo, history, group[:count], rng)
    for place in lone:
        # Where one definition takes the place of another, a name was replaced, and nothing was renamed.
        yield from (one for one in _judged(repo, history, [place], rng) if one.group != "rename")


def _judged(
    repo: Repository, history: History, made: Sequence[Place], rng: random.Random
) -> Iterable[Sample]:
    question, texts = after_changes(history.before, made)
    if question is None:
        return
    for one in candidates(question.situation(repo.with_changes(texts)), lambda: True):
        edits = one.edits if len(one.edits) <= _MOST_JUDGED else rng.sample(one.edits, _MOST_JUDGED)
        found = [verdict for _, verdict in verdicts(edits, texts, history)]
        if found.count("right") + found.count("wrong"):
            yield Sample(one.group, one.features, found.count("right"), found.count("wrong"))


def fitted(samples: Sequence[Sample]) -> dict[str, float]:
    """The weights of a logistic regression of the share of right places, with a penalty on large ones."""
    names = sorted({name for one in samples for name in one.features})
    x = np.array([[1.0, *(one.features.get(name, 0.0) for name in names)] for one in samples])
    total = np.array([one.right + one.wrong for one in samples], dtype=float)
    share = np.array([one.right for one in samples]) / total
    weight = 1 + np.log2(total)
    solved: NDArray[np.float64] = np.zeros(len(names) + 1)
    penalty = np.r_[1e-6, np.full(len(names), _PENALTY)]
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-np.clip(x @ solved, -30, 30)))
        slope = x.T @ (weight * (share - sure)) - penalty * solved
        curve = (x * (weight * sure * (1 - sure))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        solved = solved + step
        if float(np.abs(step).max()) < 1e-6:
            break
    found = {"bias": float(solved[0])} | {
        name: float(value) for name, value in zip(names, solved[1:], strict=True)
    }
    return {name: value for name, value in found.items() if name == "bias" or math.fabs(value) >= 0.0005}
