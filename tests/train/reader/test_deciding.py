"""The fit of when an edit needs no mark."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from spark_tui.train.reader import deciding
from spark_tui.train.reader.deciding import Outcome


def outcomes(count: int) -> list[Outcome]:
    """Edits that are right where `share` is high; one of two intents is less often right."""
    rng = Random(5)
    out = []
    for at in range(count):
        share = rng.uniform(-2, 4)
        intent = ("rename", "set_value")[at % 2]
        chance = 1 / (1 + np.exp(-(2 * share - (1.5 if intent == "rename" else 0.0))))
        out.append(Outcome(intent, {"share": share, "noise": rng.random()}, rng.random() < chance, True))
    return out


def test_the_fit_finds_what_matters_and_a_limit_that_holds_on_others() -> None:
    found = outcomes(1500)
    fit = deciding.fit(found[:1000])
    weights = dict(zip(fit.names, fit.weights, strict=True))
    assert weights["share"] > 1 > abs(weights["noise"])
    assert fit.intents["set_value"] > 0 > fit.intents["rename"]
    assert 0.4 < fit.coverage < 1 and fit.precision >= deciding.WANTED
    over = []
    for one in found[1000:]:
        sum_ = fit.offset + weights["intent"] * fit.intents[one.intent]
        sum_ += sum(weights[name] * number for name, number in one.evidence.items())
        if 1 / (1 + np.exp(-sum_)) >= fit.unmarked:
            over.append(one.right)
    assert len(over) > 100 and np.mean(over) > 0.93


def test_nothing_is_unmarked_where_nothing_is_right_enough() -> None:
    assert deciding.threshold(np.array([0.9, 0.8]), np.array([0.0, 1.0]), 0.97) == (0.99, 0.0, 0.0)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    fit = deciding.fit(outcomes(300))
    fit.write(tmp_path / "certainty.toml")
    stored = tomllib.loads((tmp_path / "certainty.toml").read_text("utf-8"))
    assert set(stored["weights"]) == {"share", "noise", "intent"}
    assert stored["unmarked"] == pytest.approx(fit.unmarked, abs=1e-3)
    assert set(stored["intents"]) == {"rename", "set_value"}
