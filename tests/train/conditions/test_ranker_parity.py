"""The ranker in numpy gives what the one in torch gives, and examples are made as they are meant."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

torch = pytest.importorskip("torch")

from spark_tui.intent.conditions import ranking  # noqa: E402
from spark_tui.train.conditions import command, made, mined, samples  # noqa: E402
from spark_tui.train.conditions.network import Batch, Ranker  # noqa: E402
from spark_tui.train.corpus import Module  # noqa: E402

GUARDED = '''
def pour(jug, cup):
    """Fill a cup."""
    if jug.level < cup.size:
        raise ValueError("the jug holds too little")
    cup.fill(jug)
'''


@pytest.fixture(scope="module")
def examples() -> list[samples.Example]:
    return [*islice(made.Making(samples.programs()[:6], Random(4)).examples(), 12)]


def test_probabilities_are_the_same(examples, tmp_path: Path, monkeypatch) -> None:
    torch.manual_seed(2)
    model = Ranker()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_((parameter * 127 / parameter.abs().max().clamp(min=1e-6)).round() / 127)
    command.write(model, tmp_path / "ranking.npz")
    monkeypatch.setattr(ranking, "WEIGHTS", tmp_path / "ranking.npz")
    ranking._weights.cache_clear()
    try:
        for example in examples:
            ((_, odds),) = command.answers(model, [samples.sample_of(example)])
            shown = ranking.rank_tests(example.phrase, example.instruction, example.action, example.place)
            assert shown[0][0] == pytest.approx(odds, abs=0.02)
    finally:
        ranking._weights.cache_clear()


def test_a_made_example_has_the_test_that_it_is_made_for(examples) -> None:
    found = [samples.sample_of(example) for example in examples]
    assert sum(bool(item is not None and item.right.any()) for item in found) > len(found) * 0.8


def test_a_mined_guard_is_not_seen_where_it_is_looked_for() -> None:
    (one,) = mined.examples([Module("jugs", "jugs.py", GUARDED, "train")], Random(1))
    assert one.phrase == "the jug holds too little"
    assert [test.code for test in one.tests] == ["jug.level < cup.size"]
    assert not one.place.tests


def test_training_puts_the_probability_on_what_is_right(examples) -> None:
    found = [item for item in map(samples.sample_of, examples) if item is not None and item.right.any()]
    model = Ranker()
    before = command.loss_of(model, found, 0.0).item()
    command.fit(model, found, 80, Random(1))
    assert command.loss_of(model, found, 0.0).item() < before / 2
    assert Batch.of(found).right.sum() >= len(found)
