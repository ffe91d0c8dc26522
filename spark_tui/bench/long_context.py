"""`spark bench long`: what a context of 1k to 128k tokens costs, in time a token, stops and memory.

The context is not read (that takes minutes) but laid into the cache as random keys and values: a pass
costs the same whatever they say.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.processes import kilobytes, said_by
from spark_tui.bench.measuring.reporting import Report, Spread, paired, percentile, ratios
from spark_tui.bench.measuring.roofline_share import COLUMN, share_of
from spark_tui.bench.measuring.timed_stop import TimedStop
from spark_tui.engine import Engine, load
from spark_tui.engine.cache.page_store import PageStore
from spark_tui.engine.cache.sequence import Sequence as CacheSequence
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.engine.model import BatchJob
from spark_tui.engine.model_sizes import size

CONTEXTS = (1024, 4096, 16_384, 32_768, 65_536)
"""Besides the longest."""
BASE = 4096
"""Decoding is compared with this many keys."""
_READ_TOKENS = 2048
"""The prompt that a stop interrupts."""
LONG = 131_072 - 4096
ROOM_TOKENS = 8192
"""For what is read and written behind the context."""
TIME_MODEL, MEMORY_MODEL = "spark-long", "12M"
TIME_RATIO, MEMORY_GB, OVERHEAD_MB = 2.0, 1.5, 100.0
WEIGHTS_FACTOR = 1.15
PASSES = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The shapes are those of the bars."""


def measure(args: argparse.Namespace, memory: Callable[[str, int], dict[str, float]] | None = None) -> Report:
    report = Report("long")
    engine = load(
        f"random:{TIME_MODEL}", threads=1, cache_bytes=page_bytes(TIME_MODEL, BASE + LONG + ROOM_TOKENS)
    )
    base = filled(engine, BASE)
    lengths = (CONTEXTS[0], BASE, LONG) if args.quick else (*CONTEXTS, LONG)
    ratio = 1.0
    for length in lengths:
        there = filled(engine, length)
        found = token_seconds(engine, {"base": base, "there": there}, rounds=6 if args.quick else 25)
        report.rows.append(row(engine, there, found["there"], found["base"], 8 if args.quick else 40))
        ratio = ratios(found["there"], found["base"]).median
        there.close()
    del engine
    taken = (memory or memory_of)(MEMORY_MODEL, LONG)
    report.rows.append({"model": MEMORY_MODEL, "what": f"memory at {LONG} tokens", **taken})
    report.bars += bars(ratio, taken)
    return report


def bars(ratio: float, taken: dict[str, float]) -> list[Bar]:
    allowed = WEIGHTS_FACTOR * taken["weights MB"] + taken["KV MB"]
    return [
        at_most("decode at 128k keys ÷ at 4k keys, spark family", round(ratio, 3), TIME_RATIO),
        at_most("memory of a 128k context, 12M, GB", round(taken["resident MB"] / 1000, 3), MEMORY_GB),
        at_most("memory over weights × 1.15 + KV, MB", round(taken["resident MB"] - allowed, 1), OVERHEAD_MB),
    ]


