"""Every bar can fail: with what is promised all are met, and each deliberate slowdown makes `--check`
fail."""

from __future__ import annotations

import argparse
import functools
import time
from types import SimpleNamespace

import pytest
from support.tiny_bench import byte_tokenizer

from spark_tui.bench import decode, edit, long_context, prefill, ttft
from spark_tui.bench.generation import builtin_model
from spark_tui.bench.generation.times import GenerationTimes
from spark_tui.bench.measuring.reporting import Report, finish
from spark_tui.bench.peers.comparison import PEERS, PeerComparison
from spark_tui.engine import Engine
from spark_tui.engine.architecture import Arch
from spark_tui.engine.generate import Loop
from spark_tui.engine.model_sizes import random_weights
from spark_tui.errors import NoBackend
from spark_tui.events import Doubt, Token

RATES = {
    "spark": {"greedy": 300.0, "edit": 3400.0, "prefill": 5000.0},
    "spark [fast]": {"greedy": 1000.0, "edit": 5000.0, "prefill": 5000.0},
    "transformers": {"greedy": 140.0, "edit": 600.0, "prefill": 2500.0},
    "llama.cpp F32": {"greedy": 400.0, "edit": 900.0, "prefill": 4000.0},
    "llama.cpp Q8_0": {"greedy": 900.0, "edit": 1500.0, "prefill": 4000.0},
    "llama.cpp Q4_0": {"greedy": 1000.0, "edit": 1600.0, "prefill": 4000.0},
    "ctranslate2": {"greedy": 250.0, "edit": 250.0, "prefill": 4000.0},
    "ctranslate2 int8": {"greedy": 300.0, "edit": 300.0, "prefill": 5000.0},
    "onnxruntime": {"greedy": 250.0, "edit": 250.0, "prefill": 4000.0},
    "onnxruntime int8": {"greedy": 500.0, "edit": 500.0, "prefill": 7000.0},
}


class Pretend:
    """A contender of a known speed."""

    def __init__(self, rates):
        self.rates = rates

    def ready(self):
        pass

    def ask(self, what, *ids, count=0):
        count = {"greedy": count, "prefill": 1}.get(what) or len(ids[1])
        rate = self.rates[what]
        first = len(ids[0]) / self.rates["prefill"]
        rest = max(count - 1, 1) / rate
        return GenerationTimes(first, rest, count, passes=count, cpu=rest, first_cpu=first)

    def close(self):
        pass


@pytest.fixture(autouse=True)
def no_weights(monkeypatch):
    """Bars are about speeds: nobody has to write weights for them."""

    def write(self, peers, folder):
        for peer in peers:
            self.places.update(dict.fromkeys(PEERS[peer][1], "nowhere"))

    monkeypatch.setattr(PeerComparison, "_write", write)
    monkeypatch.setattr("spark_tui.bench.peers.comparison.installed", lambda: list(PEERS))
    monkeypatch.setattr("spark_tui.bench.peers.comparison.has_fast", lambda: True)
    for bench in (edit, ttft):
        monkeypatch.setattr(bench, "bench_tokenizer", byte_tokenizer)


def start_with(**slowed):
    """A way to start contenders, some of them slowed: `spark__edit=0.5` halves our edit stream."""

    def start(name, place, threads):
        rates = dict(RATES[name])
        for key, factor in slowed.items():
            who, _, what = key.partition("__")
            if name == who:
                rates[what] *= factor
        return Pretend(rates)

    return start


def flags(**more):
    base = {
        "quick": True,
        "json": False,
        "check": True,
        "plot": None,
        "peer": None,
        "threads": "1",
        "model": "25M",
    }
    return argparse.Namespace(**{**base, **more})


def failed(report):
    return [bar.name for bar in report.bars if not bar.ok]


@pytest.mark.parametrize(
    ("slowed", "missed"),
    [
        ({}, []),
        ({"spark__greedy": 0.9}, ["spark greedy ÷ transformers"]),
        ({"spark__greedy": 0.8}, ["spark greedy ÷ transformers", "spark greedy ÷ ctranslate2"]),
        ({"spark [fast]__greedy": 0.8}, ["spark [fast] greedy ÷ llama.cpp Q8_0"]),
    ],
)
def test_decode_bars(slowed, missed):
    report = decode.measure(flags(), start_with(**slowed))
    assert failed(report) == [f"{bar} greedy, 25M" for bar in missed]
    assert len(report.bars) == 3
    assert finish(report, flags()) == bool(missed)


@pytest.mark.parametrize(
    ("slowed", "missed"), [({}, 0), ({"spark__prefill": 0.9}, 1), ({"spark [fast]__prefill": 0.9}, 1)]
)
def test_prefill_bars(slowed, missed):
    report = prefill.measure(flags(), start_with(**slowed))
    assert len(report.bars) == 2
    assert len(failed(report)) == missed
    assert finish(report, flags()) == missed


