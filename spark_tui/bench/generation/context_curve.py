"""What a growing context costs, from 1,000 to 128,000 tokens: a token, a stop, memory, and pages at rest."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spark_tui.bench.measuring.reporting import Spread, percentile, ratios
from spark_tui.bench.measuring.roofline_share import COLUMN, share_of
from spark_tui.engine import Engine
from spark_tui.engine.cache.page_store import PageStore
from spark_tui.engine.cache.sequence import Sequence as CacheSequence
from spark_tui.engine.kernels.attention import PAGE

CONTEXTS = (1024, 4096, 16_384, 32_768, 65_536)
"""Besides the longest."""
BASE = 4096
"""Decoding is compared with this many keys."""
_READ_TOKENS = 2048
"""The prompt that a stop interrupts."""


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
    """Seconds from a stop to the end of the stream, at random moments: half of them while a prompt behind the
    context is read, half while an answer is written."""
    pick, found, context = random.Random(7), [], sequence.length
    cache = engine.new_cache()
    cache._sequence = sequence.fork()
    for number in range(count):
        read = _READ_TOKENS if number % 2 else 1
        asked = list(sequence.ids[:context])
        asked += [sequence.ids[place % context] for place in range(number, number + read)]
        stop, set_at = threading.Event(), [0.0]

        def end(stop: threading.Event = stop, set_at: list[float] = set_at) -> None:
            set_at[0] = time.perf_counter()
            stop.set()

        timer = threading.Timer(pick.uniform(0.01, 0.2), end)
        timer.start()
        for _ in engine.generate(asked, 100_000, stop=stop, cache=cache, ends=()):
            pass
        found.append(max(0.0, time.perf_counter() - set_at[0]) if set_at[0] else 0.0)
        timer.join()
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
