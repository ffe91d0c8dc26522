"""Angles: what each kind promises, and that rows do not depend on how they were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from spark_tui.engine.architecture import Rope
from spark_tui.engine.forward.rope import KEPT, STRETCH, RopeTable, frequencies, regime
from spark_tui.errors import Misfit

DIM = 16
KINDS = {
    "default": Rope(),
    "partial": Rope(rotary_dim=8),
    "linear": Rope(kind="linear", factor=4.0),
    "dynamic": Rope(kind="dynamic", factor=2.0, max_positions=64),
    "yarn": Rope(kind="yarn", factor=8.0, original_max_positions=64, max_positions=512),
    "llama3": Rope(kind="llama3", factor=8.0, original_max_positions=64, max_positions=512, theta=5e5),
    "longrope": Rope(
        kind="longrope",
        factor=4.0,
        original_max_positions=64,
        max_positions=256,
        short_factor=(1.0,) * 8,
        long_factor=tuple(1.0 + index for index in range(8)),
    ),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("planned", [0, 150])
def test_rows_are_the_same_however_they_are_asked_for(name: str, planned: int) -> None:
    table = RopeTable(KINDS[name], DIM)
    cos, sin = table.rows(0, 150, planned)
    again = RopeTable(KINDS[name], DIM)
    at = 0
    for size in (1, 60, 1, 40, 3, 45):
        part = again.rows(at, at + size, planned)
        assert np.array_equal(part[0], cos[at : at + size]) and np.array_equal(part[1], sin[at : at + size])
        at += size
    half = table.dim // 2
    assert np.array_equal(cos[:, :half], cos[:, half:]) and np.array_equal(sin[:, :half], -sin[:, half:])


@pytest.mark.parametrize("name", KINDS)
def test_far_positions_cost_no_table_of_all_before_them_and_are_the_same_later(name: str) -> None:
    table = RopeTable(KINDS[name], DIM)
    first = [part.copy() for part in table.rows(500, 530, 60_000)]
    most = 0
    for start in range(0, 60_000, 700):
        table.rows(start, start + 700, 60_000)
        most = max(most, sum(cos.nbytes + sin.nbytes for cos, sin in table._held.values()))
    assert most <= KEPT * STRETCH * 2 * table.dim * 4
    again = table.rows(500, 530, 60_000)
    assert np.array_equal(again[0], first[0]) and np.array_equal(again[1], first[1])


@pytest.mark.parametrize("name", KINDS)
def test_a_turn_keeps_lengths_up_to_its_factor(name: str) -> None:
    rope = KINDS[name]
    _, scale = frequencies(rope, DIM, 150)
    cos, sin = RopeTable(rope, DIM).rows(0, 150, 150)
    assert np.allclose(cos**2 + sin**2, scale**2, atol=1e-5)
    assert (scale > 1) is (name in ("yarn", "longrope"))


def test_kinds_turn_as_they_are_meant_to() -> None:
    plain, _ = frequencies(Rope(), DIM)
    assert plain[0] == 1 and plain[-1] == pytest.approx(10_000 ** (-14 / 16))
    linear, _ = frequencies(KINDS["linear"], DIM)
    assert np.allclose(linear, plain / 4)
    yarn, _ = frequencies(KINDS["yarn"], DIM)
    assert yarn[0] == plain[0] and yarn[-1] == pytest.approx(plain[-1] / 8)
    assert ((yarn <= plain * 1.0001) & (yarn >= plain / 8.0001)).all()
    base, _ = frequencies(Rope(theta=5e5), DIM)
    llama, _ = frequencies(KINDS["llama3"], DIM)
    assert llama[0] == base[0] and llama[-1] == pytest.approx(base[-1] / 8)


def test_angles_that_follow_the_length_do_so_beyond_the_trained_one_only() -> None:
    for name in ("dynamic", "longrope"):
        rope = KINDS[name]
        assert rope.depends_on_length
        assert regime(rope, 64) == 0 and regime(rope, 65) != 0
        short, _ = frequencies(rope, DIM, 64)
        longer, _ = frequencies(rope, DIM, 128)
        assert np.array_equal(short, frequencies(rope, DIM, 10)[0])
        assert (longer[1:] < short[1:]).all()
    assert regime(KINDS["dynamic"], 70) != regime(KINDS["dynamic"], 71)
    assert regime(KINDS["longrope"], 70) == regime(KINDS["longrope"], 71)
    assert regime(KINDS["yarn"], 10_000) == 0


def test_a_wrong_number_of_factors_is_said() -> None:
    with pytest.raises(Misfit, match="longrope gives 3 factors for 8 frequencies"):
        frequencies(Rope(kind="longrope", factor=2.0, original_max_positions=8, short_factor=(1.0,) * 3), DIM)


@pytest.mark.parametrize(
    "rope",
    [
        Rope(theta=0.0),
        Rope(theta=-5.0),
        Rope(kind="llama3", factor=2.0, low_freq_factor=0.0, max_positions=64),
        Rope(kind="yarn", factor=2.0, original_max_positions=-4, max_positions=64),
    ],
)
def test_settings_that_give_no_angles_are_refused_with_the_model(rope: Rope) -> None:
    with pytest.raises(Misfit, match="angles that are not numbers"):
        RopeTable(rope, DIM)
