"""The benches of the server: what they measure is there, and a deliberate fault makes a bar fail."""

import json
import socket
import tempfile
import time
from pathlib import Path

import pytest

from spark_tui.backends.base import FilePart
from spark_tui.bench import load, pipeline
from spark_tui.bench.measuring.processes import certificate, child
from spark_tui.bench.measuring.reporting import Report
from spark_tui.bench.server.pipeline_clients import LastingConnection, RequestPerTurn

FILE = FilePart("a.py", "x = 1\n" * 20, 1, 20)


@pytest.fixture(scope="module")
def tls():
    with tempfile.TemporaryDirectory() as folder:
        made, key = certificate(Path(folder))
        yield {"certificate": made, "private_key": key}


def worker(tls, **more):
    return child(
        "spark_tui.bench.server.serve_worker", json.dumps({"model": "metronome:0.0005", **tls, **more})
    )


def test_both_ways_to_talk_get_the_same_text(tls):
    with worker(tls) as server:
        port = int(server.said[0])
        texts = []
        for arm in (RequestPerTurn, LastingConnection):
            client = arm(port, tls["certificate"], FILE)
            client.prepare()
            texts.append([client.turn(f"do {n}", 6)[1] for n in range(3)])
            client.close()
        assert texts[0] == texts[1] == [" ".join(f"word{n}" for n in range(6)) + " "] * 3


def test_the_wire_delays_each_way_and_opening_costs_one_more(tls):
    with worker(tls) as server, child("spark_tui.bench.server.delay_proxy", server.said[0], "60") as wire:
        far, echo = (int(word) for word in wire.said)
        assert pipeline._round_trip_seconds(echo, 4) >= 0.06
        began = time.perf_counter()
        with socket.create_connection(("127.0.0.1", far)) as sock:
            sock.sendall(b"nonsense that is no greeting")
            sock.recv(100)
        assert time.perf_counter() - began >= 0.12
        client = LastingConnection(far, tls["certificate"], FILE)
        client.prepare()
        assert client.turn("do", 2)[0] >= 0.06
        client.close()


OVERHEADS = [f"overhead a {what}" for what in ("round trip", "token")]


def test_the_overhead_of_both_ways_is_measured(tls):
    report = Report("pipeline")
    pipeline.PipelineBench("none", quick=True)._overhead(report, tls, burst=1, rounds=2, turns=2, tokens=4)
    assert [bar.name for bar in report.bars] == [f"software {what}, ÷ plain" for what in OVERHEADS]
    assert [(row["what"], row["contender"]) for row in report.rows] == [
        (what, contender) for what in OVERHEADS for contender in ("plain", "lasting", "ratio")
    ]


def test_the_overhead_is_the_ratio_of_what_both_ways_cost(tls, monkeypatch):
    costs = {
        "plain": pipeline.CpuCost(round_trip=0.004, token=0.0001),
        "lasting": pipeline.CpuCost(round_trip=0.0006, token=0.00005),
    }
    bench = pipeline.PipelineBench("none", quick=True)
    monkeypatch.setattr(bench, "_cost", lambda arm, *_given: costs[arm.name])
    report = Report("pipeline")
    bench._overhead(report, tls, burst=1, rounds=3)
    assert [bar.value for bar in report.bars] == [0.15, 0.5]


def firsts(lasting, engine=0.002, round_trip=0.02):
    found = pipeline.FirstTokens(round_trip)
    for turn in pipeline.TURNS_SHOWN:
        found.seconds["plain", turn] = [3 * round_trip + engine + 0.004] * 3
        found.seconds["lasting", turn] = [lasting] * 3
        found.engine["plain", turn] = found.engine["lasting", turn] = [engine] * 3
    return found


@pytest.mark.parametrize(
    ("lasting", "ok"), [(0.0225, [True, True]), (0.026, [True, False]), (0.045, [False, False])]
)
def test_the_bars_of_the_first_token(lasting, ok):
    report = Report("pipeline")
    pipeline.PipelineBench("none", quick=True)._judge(report, 20, firsts(lasting))
    assert [bar.ok for bar in report.bars] == ok


def test_clients_past_the_limit_are_counted_and_refused():
    row = load._past_the_bound()
    assert row["refused"] == 6
    limits = {"active": 16, "queued": 64}
    with child(
        "spark_tui.bench.server.serve_worker", json.dumps({"model": "metronome:0.002", "limits": limits})
    ) as server:
        seen = load._drive(f"http://127.0.0.1:{server.said[0]}/v1", 4, 2.0)
    assert seen.rate > 0
    assert 0 < seen.fairness <= 1
    assert len(seen.all("firsts")) >= 4
    assert all(gap > 0 for gap in seen.all("gaps"))


def rounds(tokens, gaps, seconds=1.0):
    return [load.LoadRound([load.ClientResults(count, [0.01], list(gaps)) for count in tokens], seconds)]


@pytest.mark.parametrize(
    ("many", "gaps", "ok"),
    [
        ([20] * 16, [0.01] * 100, [True, True, True]),
        ([5] * 16, [0.01] * 100, [False, True, True]),
        ([20] * 15 + [4], [0.01] * 100, [True, False, True]),
        ([20] * 16, [0.01] * 95 + [0.2] * 5, [True, True, False]),
        ([0] * 16, [], [False, False, False]),
    ],
)
def test_the_bars_of_a_crowd_notice_what_goes_wrong(many, gaps, ok):
    found = load.bars({1: rounds([100], [0.01]), 16: rounds(many, gaps)})
    assert [bar.ok for bar in found] == ok
