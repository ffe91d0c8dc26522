"""Schedules run as events against closed forms, and closed forms against the published formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spark_tui.errors import UsageError
from spark_tui.mesh import selfcheck
from spark_tui.mesh.fabric import closed_forms, collectives
from spark_tui.mesh.fabric.collectives import fabric_for, row
from spark_tui.mesh.facts.wafer import WSE2, WSE3

WAFERS = st.sampled_from((WSE2, WSE3))
P, B = st.integers(1, 32), st.integers(1, 300)


@pytest.mark.parametrize("p", [2, 3, 8, 31, 512])
@pytest.mark.parametrize("b", [2, 7, 64, 1000])
def test_closed_forms_are_the_published_formulas_where_a_hop_is_one_cycle(p, b):
    r = 2
    assert closed_forms.broadcast(p, b, WSE2) == b + p + 2 * r
    assert closed_forms.star(p, b, WSE2) == b * (p - 1) + 2 * r + 1
    assert closed_forms.chain(p, b, WSE2) == b + (2 * r + 2) * (p - 1)
    assert closed_forms.broadcast_2d(p, 5, b, WSE2) == b + p + 5 - 2 + 2 * r + 1
    assert closed_forms.xy_reduce(p, 5, b, WSE2) == closed_forms.chain(p, b, WSE2) + closed_forms.chain(
        5, b, WSE2
    )
    whole = b * p
    assert closed_forms.ring_allreduce(p, whole, WSE2) == 2 * (p - 1) * b + 4 * p - 6 + 2 * (p - 1) * (
        2 * r + 1
    )


@pytest.mark.parametrize("levels", [1, 2, 5, 9])
def test_tree_and_two_phase_are_the_published_formulas(levels):
    p, b = 2**levels, 37
    wanted = max(b * levels, b * p / (2 * (p - 1)) * levels + p - 1) + 5 * levels
    assert closed_forms.tree(p, b, WSE2) == pytest.approx(wanted)
    side = levels + 1
    q = side * side
    wanted = max(2 * b, 2 * b * (q - side) / (q - 1) + q - 1) + (2 * side - 2) * 5
    assert closed_forms.two_phase(q, b, WSE2) == pytest.approx(wanted)


@given(P, B, WAFERS)
def test_broadcast_star_chain_ring_and_shift_take_exactly_what_their_forms_say(p, b, wafer):
    line = row(p)
    for run, form in (
        (collectives.run_broadcast, closed_forms.broadcast),
        (collectives.run_star, closed_forms.star),
        (collectives.run_chain, closed_forms.chain),
        (collectives.run_ring_allreduce, closed_forms.ring_allreduce),
        (collectives.run_ring_shift, closed_forms.ring_shift),
    ):
        assert run(fabric_for(p, 1, wafer), line, b) == pytest.approx(form(p, b, wafer), abs=1e-9), (
            run.__name__
        )


@given(st.integers(1, 32), st.integers(1, 32), st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_two_dimensional_forms_are_exact(width, height, b):
    assert collectives.run_broadcast_2d(fabric_for(width, height, WSE2), width, height, b) == pytest.approx(
        closed_forms.broadcast_2d(width, height, b, WSE2)
    )
    assert collectives.run_xy_reduce(fabric_for(width, height, WSE2), width, height, b) == pytest.approx(
        closed_forms.xy_reduce(width, height, b, WSE2)
    )


@given(st.sampled_from([2, 4, 8, 16, 32]), B)
def test_a_tree_is_within_a_tenth_of_its_form_and_never_below_the_bound(p, b):
    ran = collectives.run_tree(fabric_for(p, 1, WSE2), row(p), b)
    assert ran == pytest.approx(closed_forms.tree(p, b, WSE2), rel=0.1)
    assert ran >= closed_forms.lower_bound_1d(p, b, WSE2) - 1e-9


@given(st.sampled_from([4, 9, 16, 25]), B)
def test_two_phases_are_within_a_tenth_of_their_form_and_never_below_the_bound(p, b):
    ran = collectives.run_two_phase(fabric_for(p, 1, WSE2), row(p), b)
    assert ran == pytest.approx(closed_forms.two_phase(p, b, WSE2), rel=0.1 + 1e-9)
    assert ran >= closed_forms.lower_bound_1d(p, b, WSE2) - 1e-9


TREES = st.lists(st.integers(1, 8), min_size=1, max_size=3).filter(lambda sizes: math.prod(sizes) <= 32)


@given(TREES, B, st.sampled_from([1.0, 16.0]), st.sampled_from([0.0, 15.6]), WAFERS)
def test_a_k_tree_takes_what_its_form_says(sizes, b, issue, software, wafer):
    tree = closed_forms.KTree(tuple(sizes), issue, software)
    ran = collectives.run_ktree_allreduce(fabric_for(tree.cores, 1, wafer), [row(tree.cores)], b, tree)
    assert ran == pytest.approx(closed_forms.ktree_allreduce(tree, b, wafer), rel=1e-9)
    assert ran >= closed_forms.lower_bound_1d(tree.root + 1, b, WSE2) - 1e-9


def test_many_lines_reduce_at_once_in_the_time_of_one():
    tree = closed_forms.two_level(8, 2)
    lines = [[(x, y) for x in range(8)] for y in range(8)]
    together = collectives.run_ktree_allreduce(fabric_for(8, 8, WSE2), lines, 9, tree)
    alone = collectives.run_ktree_allreduce(fabric_for(8, 1, WSE2), lines[:1], 9, tree)
    assert together == alone


def test_the_published_k_tree_latency_is_the_depth_and_the_distance():
    """The publication gives α·N + (K·N^(1/K) / 2)·β: half of each level deep, and the line's length in
    hops."""
    square = closed_forms.two_level(400, 20)
    assert square.stages == 2 * 20 // 2
    slow = closed_forms.two_level(400, 20, stage_software_cycles=1.0)
    assert (
        closed_forms.ktree_allreduce(slow, 1, WSE2) - closed_forms.ktree_allreduce(square, 1, WSE2)
        == square.stages
    )


def test_a_lone_core_has_nothing_to_wait_for():
    for form in (
        closed_forms.broadcast,
        closed_forms.star,
        closed_forms.chain,
        closed_forms.ring_allreduce,
        closed_forms.two_phase,
        closed_forms.tree,
    ):
        assert form(1, 5, WSE2) == 0
    assert collectives.run_ktree_allreduce(fabric_for(1, 1, WSE2), [row(1)], 5, closed_forms.KTree((1,))) == 0


def test_counts_that_an_algorithm_cannot_take_are_refused():
    with pytest.raises(UsageError, match="power of two"):
        closed_forms.tree(6, 1, WSE2)
    with pytest.raises(UsageError, match="square number"):
        collectives.run_two_phase(fabric_for(6, 1, WSE2), row(6), 1)
    with pytest.raises(UsageError, match="do not divide"):
        closed_forms.two_level(10, 3)


@pytest.mark.parametrize(
    ("form", "bar"),
    [("chain", 0), ("broadcast", 0), ("ring_allreduce", 0), ("tree", 1), ("ktree_allreduce", 1)],
)
def test_a_wrong_closed_form_misses_its_bar(monkeypatch, form, bar):
    right = getattr(closed_forms, form)
    monkeypatch.setattr(closed_forms, form, lambda *sizes: right(*sizes) * 1.25 + 1)
    assert [check.ok for check in selfcheck.agreement_bars()][bar] is False


def test_a_schedule_that_cheats_the_ramps_is_seen_below_the_bound(monkeypatch):
    def receive(fabric, core, wavelets, start):
        fabric.latest = max(fabric.latest, start)
        return start

    monkeypatch.setattr(collectives.Fabric, "receive", receive)
    assert not selfcheck.agreement_bars()[2].ok


@pytest.mark.slow
@pytest.mark.parametrize("wafer", [WSE2, WSE3], ids=["wse2", "wse3"])
def test_every_line_up_to_32_cores_takes_what_its_form_says(wafer):
    for p in range(1, 33):
        for b in (*range(1, 12), 16, 33, 100):
            for run, form in (
                (collectives.run_broadcast, closed_forms.broadcast),
                (collectives.run_star, closed_forms.star),
                (collectives.run_chain, closed_forms.chain),
                (collectives.run_ring_allreduce, closed_forms.ring_allreduce),
            ):
                assert run(fabric_for(p, 1, wafer), row(p), b) == pytest.approx(form(p, b, wafer), abs=1e-9)


@given(st.sampled_from([4, 16]), B, B)
def test_no_closed_form_falls_with_the_payload(p, b, c):
    less, more = sorted((b, c))
    tree = closed_forms.two_level(p, 2, 16.0, 15.6)
    for form in (
        closed_forms.broadcast,
        closed_forms.star,
        closed_forms.chain,
        closed_forms.tree,
        closed_forms.two_phase,
        closed_forms.ring_allreduce,
    ):
        assert form(p, less, WSE3) <= form(p, more, WSE3)
    assert closed_forms.ktree_allreduce(tree, less, WSE3) <= closed_forms.ktree_allreduce(tree, more, WSE3)
