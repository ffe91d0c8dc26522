"""The same weights in every format say the same; traces are read; a contender that fails says why."""

from __future__ import annotations

import importlib.util
import json

import pytest
from support.tiny_bench import byte_tokenizer

from spark_tui.bench.generation.edit_traces import (
    RewriteTask,
    bench_tokenizer,
    decided_tokens,
    load_traces,
    rewrite_task,
)
from spark_tui.bench.peers.comparison import PEERS, PeerComparison
from spark_tui.bench.peers.contender_worker import ContenderProcess
from spark_tui.bench.peers.contenders import build
from spark_tui.bench.peers.weight_formats import require_plain, write_hf
from spark_tui.engine import load
from spark_tui.engine.architecture import Arch
from spark_tui.engine.model_sizes import SIZES, random_weights
from spark_tui.errors import MalformedInput, Misfit, NoBackend

PROMPT = [(7 * n * n + 3 * n) % 150 for n in range(40)]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A llama small enough to be written in every format, large enough for blocks of 32."""
    sizes = {"d_model": 64, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2, "head_dim": 16, "d_ff": 96}
    shape = Arch(family="llama", name="small", vocab_size=160, max_positions=2048, norm_eps=1e-5, **sizes)
    return write_hf(shape, random_weights(shape), tmp_path_factory.mktemp("small"))


def test_a_folder_written_for_peers_is_read_back_as_it_was(model):
    engine = load(model)
    assert engine.arch.d_model == 64
    assert engine.arch.tied_head


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_on_the_same_weights_says_the_same(peer, model, tmp_path):
    """Float32 contenders agree token by token; quantized ones only have to run."""
    if importlib.util.find_spec(PEERS[peer][0]) is None:
        pytest.skip(f"{peer} is not installed")
    if peer == "llama.cpp":
        pytest.importorskip("gguf")
    if peer == "onnxruntime":
        pytest.importorskip("onnx")
    place = PeerComparison(str(model), [peer], tmp_path)
    assert place.skipped == []
    ours = build("spark", str(model), 1).greedy(PROMPT, 12)
    for name in PEERS[peer][1]:
        worker = ContenderProcess(name, place.places[name], 1)
        try:
            worker.ready()
            took = worker.ask("greedy", PROMPT, count=12)
            assert took.tokens == 12
            assert took.first > 0
            assert took.rest > 0
            if name in ("transformers", "llama.cpp F32", "ctranslate2", "onnxruntime"):
                assert took.text == ours.text
            edit = worker.ask("edit", PROMPT, PROMPT[5:35], PROMPT)
            assert edit.tokens == 30
            if name in ("transformers", "llama.cpp F32", "llama.cpp Q8_0"):
                assert list(edit.text) == PROMPT[5:13]
            assert worker.ask("prefill", PROMPT).tokens == 1
        finally:
            worker.close()


def test_our_edit_writes_the_truth_in_fewer_passes_than_tokens(model):
    contender = build("spark", str(model), 1)
    truth = PROMPT[3:]
    took = contender.edit(PROMPT, truth, PROMPT)
    assert list(took.text) == truth[:8]
    assert took.tokens == len(truth)
    assert took.passes < len(truth) / 2
    plain = contender.greedy(PROMPT, 9)
    assert plain.passes == 8


def test_a_contender_that_cannot_load_says_why(tmp_path):
    worker = ContenderProcess("spark", str(tmp_path / "nothing"), 1)
    with pytest.raises(NoBackend, match="cannot be measured: NoBackend"):
        worker.ready()
    worker.close()


def test_a_contender_that_fails_at_a_task_says_so_and_continues(model):
    worker = ContenderProcess("spark", str(model), 1)
    worker.ready()
    with pytest.raises(NoBackend, match="failed at greedy"):
        worker.ask("greedy", [100_000], count=2)
    assert worker.ask("greedy", PROMPT, count=2).tokens == 2
    worker.close()


@pytest.mark.parametrize("name", ["spark", "494M"])
def test_only_plain_llamas_are_compared_with_peers(name):
    with pytest.raises(Misfit, match="plain llama"):
        require_plain(SIZES[name], "peer")


@pytest.mark.parametrize("kind", ["short", "long"])
def test_there_are_sixty_edits_of_each_kind_and_each_changes_something(kind):
    traces = load_traces(kind)
    assert len(traces) >= 60
    assert len({trace.name for trace in traces}) == len(traces)
    assert all(trace.before != trace.after for trace in traces)


def test_a_task_is_the_file_the_wish_and_the_file_as_it_shall_be():
    trace = load_traces("short")[0]
    task = rewrite_task(trace, byte_tokenizer())
    assert byte_tokenizer().decode(task.truth) == trace.after
    assert byte_tokenizer().decode(task.source) == trace.before
    assert task.prompt[: len(task.source)] == task.source
    assert trace.instruction in byte_tokenizer().decode(task.prompt)
    assert len(rewrite_task(trace, byte_tokenizer(), 10).truth) == 10


def test_a_line_that_is_no_trace_is_named(tmp_path):
    (tmp_path / "short.jsonl").write_text(json.dumps({"id": "a"}) + "\n")
    with pytest.raises(MalformedInput, match="line 1 is not a trace"):
        load_traces("short", tmp_path)
    with pytest.raises(MalformedInput, match="cannot be read"):
        load_traces("long", tmp_path)


def test_the_tokenizer_of_the_benches_is_made_once_and_gives_text_back(monkeypatch, tmp_path):
    monkeypatch.setattr("spark_tui.bench.generation.edit_traces._CORPUS_BYTES", 60_000)
    made = bench_tokenizer()
    text = load_traces("short")[0].before
    assert made.decode(made.encode(text)) == text
    assert made.vocab_size <= 8192
    monkeypatch.setattr("spark_tui.bench.generation.edit_traces._train", None)
    assert bench_tokenizer().encode(text) == made.encode(text)


def test_decided_tokens_are_those_that_are_not_copied_from_the_file() -> None:
    source = tuple(range(100))
    same = RewriteTask("same", (), source, source)
    one = RewriteTask("one", (), (*source[:40], 500, 501, *source[40:]), source)
    moved = RewriteTask("two", (), (*source[:20], 500, *source[20:60], 501, 502, *source[60:]), source)
    new = RewriteTask("new", (), tuple(range(200, 260)), source)
    assert [decided_tokens(task) for task in (same, one, moved, new)] == [0, 2, 3, 60]