EDIT_BARS = {
    "edit stream, 12M, oracle, file tok/s": ("12M", {"spark__edit": 0.4}),
    "edit stream ÷ own greedy, 25M": ("25M", {"spark__greedy": 4.5}),
    "edit stream ÷ own greedy, 135M": ("135M", {"spark__greedy": 4.8}),
    "edit stream ÷ own greedy, 494M": ("494M", {"spark__greedy": 4.2}),
    "spark edit stream ÷ transformers greedy, 25M": ("25M", {"transformers__greedy": 4.2}),
    "spark edit stream ÷ ctranslate2 greedy, 25M": ("25M", {"ctranslate2__greedy": 4.0}),
    "spark edit stream ÷ llama.cpp F32 greedy, 25M": ("25M", {"llama.cpp F32__greedy": 4.0}),
    "spark edit stream ÷ the best peer, 12M": ("12M", {"spark__edit": 0.9}),
    "spark [fast] edit stream ÷ the best peer, 12M": ("12M", {"spark [fast]__edit": 0.9}),
    "spark edit stream ÷ the best peer, 25M": ("25M", {"spark__edit": 0.9}),
    "spark [fast] edit stream ÷ the best peer, 25M": ("25M", {"spark [fast]__edit": 0.9}),
}


@functools.cache
def edit_report(model):
    """What is promised, of contenders that keep it."""
    return edit.measure(flags(model=[model], mode="oracle"), start_with())


@pytest.mark.parametrize("name", EDIT_BARS)
def test_edit_bars(name):
    model, slowed = EDIT_BARS[name]
    args = flags(model=[model], mode="oracle")
    good = edit_report(model)
    assert name in [bar.name for bar in good.bars]
    assert failed(good) == []
    bad = edit.measure(args, start_with(**slowed))
    assert failed(bad)[0] == name and len(failed(bad)) <= 2  # slower than 1,400 is slower than a peer, too
    assert finish(bad, args) == 1


def test_a_peer_that_fails_is_left_out_and_named():
    class Failing(Pretend):
        def ask(self, what, *ids, count=0):
            if what == "edit":
                raise NoBackend("transformers failed at edit: too long")
            return super().ask(what, *ids, count=count)

    def start(name, place, threads):
        return Failing(RATES[name]) if name == "transformers" else Pretend(RATES[name])

    report = edit.measure(flags(model=["25M"], mode="oracle"), start)
    assert report.notes == ["transformers failed at edit: too long"]
    ways = [row["way"] for row in report.rows if row["contender"] == "transformers"]
    assert ways == ["greedy"]


def test_every_bar_of_the_edit_bench_has_a_slowdown():
    models = ["12M", "25M", "135M", "494M"]
    assert {bar.name for model in models for bar in edit_report(model).bars} == set(EDIT_BARS)


