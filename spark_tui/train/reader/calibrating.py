"""Fits how scores become probabilities, on voices that were kept aside from training."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.evaluation import ReadingCase, same_slots
from spark_tui.intent.reading.features import describe_tokens
from spark_tui.intent.reading.network import Array, log_softmax
from spark_tui.intent.reading.reader import Calibration, IntentCandidate, Reader, logit
from spark_tui.intent.words.tokens import tokenize

_TEMPERATURES = (0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.8, 2.2, 2.7)
_SLOT_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6)
_MISSING = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)
_SPLITS = np.arange(-2.0, 3.01, 0.25)
_STEPS = 30
_FAR = 12.0


def fit(reader: Reader, cases: Sequence[ReadingCase]) -> Calibration:
    """The calibration with which the readings of these cases are likeliest."""
    single = [case for case in cases if len(case.orders) == 1]
    found = [_candidates(reader, case) for case in single]
    right = np.array(
        [
            next((i for i, one in enumerate(own) if one.reading.intent == case.orders[0].intent), -1)
            for case, own in zip(single, found, strict=True)
        ]
    )
    width = max(map(len, found))
    scores, slots = _table(found, "score", width), _table(found, "slots_score", width)
    missing = _table(found, "missing", width)
    there = scores > -1e8
    rows = np.flatnonzero(right >= 0)

    def loss(temperature: float, slot_weight: float, taken: float) -> float:
        totals = np.where(there, scores / temperature + slot_weight * slots - taken * missing, -1e9)
        return -float(log_softmax(totals)[rows, right[rows]].mean())

    best = min(product(_TEMPERATURES, _SLOT_WEIGHTS, _MISSING), key=lambda values: loss(*values))
    certainty = np.array([logit(float(value)) for value in slots[rows, right[rows]]])
    exact = np.array(
        [same_slots(found[row][right[row]].reading, single[row].orders[0]) for row in rows], dtype=np.float32
    )
    offset, slope = _logistic(certainty, exact)
    return Calibration(*best, offset, slope, _best_split(reader, cases))


def _candidates(reader: Reader, case: ReadingCase) -> list[IntentCandidate]:
    tokens = tokenize(case.text)
    encoded = reader.network.encode(describe_tokens(tokens, case.symbols), case.earlier)
    return reader.candidates(tokens, encoded, 0, len(encoded), case.earlier)


def _table(found: Sequence[Sequence[IntentCandidate]], name: str, width: int) -> Array:
    empty = -1e9 if name == "score" else 0.0
    rows = [[float(getattr(item, name)) for item in own] + [empty] * (width - len(own)) for own in found]
    return np.array(rows, dtype=np.float32)


def _logistic(x: Array, y: Array) -> tuple[float, float]:
    """Offset and slope of a logistic regression with a little weight on (0, 1): Newton's method, whose steps
    are halved until they help."""
    inputs = np.stack([np.ones_like(x), np.clip(x, -_FAR, _FAR)], axis=1).astype(np.float64)
    usual = np.array([0.0, 1.0])

    def loss(values: NDArray[np.float64]) -> float:
        odds = inputs @ values
        return float((np.logaddexp(0, odds) - y * odds).sum() + np.square(values - usual).sum())

    found = usual.copy()
    for _ in range(_STEPS):
        guess = 1 / (1 + np.exp(-(inputs @ found)))
        slope = inputs.T @ (guess - y) + 2 * (found - usual)
        bend = inputs.T @ (inputs * (guess * (1 - guess))[:, None]) + 2 * np.eye(2)
        step = np.linalg.solve(bend, slope)
        while loss(found - step) > loss(found) and np.abs(step).max() > 1e-9:
            step = step / 2
        found = found - step
    return float(found[0]), float(found[1])


def _best_split(reader: Reader, cases: Sequence[ReadingCase]) -> float:
    """The score from which a token begins an order, so that most cases have all and only their orders. One
    order and several count the same."""
    right = np.zeros((2, len(_SPLITS)))
    totals = np.ones(2)
    for case in cases:
        tokens = tokenize(case.text)
        scores = reader.network.boundaries(
            reader.network.encode(describe_tokens(tokens, case.symbols), case.earlier)
        )[1:]
        several = int(len(case.orders) > 1)
        totals[several] += 1
        over = (scores[None] > _SPLITS[:, None]).sum(axis=1)
        right[several] += over == len(case.orders) - 1
    return float(_SPLITS[int((right / totals[:, None] * [[0.7], [0.3]]).sum(axis=0).argmax())])
