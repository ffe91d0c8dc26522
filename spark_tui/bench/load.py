"""`spark bench load`: one server, 1 to 64 clients at once.

How many tokens a second come out in all, how long each client waits for its first token and between two
passes of its own, how even the clients fare, and what a client past the bound of the queue is told. Every
client is a thread here with one lasting connection; the server and its engine are one process, as in
`spark serve`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.processes import child
from spark_tui.bench.measuring.reporting import Report, Spread, percentile, rounded_percentile
from spark_tui.bench.measuring.roofline_share import COLUMN, arch_of, share_of
from spark_tui.config.extras import check_installed
from spark_tui.errors import NoBackend
from spark_tui.events import Token

CLIENTS = (1, 2, 4, 8, 16, 32, 64)
BAR_CLIENTS = 16
TOTAL_RATIO, FAIRNESS, GAP_RATIO = 1.5, 0.8, 5.0
_TOKENS = 64
_CONTEXT = 512
"""About what stands before a token of these turns."""
_CROWD = 12
_CROWD_SECONDS = 10.0
_READY_SECONDS = 120.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default="12M", metavar="SIZE|DIR", help="default: 12M")


@dataclass(slots=True)
class ClientResults:
    tokens: int = 0
    firsts: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    """Between two passes of its own: tokens that came together came of one pass."""


@dataclass(slots=True)
class LoadRound:
    """One number of clients for some seconds."""

    clients: list[ClientResults]
    seconds: float

    @property
    def rate(self) -> float:
        return sum(client.tokens for client in self.clients) / self.seconds

    @property
    def fairness(self) -> float:
        counts = [client.tokens for client in self.clients]
        return min(counts) / max(counts) if max(counts) else 0.0

    def all(self, name: str) -> list[float]:
        return [value for client in self.clients for value in getattr(client, name)]


def measure(args: argparse.Namespace) -> Report:
    """Joining is off in its server, so that clients see every pass by itself."""
    check_installed("serve")
    report = Report("load")
    seconds, repeats = (3.0, 2) if args.quick else (8.0, 5)
    limits = {"active": max(CLIENTS), "queued": 4096, "connections": 4096, "join_seconds": 0.0}
    found: dict[int, list[LoadRound]] = {count: [] for count in CLIENTS}
    with child(
        "spark_tui.bench.server.serve_worker", json.dumps({"model": args.model, "limits": limits})
    ) as server:
        url = f"http://127.0.0.1:{server.said[0]}/v1"
        _drive(url, 1, 1.0)
        for _, count in itertools.product(range(repeats), CLIENTS):
            found[count].append(_drive(url, count, seconds))
    for count, rounds in found.items():
        row = _row(count, rounds)
        rate = row["tokens/s"]["median"]
        row[f"{COLUMN}, without drafts"] = (
            share_of(arch_of(args.model), count / rate, count, _CONTEXT) if rate else None
        )
        report.rows.append(row)
    report.bars += bars(found)
    report.rows.append(_past_the_bound())
    return report


def bars(found: dict[int, list[LoadRound]]) -> list[Bar]:
    many, one = found[BAR_CLIENTS], found[1]
    pairs = [a.rate / b.rate for a, b in zip(many, one, strict=True) if b.rate]
    ratio = Spread.of(pairs).median if pairs else None
    fairness = Spread.of([round_.fairness for round_ in many]).median
    gaps = [gap for round_ in many for gap in round_.all("gaps")]
    spread = percentile(gaps, 99) / percentile(gaps, 50) if gaps else None
    gap_name = f"gap between a client's passes, {BAR_CLIENTS} clients, p99 ÷ median"
    return [
        Bar(f"tokens a second, {BAR_CLIENTS} clients ÷ one", _rounded(ratio), TOTAL_RATIO),
        Bar(f"fairness of {BAR_CLIENTS} clients (slowest ÷ fastest)", _rounded(fairness), FAIRNESS),
        at_most(gap_name, _rounded(spread), GAP_RATIO),
    ]


def _past_the_bound() -> dict[str, object]:
    """A small server, more clients than it takes: how many are refused, and what the others wait."""
    limits = {"active": 2, "queued": 4}
    with child(
        "spark_tui.bench.server.serve_worker", json.dumps({"model": "metronome:0.01", "limits": limits})
    ) as server:
        url = f"http://127.0.0.1:{server.said[0]}/v1"
        told: list[str] = []
        waited: list[float] = []
        all_connected = threading.Event()

        def one(number: int) -> None:
            backend = RemoteBackend(url, key="", retries=RetryLimits(attempts=1))
            began = time.perf_counter()
            try:
                for event in backend.stream(Request(f"client {number}", max_tokens=2000), threading.Event()):
                    if isinstance(event, Token):
                        waited.append(time.perf_counter() - began)
                        # No client leaves before the last one has connected; otherwise a slow machine
                        # never reaches the limit.
                        all_connected.wait(_CROWD_SECONDS)
                        break
            except NoBackend as error:
                told.append(error.what)
                if len(told) >= _CROWD - sum(limits.values()):
                    all_connected.set()
            backend.close()

        with ThreadPoolExecutor(_CROWD) as pool:
            list(pool.map(one, range(_CROWD)))
    first = Spread.of([1e3 * value for value in waited]).as_dict(1) if waited else None
    return {"what": f"{_CROWD} clients, 2 run, 4 wait", "first token ms": first, "refused": len(told)}


def _drive(url: str, count: int, seconds: float) -> LoadRound:
    """This many clients, each asking again as soon as it was answered, until the time is over."""
    seen = [ClientResults() for _ in range(count)]
    stop = threading.Event()
    ready = threading.Barrier(count + 1)
    threads = [threading.Thread(target=_client, args=(url, n, seen[n], ready, stop)) for n in range(count)]
    for thread in threads:
        thread.start()
    ready.wait(_READY_SECONDS)
    began = time.perf_counter()
    time.sleep(seconds)
    # On a slow machine a turn takes longer than that: wait until every client had one.
    while min(client.tokens for client in seen) < _TOKENS and time.perf_counter() - began < 2.5 * seconds:
        time.sleep(0.05)
    stop.set()
    spent = time.perf_counter() - began
    for thread in threads:
        thread.join()
    return LoadRound(seen, spent)


def _client(
    url: str, number: int, seen: ClientResults, ready: threading.Barrier, stop: threading.Event
) -> None:
    backend = RemoteBackend(url, key="")
    backend.warm_up()
    body = "".join(f"def part_{number}_{line}(width):\n    return width * {line}\n\n" for line in range(12))
    file = FilePart(f"part_{number}.py", body, 1, 36)
    list(backend.stream(Request("", files=(file,), kind="warm"), threading.Event()))
    ready.wait(_READY_SECONDS)
    for turn in itertools.count():
        if stop.is_set():
            break
        asked, last = time.perf_counter(), 0.0
        request = Request(f"rename width to w{turn} in part {number}", files=(file,), max_tokens=_TOKENS)
        for event in backend.stream(request, stop):
            if isinstance(event, Token):
                now = time.perf_counter()
                seen.tokens += 1
                if not last:
                    seen.firsts.append(now - asked)
                elif now - last > 2e-4:
                    seen.gaps.append(now - last)
                last = now
    backend.close()


def _row(count: int, rounds: list[LoadRound]) -> dict[str, Any]:
    firsts = [1e3 * value for round_ in rounds for value in round_.all("firsts")]
    gaps = [1e3 * value for round_ in rounds for value in round_.all("gaps")]
    row: dict[str, Any] = {
        "what": f"{count} clients" if count > 1 else "1 client",
        "tokens/s": Spread.of([round_.rate for round_ in rounds]).as_dict(1),
        "fairness": Spread.of([round_.fairness for round_ in rounds]).as_dict(3),
    }
    for name, values in (("first token ms", firsts), ("gap ms", gaps)):
        for percent in (50, 95, 99):
            row[f"{name} p{percent}"] = rounded_percentile(values, percent, 2)
    return row


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