def answered(rate=2000.0, last=0.1, tokens=100):
    return builtin_model.EditTimes(last - (tokens - 1) / rate, last, tokens, tokens // 2)


@pytest.mark.parametrize(
    ("answers", "missed"),
    [
        ([answered()] * 20, []),
        ([answered(rate=590)] * 20, ["edit stream, built-in model, real, decided tok/s"]),
        ([answered(last=0.16)] * 20, ["Enter → last hunk closed, p50 ms"]),
        ([answered()] * 17 + [answered(last=0.6)] * 3, ["Enter → last hunk closed, p95 ms"]),
    ],
)
def test_real_bars(answers, missed):
    report = Report("edit", bars=builtin_model.bars(answers))
    assert len(report.bars) == 3
    assert failed(report) == missed
    assert finish(report, flags()) == bool(missed)


class Slow:
    """A backend that thinks for longer than anybody is promised to wait."""

    name, window = "slow", 4096

    def format_for(self, request):
        return "lines"

    def stream(self, request, stop):
        if request.kind != "warm":
            time.sleep(0.55)
            for number in range(8):
                time.sleep(0.002)
                yield Token(number, "x", number % 2 == 0)
            yield Doubt(1, 0.1)

    def count_tokens(self, text):
        return len(text)

    def close(self):
        pass


def test_a_slow_backend_misses_every_real_bar(monkeypatch):
    traces = builtin_model.load_traces("short")[:2]
    monkeypatch.setattr(builtin_model, "load_traces", lambda kind: traces)
    monkeypatch.setattr(builtin_model, "held_out", lambda count: traces[:1])
    report = Report("edit")
    builtin_model.measure(report, quick=False, backend=Slow())
    assert len(failed(report)) == 3
    assert report.rows[0]["drafted"] == 0.5
    assert [row["edits"] for row in report.rows] == [2, 1]


def test_held_out_edits_are_the_same_in_every_run_and_ask_for_an_edit():
    chosen = builtin_model.held_out(30)
    assert chosen == builtin_model.held_out(30)
    assert len({trace.name for trace in chosen}) == 30
    assert all(trace.before != trace.after and trace.instruction for trace in chosen)


def test_real_mode_takes_the_model_that_is_named(monkeypatch):
    asked = []
    monkeypatch.setattr(builtin_model, "measure", lambda report, **options: asked.append(options["model"]))
    for mode, model in (("real", ["here"]), ("real", None)):
        edit.measure(flags(model=model, mode=mode))
    assert asked == ["here", ""]


WARM, COLD, STOP = (
    "first token, file warm, 12M, p95 ms",
    "first token, cold 1,000-token file, 12M, p95 ms",
    "stop honoured, 12M, p99 ms",
)


@pytest.mark.parametrize(
    ("warm", "cold", "stop", "missed"),
    [
        (20, 90, 15, []),
        (26, 90, 15, [WARM]),
        (20, 101, 15, [COLD]),
        (20, 90, 21, [STOP]),
    ],
)
def test_ttft_bars(warm, cold, stop, missed):
    report = Report("ttft", bars=ttft.bars([warm] * 9, [cold] * 9, [stop] * 9))
    assert failed(report) == missed
    assert finish(report, flags()) == bool(missed)


@pytest.fixture(scope="module")
def tiny():
    sizes = {"d_model": 16, "n_layers": 1, "n_heads": 2, "n_kv_heads": 1, "head_dim": 8, "d_ff": 16}
    vocab = byte_tokenizer().vocab_size
    shape = Arch(family="llama", name="tiny", vocab_size=vocab, max_positions=200_000, **sizes)
    return Engine(shape, random_weights(shape), cache_bytes=64 << 20)


@pytest.mark.parametrize(
    ("pause", "when", "missed"),
    [
        (0.06, lambda left, prompt: left > 0, [WARM, COLD]),
        (0.25, lambda left, prompt: left > 0 and prompt == ttft.COLD_TOKENS, [COLD]),
        # longer than the longest wait before the flag: it is always set within the first pass of the answer
        (0.4, lambda left, prompt: left <= 0, [STOP]),
    ],
)
def test_a_slow_pass_is_seen_where_it_is_felt(tiny, monkeypatch, pause, when, missed):
    whole = Loop.step

    def step(self, generations, on_step=None, stop=None):
        (generation,) = generations
        if when(len(generation.prompt) - generation.sequence.length, len(generation.prompt)):
            time.sleep(pause)
        whole(self, generations, on_step, stop)

    short = ttft.load_traces("short")
    warm, cold, stops = ttft.warm, ttft.cold, ttft.stops
    monkeypatch.setattr(Loop, "step", step)
    monkeypatch.setattr(ttft, "load_traces", lambda kind: short[:12])
    monkeypatch.setattr(ttft, "LONG_PROMPT", 1200)
    monkeypatch.setattr(ttft, "warm", lambda engine, tasks: warm(engine, tasks[:2]))
    monkeypatch.setattr(ttft, "cold", lambda engine, tasks, runs: cold(engine, tasks, 2))
    monkeypatch.setattr(ttft, "stops", lambda engine, tasks, runs: stops(engine, tasks, 4))
    report = ttft.measure(flags(model="12M"), tiny)
    assert set(missed) <= set(failed(report))
    assert finish(report, flags()) == 1


@pytest.mark.parametrize(
    ("ratio", "taken", "missed"),
    [
        (1.9, 700.0, 0),
        (2.1, 700.0, 1),
        (1.9, 1600.0, 2),
        (1.9, 757.0, 1),
    ],
)
def test_long_bars(ratio, taken, missed):
    found = {"weights MB": 50.0, "KV MB": 598.0, "resident MB": taken}
    report = Report("long", bars=long_context.bars(ratio, found))
    assert len(report.bars) == 3
    assert len(failed(report)) == missed
    assert finish(report, flags()) == bool(missed)


def test_a_pass_that_grows_with_its_context_misses_its_bar(tiny, monkeypatch):
    from spark_tui.engine.model import Model
    from spark_tui.engine.runtime.pass_stop import NEVER

    whole, clock = Model.forward, [0.0]

    def forward(self, jobs, stop=NEVER):
        clock[0] += jobs[0].sequence.length * 2e-5
        return whole(self, jobs, stop)

    monkeypatch.setattr(Model, "forward", forward)
    monkeypatch.setattr(long_context, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    lengths = {str(length): long_context.filled(tiny, length) for length in (100, 1000)}
    found = long_context.token_seconds(tiny, lengths, rounds=2)
    assert min(found["1000"]) > 2 * max(found["100"])
    for sequence in lengths.values():
        sequence.close()


def test_a_context_is_stopped_in_and_put_to_rest(tiny):
    sequence = long_context.filled(tiny, 256)
    found = long_context.row(tiny, sequence, [0.002, 0.004], [0.001, 0.002], stops=2)
    assert found["÷ 4096 keys"] == 2.0 and found["context"] == 256 == sequence.length
    assert 0 <= found["stop p95 ms"] < 60_000 and found["read back, s"] >= 0
    sequence.close()


def test_memory_is_measured_in_a_process_of_its_own():
    taken = long_context.memory_of("5M", 2000)
    assert taken["resident MB"] > taken["weights MB"] + taken["KV MB"]
    assert taken["KV MB"] == pytest.approx(2 * 4 * 4 * 2 * 64 * 2048 / 1e6, rel=0.1)
