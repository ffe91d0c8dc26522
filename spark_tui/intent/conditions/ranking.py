"""How likely a test is what a condition in words means: a small network over the words and the test."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from spark_tui.intent.conditions.candidates import CandidateTest, ConditionPlace, candidate_tests
from spark_tui.intent.conditions.predicates import KIND
from spark_tui.intent.conditions.ranking_features import Array, dense_features, name_ids, phrase_ids

WEIGHTS = Path(__file__).with_name("ranking.npz")
_MOST = 6


@lru_cache(maxsize=1)
def _weights() -> dict[str, Array]:
    """The arrays of the file; those of int8 come with a scale."""
    with np.load(WEIGHTS) as stored:
        out = {file: stored[file].astype(np.float32) for file in stored.files}
    return {one: value * out.get(f"{one}_scale", np.float32(1)) for one, value in out.items()}


def rank_tests(
    phrase: str, instruction: str, action: str, place: ConditionPlace
) -> list[tuple[float, CandidateTest]]:
    """The tests that a phrase may mean with their probabilities, the likeliest first. What is left of one is
    that it means none of them."""
    found = candidate_tests(phrase, place)
    if not found:
        return []
    w = _weights()
    vector = w["words"][phrase_ids(phrase, instruction, action)].mean(0)
    kinds = np.array([KIND[candidate.test.kind] for candidate in found])
    hidden = dense_features(phrase, instruction, found, place) @ w["dense"] + w["kinds"][kinds]
    hidden = np.maximum(hidden + vector @ w["said"] + w["bias"], 0.0)
    logits = hidden @ w["out"] + (w["likely"] @ vector)[kinds]
    logits = logits + w["names"][name_ids(found)].sum(1) @ (vector @ w["named"])
    none = float(vector @ w["none"] + w["none_bias"][0])
    top = max(float(logits.max()), none)
    odds = np.exp(logits - top)
    odds /= odds.sum() + np.exp(none - top)
    return [(float(odds[at]), found[at]) for at in np.argsort(-odds)[:_MOST]]