def page_bytes(name: str, tokens: int) -> int:
    """What a cache of this many tokens takes."""
    arch = size(name)
    head = -(-arch.head_dim // 16) * 16
    return 2 * 4 * arch.n_layers * arch.n_kv_heads * head * (tokens + PAGE)


def token_seconds(
    engine: Engine, sequences: Mapping[str, CacheSequence], rounds: int
) -> dict[str, list[float]]:
    """Seconds of a one-token pass after each sequence, in turn."""

    def once(sequence: CacheSequence) -> float:
        start = sequence.length
        begun = time.perf_counter()
        for token in range(PASSES):
            engine.model.forward([BatchJob(sequence, [40 + token])])
        seconds = (time.perf_counter() - begun) / PASSES
        sequence.truncate(start)
        return seconds

    contenders = {name: partial(once, sequence) for name, sequence in sequences.items()}
    for contender in contenders.values():
        contender()
    return paired(contenders, rounds=rounds)


def filled(engine: Engine, length: int) -> CacheSequence:
    """A sequence whose first `length` tokens are in the cache, with made-up keys."""
    rng = np.random.default_rng(5)
    pool = engine.pool
    sequence = CacheSequence(pool)
    sequence.reserve(length)
    ids = [(31 * place) % min(4096, engine.arch.vocab_size - 40) + 40 for place in range(length)]
    for layer in range(engine.arch.n_layers):
        for page in sequence.pages:
            pool.keys[layer][page] = rng.standard_normal(pool.keys[layer][page].shape, dtype=np.float32)
            pool.values[layer][page] = rng.standard_normal(pool.values[layer][page].shape, dtype=np.float32)
            if layer in pool.bounds:
                pool.bounds[layer].seal(page, pool.keys[layer][page])
    sequence.tags.extend(ids)
    sequence.ids.extend(ids)
    return sequence


def memory_of(name: str, tokens: int) -> dict[str, float]:
    """Resident memory of a process with this model and context, and the minimum that they need."""
    found: dict[str, float] = said_by("spark_tui.bench.long_context", name, str(tokens))
    return found


def _hold(name: str, tokens: int) -> dict[str, Any]:
    engine = load(f"random:{name}", threads=1, cache_bytes=page_bytes(name, tokens + 4 * PAGE))
    sequence = filled(engine, tokens)
    engine.model.forward([BatchJob(sequence, [41])])
    return {
        "resident MB": round(kilobytes("RssAnon") * 1024 / 1e6, 1),
        "weights MB": round(4 * engine.shape.n_params / 1e6, 1),
        "KV MB": round(len(sequence.pages) * engine.pool.page_bytes / 1e6, 1),
    }


def row(
    engine: Engine, sequence: CacheSequence, seconds: Sequence[float], base: Sequence[float], stops: int
) -> dict[str, Any]:
    """The figures of one context; `seconds` and `base` are those of a token here and at `BASE`, in turn."""
    context = sequence.length
    ms = Spread.of([1000 * value for value in seconds]).as_dict(3)
    return {
        "model": engine.name,
        "context": context,
        "ms a token": ms,
        f"÷ {BASE} keys": round(ratios(seconds, base).median, 3),
        COLUMN: share_of(engine.arch, ms["median"] / 1000, 1, context),
        "KV MB": round(len(sequence.pages) * engine.pool.page_bytes / 1e6, 1),
        "stop p95 ms": round(1000 * percentile(stop_seconds(engine, sequence, stops), 95), 1),
        **at_rest(engine, sequence),
    }


def stop_seconds(engine: Engine, sequence: CacheSequence, count: int) -> list[float]:
    """Seconds from a stop to the end of the stream, at random moments: half of them while a prompt after the
    context is read, half while an answer is written."""
    pick, found, context = random.Random(7), [], sequence.length
    cache = engine.new_cache()
    cache._sequence = sequence.fork()
    for number in range(count):
        read = _READ_TOKENS if number % 2 else 1
        asked = list(sequence.ids[:context])
        asked += [sequence.ids[place % context] for place in range(number, number + read)]
        stop = TimedStop(pick.uniform(0.01, 0.2))
        stop.start()
        for _ in engine.generate(asked, 100_000, stop=stop.flag, cache=cache, ends=()):
            pass
        found.append(stop.honoured())
        cache.rollback(context)
    cache.drop()
    return found


def at_rest(engine: Engine, sequence: CacheSequence) -> dict[str, Any]:
    """Writing every page of the context to a file, and reading it back into the same place."""
    pool = engine.pool
    layers = range(engine.arch.n_layers)
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as folder:
        store = PageStore(Path(folder), engine.arch, pool.head, "bench", max_bytes=1 << 30)
        names = [number.to_bytes(16) for number in range(1, len(sequence.pages) + 1)]
        begun = time.perf_counter()
        for name, page in zip(names, sequence.pages, strict=True):
            keys, values = ([item[layer][page] for layer in layers] for item in (pool.keys, pool.values))
            store.save(name, bytes(16), tuple(range(PAGE)), keys, values)
        written = time.perf_counter()
        for name, page in zip(names, sequence.pages, strict=True):
            keys, values = ([item[layer][page] for layer in layers] for item in (pool.keys, pool.values))
            if store.load(name, keys, values) is None:
                raise RuntimeError("a page was not found again")
        read, size = time.perf_counter(), store.slot_bytes * len(names)
        store.close()
    return {
        "at rest MB": round(size / 1e6, 1),
        "written, s": round(written - begun, 3),
        "read back, s": round(read - written, 3),
    }


if __name__ == "__main__":
    print(json.dumps(_hold(sys.argv[1], int(sys.argv[2]))))
