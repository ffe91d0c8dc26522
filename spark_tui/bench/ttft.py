"""`spark bench ttft`: how long until the first token, and how soon a stop is honoured.

Warm: the file is read already, the instruction is not. Cold: nothing is. Stop: at a random moment of a
prompt's reading or of an answer's writing. In a session: from Enter, the message typed for a second or sent
at once.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as StopFlag

from spark_tui.backends.local.backend import LocalBackend
from spark_tui.bars import Bar, at_most
from spark_tui.bench.generation.edit_traces import RewriteTask, bench_tokenizer, load_traces, rewrite_task
from spark_tui.bench.measuring.model_argument import add_model, place_of
from spark_tui.bench.measuring.reporting import Report, Spread, percentile
from spark_tui.bench.measuring.roofline_share import COLUMN, share_of
from spark_tui.bench.measuring.timed_stop import TimedStop
from spark_tui.bench.peers.contenders import OURS, OURS_FAST
from spark_tui.bench.server.serve_worker import backend_of
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.engine import Cache, Engine, load
from spark_tui.engine.kernels.int8_products import available
from spark_tui.events import Token
from spark_tui.session.session import Session

BAR_MODEL = "12M"
WARM_P95_MS, COLD_P95_MS, STOP_P99_MS = 25.0, 100.0, 20.0
COLD_TOKENS = 1000
TYPED_SECONDS = 1.0
LONG_PROMPT = 3000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser, default=BAR_MODEL)


def measure(args: argparse.Namespace, engine: Engine | None = None) -> Report:
    report = Report("ttft")
    given = engine is not None
    others = {} if given else _others(args.model)
    engine = engine or _loaded(args.model)
    tokenizer = bench_tokenizer()
    every = [rewrite_task(trace, tokenizer) for trace in load_traces("short")]
    tasks = every[::4] if args.quick else every
    runs = 40 if args.quick else 200
    runs_cold = 12 if args.quick else 60
    found = {
        "warm file": [seconds * 1000 for seconds in warm(engine, tasks)],
        f"cold, {COLD_TOKENS} tokens": [seconds * 1000 for seconds in cold(engine, every, runs_cold)],
        "stop": [seconds * 1000 for seconds in stops(engine, every, runs)],
    }
    for what, values in found.items():
        row = _row(args.model, OURS, what, values)
        if what.startswith("cold"):
            row[COLUMN] = share_of(engine.arch, percentile(values, 50) / 1000, COLD_TOKENS, logits=1)
        report.rows.append(row)
    for name, other in others.items():
        values = [seconds * 1000 for seconds in cold(other, every, runs_cold)]
        report.rows.append(_row(args.model, name, f"cold, {COLD_TOKENS} tokens", values))
    if args.model == BAR_MODEL:
        report.bars += bars(found["warm file"], found[f"cold, {COLD_TOKENS} tokens"], found["stop"])
    if not given:
        _in_sessions(args, report, max(6, runs_cold // 3))
    return report


def _in_sessions(args: argparse.Namespace, report: Report, runs: int) -> None:
    """What a person waits for whose file was not read before the first key."""
    backend = backend_of(str(place_of(args.model) or args.model), alone=True)
    assert isinstance(backend, LocalBackend) and backend.engine.tokenizer is not None
    tokenizer = backend.engine.tokenizer
    ids = tokenizer.encode("\n".join(trace.before for trace in load_traces("short")))
    size = len(ids) // (2 * runs)
    texts = [tokenizer.decode(ids[at : at + COLD_TOKENS]) for at in range(0, 2 * runs * size, size)]
    for what, seconds, part in (("typed for a second", TYPED_SECONDS, 0), ("sent at once", 0.0, 1)):
        values = [taken * 1000 for taken in first_tokens(backend.engine, texts[part::2], seconds)]
        report.rows.append(_row(args.model, OURS, f"in a session, {COLD_TOKENS} tokens, {what}", values))
        if args.model == BAR_MODEL and seconds:
            report.bars.append(_typed_bar(values))
    backend.close()


def _typed_bar(values: Sequence[float]) -> Bar:
    name = "first token, cold 1,000-token file, message typed for a second, 12M, p95 ms"
    return at_most(name, round(percentile(values, 95), 2), COLD_P95_MS)


def _loaded(model: str, threads: int = 0) -> Engine:
    """As the program loads it: with a helper thread where that pays."""
    return load(place_of(model) or f"random:{model}", threads=threads)


def _others(model: str) -> dict[str, Engine]:
    """Other ways to run it."""
    found = {f"{OURS}, one thread": _loaded(model, threads=1)}
    if available():
        found[OURS_FAST] = _loaded(model)
        found[OURS_FAST].accelerate(wait=True)
    return found


def _row(model: str, contender: str, what: str, values: Sequence[float]) -> dict[str, object]:
    return {
        "model": model,
        "contender": contender,
        "what": what,
        "ms": Spread.of(values).as_dict(2),
        "p95": round(percentile(values, 95), 2),
        "p99": round(percentile(values, 99), 2),
        "runs": len(values),
    }


def bars(warm_ms: Sequence[float], cold_ms: Sequence[float], stop_ms: Sequence[float]) -> list[Bar]:
    return [
        at_most("first token, file warm, 12M, p95 ms", round(percentile(warm_ms, 95), 2), WARM_P95_MS),
        at_most(
            "first token, cold 1,000-token file, 12M, p95 ms", round(percentile(cold_ms, 95), 2), COLD_P95_MS
        ),
        at_most("stop honoured, 12M, p99 ms", round(percentile(stop_ms, 99), 2), STOP_P99_MS),
    ]


def warm(engine: Engine, tasks: Sequence[RewriteTask]) -> list[float]:
    """The file is in the cache; what is timed reads the instruction and gives one token."""
    found = []
    for task in tasks:
        cache = engine.new_cache()
        engine.warm(task.source, cache)
        found.append(_first_token(engine, task.prompt, cache))
        _forget(cache)
    return found


def cold(engine: Engine, tasks: Sequence[RewriteTask], runs: int) -> list[float]:
    """Prompts of exactly `COLD_TOKENS`, no two with the same beginning."""
    ids = [token for task in tasks for token in task.source]
    found = []
    for number in range(runs):
        start = (number * 997) % (len(ids) - COLD_TOKENS)
        cache = engine.new_cache()
        found.append(_first_token(engine, ids[start : start + COLD_TOKENS], cache))
        _forget(cache)
    return found


def stops(engine: Engine, tasks: Sequence[RewriteTask], runs: int) -> list[float]:
    """Seconds from the flag to the end of the stream, at moments drawn at random: half of them while
    reading."""
    ids = [token for task in tasks for token in task.source]
    pick = random.Random(7)
    begin = engine.new_cache()
    seconds = _first_token(engine, ids[:LONG_PROMPT], begin)
    _forget(begin)
    found = []
    for number in range(runs):
        reading = number % 2 == 0
        prompt = ids[number : number + (LONG_PROMPT if reading else 64)]
        delay = pick.uniform(0.05, 0.9) * (seconds if reading else 0.2)
        found.append(_stop_after(engine, prompt, delay))
    return found


def _stop_after(engine: Engine, prompt: Sequence[int], delay: float) -> float:
    stop, cache = TimedStop(delay), engine.new_cache()
    stop.start()
    for _ in engine.generate(prompt, 100_000, stop=stop.flag, cache=cache, ends=()):
        pass
    seconds = stop.honoured()
    _forget(cache)
    return seconds


def _first_token(engine: Engine, prompt: Sequence[int], cache: Cache) -> float:
    begun = time.perf_counter()
    next(iter(engine.generate(prompt, 1, cache=cache, ends=())))
    return time.perf_counter() - begun


def _forget(cache: Cache) -> None:
    """Nothing stays warm for the next run."""
    cache.rollback(0)
    cache.close()


_MESSAGE = "return early where the list is empty"
_FILE = "module.py"


def first_tokens(engine: Engine, texts: Iterable[str], typed_seconds: float) -> list[float]:
    """Seconds from Enter to the first token, of one session for each text of a file. No two files may begin
    alike: the engine keeps what it has read."""
    found = []
    with TemporaryDirectory(prefix="spark-bench-") as scratch:
        for number, text in enumerate(texts):
            root = Path(scratch) / str(number)
            root.mkdir()
            (root / _FILE).write_text(text, encoding="utf-8")
            settings = Settings(exact=False, max_tokens=1)
            state = Path(scratch) / "state" / str(number)
            with closing(Session(root, LocalBackend(engine), settings, state)) as session:
                if typed_seconds:
                    _type(session, typed_seconds)
                found.append(_session_first_token(session))
    return found


def _type(session: Session, seconds: float) -> None:
    for end in range(1, len(_MESSAGE) + 1):
        session.warmer.drafts.draft(ContextRequest(_MESSAGE[:end], _FILE))
        time.sleep(seconds / len(_MESSAGE))


def _session_first_token(session: Session) -> float:
    begun, found = time.perf_counter(), 0.0
    for event in session.turn(_MESSAGE, in_view=_FILE, stop=StopFlag()):
        if isinstance(event, Token):
            found = found or time.perf_counter() - begun
    return found or time.perf_counter() - begun
