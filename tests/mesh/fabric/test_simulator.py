"""The clock and the links: laws of the simulator itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.errors import UsageError
from spark_tui.mesh.fabric.collectives import fabric_for, row, run_chain
from spark_tui.mesh.fabric.simulator import Simulator
from spark_tui.mesh.fabric.topology import (
    Grid,
    interleaved_ring,
    links_of,
)
from spark_tui.mesh.facts.wafer import WSE2, WSE3

CORES = st.tuples(st.integers(0, 8), st.integers(0, 8))


def test_events_of_one_time_run_in_order_of_making():
    sim, seen = Simulator(), []
    sim.at(5, lambda: seen.append("late"))
    sim.at(3, lambda: seen.append("first"))
    sim.at(3, lambda: seen.append("second"))
    assert sim.run() == sim.now == 5
    assert seen == ["first", "second", "late"]


def test_an_event_in_the_past_is_refused():
    sim = Simulator()
    sim.at(2, lambda: None)
    sim.run()
    with pytest.raises(ValueError, match="before now"):
        sim.at(1, lambda: None)


@given(CORES, CORES)
def test_an_uncongested_message_crosses_as_many_links_as_the_manhattan_distance(a, b):
    fabric = fabric_for(9, 9, WSE2)
    path = fabric.grid.route(a, b)
    arrived = []
    fabric.send(path, 4, 0.0, lambda core, head: arrived.append((core, head)))
    fabric.sim.run()
    distance = abs(a[0] - b[0]) + abs(a[1] - b[1])
    assert sum(span.link is not None for span in fabric.spans) == len(links_of(path)) == distance
    assert arrived == [(b, 1 + WSE2.ramp_cycles + distance * WSE2.hop_cycles)]


@given(CORES, CORES)
def test_routes_go_along_x_and_then_along_y(a, b):
    path = Grid(9, 9).route(a, b)
    turned = [step[0][0] == step[1][0] for step in links_of(path)]
    assert turned == sorted(turned)


@given(st.lists(st.tuples(CORES, CORES, st.integers(1, 9)), min_size=1, max_size=25))
def test_every_wavelet_that_is_sent_is_received(messages):
    fabric = fabric_for(9, 9, WSE3)
    received = []
    for source, target, wavelets in messages:
        path = fabric.grid.route(source, target)
        fabric.send(path, wavelets, 0.0, lambda core, head, sent=wavelets: received.append((core, sent)))
    fabric.sim.run()
    assert sorted(received) == sorted((target, wavelets) for _, target, wavelets in messages)


def test_two_worms_that_want_one_link_take_it_one_after_the_other():
    fabric = fabric_for(3, 1, WSE2)
    heads = []
    for _ in range(2):
        fabric.send(((0, 0), (1, 0)), 10, 0.0, lambda core, head: heads.append(head))
    fabric.sim.run()
    assert heads[1] - heads[0] == 10
    assert fabric.link_busy_cycles[(0, 0), (1, 0)] == 20


@given(st.integers(2, 16), st.integers(1, 60), st.integers(1, 60))
def test_time_is_monotone_in_the_payload(cores, less, more):
    less, more = sorted((less, more))

    def time(wavelets: int) -> float:
        return run_chain(fabric_for(cores, 1, WSE2), row(cores), wavelets)

    assert time(less) <= time(more)


@given(st.integers(1, 700))
def test_neighbours_of_the_interleaved_ring_are_at_most_two_hops_apart(count):
    ring = interleaved_ring(count)
    assert sorted(ring) == list(range(count))
    assert all(abs(ring[i] - ring[(i + 1) % count]) <= 2 for i in range(count))


def test_a_route_off_the_grid_is_refused():
    with pytest.raises(UsageError, match="not on the"):
        Grid(4, 4).route((0, 0), (4, 0))
