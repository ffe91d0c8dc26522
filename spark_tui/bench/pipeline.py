"""`spark bench pipeline`: a lasting connection against one request a turn, side by side in one run.

Three questions. What does the software cost a round trip and a token (CPU seconds of client and server
together; the model is a metronome that sleeps, so none of it is the engine's)? When does the client see
the first token, on turns 1, 2 and 10, at added delays of 0, 20 and 80 ms? How near is that to the least
possible, one round trip and the engine?
"""

from __future__ import annotations

import argparse
import json
import random
import re
import socket
import statistics
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from spark_tui.backends.base import FilePart
from spark_tui.backends.remote.transport import tls_context
from spark_tui.bars import at_most
from spark_tui.bench.measuring.processes import Child, certificate, child
from spark_tui.bench.measuring.reporting import Report, Spread, ratios
from spark_tui.bench.server.pipeline_clients import ARMS, Arm
from spark_tui.config.extras import check_installed

ROUND_TRIP_RATIO, TOKEN_RATIO, FIRST_RATIO, FIRST_OVER_LEAST = 0.20, 0.70, 0.50, 1.05
DELAYS_MS = (0, 20, 80)
TURNS_SHOWN = (1, 2, 10)
_INSTRUCTIONS = (
    "rename the counter to total everywhere",
    "add a docstring to each function",
    "raise ValueError when the width is negative",
    "return early when there is nothing to do",
    "use a list comprehension in the loop",
    "sort the rows by name before they are printed",
    "take the currency sign as a parameter",
    "log how many rows were skipped",
    "move the constant to the top of the file",
    "write the result to the path that is given",
)
_LINES = 120
_SETTLE_SECONDS = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", default="12M", metavar="SIZE|DIR", help="for the first token (default: 12M)"
    )


def measure(args: argparse.Namespace) -> Report:
    check_installed("serve")
    return PipelineBench(args.model, quick=args.quick).report()


class CpuCost(NamedTuple):
    """CPU seconds of one arm's round: a round trip (a turn of one token), and each further token."""

    round_trip: float
    token: float


@dataclass(slots=True)
class FirstTokens:
    """First tokens of one delay: by arm and turn, the wire's own round trip, and what the engine took. Lists
    run over the same conversations; where no text came, 0 stands."""

    round_trip: float
    seconds: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    engine: dict[tuple[str, int], list[float]] = field(default_factory=dict)


class PipelineBench:
    def __init__(self, model: str, *, quick: bool) -> None:
        self._model = model
        self._quick = quick
        self._salt = random.Random(7)

    def report(self) -> Report:
        report = Report("pipeline")
        with tempfile.TemporaryDirectory() as folder:
            made, key = certificate(Path(folder))
            tls = {"certificate": made, "private_key": key}
            self._overhead(
                report, tls, burst=1, rounds=6 if self._quick else 15, tokens=33 if self._quick else 65
            )
            if not self._quick:
                self._overhead(report, tls, burst=4, rounds=8, judged=False)
            self._first_tokens(report, tls)
        report.notes.append(
            "plain: a TLS 1.3 connection a turn, whole history, SSE, one event a token. lasting: one"
            " WebSocket, opened and with the file read before the first prompt. overhead: CPU of client and"
            " server; the model sleeps."
        )
        return report

    # Overhead

    def _overhead(
        self,
        report: Report,
        tls: dict[str, str],
        *,
        burst: int,
        rounds: int,
        turns: int = 10,
        tokens: int = 65,
        judged: bool = True,
    ) -> None:
        asked = {"model": "metronome:0.002", "burst": burst, **tls}
        found: dict[str, list[CpuCost]] = {arm.name: [] for arm in ARMS}
        with child("spark_tui.bench.server.serve_worker", json.dumps(asked)) as server:
            for number in range(rounds):
                for arm in ARMS[:: -1 if number % 2 else 1]:
                    found[arm.name].append(self._cost(arm, server, tls["certificate"], turns, tokens))
        del found["plain"][:1], found["lasting"][:1]
        for what, part in (("round trip", 0), ("token", 1)):
            plain, lasting = ([cost[part] for cost in found[name]] for name in ("plain", "lasting"))
            ratio = ratios(lasting, plain)
            for name, values in (("plain", plain), ("lasting", lasting)):
                spread = Spread.of([1e6 * value for value in values]).as_dict(1)
                report.rows.append(
                    {"what": f"overhead a {what}", "contender": name, "tokens a pass": burst, "µs": spread}
                )
            report.rows.append({"what": f"overhead a {what}", "contender": "ratio", "ratio": ratio.as_dict()})
            if judged:
                target = ROUND_TRIP_RATIO if what == "round trip" else TOKEN_RATIO
                report.bars.append(
                    at_most(f"software overhead a {what}, ÷ plain", round(ratio.median, 4), target)
                )

    def _cost(self, arm: Arm, server: Child, authority: str, turns: int, tokens: int) -> CpuCost:
        """Conversations of two kinds: answers of one token, the middle one of three, and long ones."""
        one = statistics.median(self._conversation_cpu(arm, server, authority, turns, 1) for _ in range(3))
        many = self._conversation_cpu(arm, server, authority, turns, tokens)
        return CpuCost(one / turns, max(many - one, 1e-9) / (turns * (tokens - 1)))

    def _conversation_cpu(self, arm: Arm, server: Child, authority: str, turns: int, tokens: int) -> float:
        """CPU seconds of client and server, less those of the metronome."""
        port = int(server.said[0])
        client = arm(port, authority, self._file())
        client.prepare()
        engine_before = _metric(port, authority, "spark_engine_cpu_seconds_total")
        # What the question for the metric and the preparation leave behind is no part of the turns.
        time.sleep(_SETTLE_SECONDS)
        server_before, own_before = server.cpu_seconds(), time.process_time()
        for number in range(turns):
            client.turn(_INSTRUCTIONS[number % len(_INSTRUCTIONS)], tokens)
        own = time.process_time() - own_before
        time.sleep(_SETTLE_SECONDS)
        spent = own + server.cpu_seconds() - server_before
        client.close()
        return spent - (_metric(port, authority, "spark_engine_cpu_seconds_total") - engine_before)

    # First token

    def _first_tokens(self, report: Report, tls: dict[str, str]) -> None:
        conversations = 2 if self._quick else 9
        last = max(TURNS_SHOWN)
        with child(
            "spark_tui.bench.server.serve_worker", json.dumps({"model": self._model, **tls})
        ) as server:
            port = int(server.said[0])
            for delay in DELAYS_MS:
                with child("spark_tui.bench.server.delay_proxy", str(port), str(delay)) as wire:
                    far, echo = (int(word) for word in wire.said)
                    firsts = FirstTokens(_round_trip_seconds(echo))
                    for number in range(conversations):
                        for arm in ARMS[:: -1 if number % 2 else 1]:
                            self._converse(arm, port, far, tls["certificate"], last, firsts)
                self._judge(report, delay, firsts)

    def _converse(
        self, arm: Arm, port: int, far: int, authority: str, turns: int, firsts: FirstTokens
    ) -> None:
        client = arm(far, authority, self._file())
        client.prepare()
        try:
            for number in range(1, turns + 1):
                before = _engine_first(port, authority)
                first, _ = client.turn(_INSTRUCTIONS[number - 1], 24)
                if number in TURNS_SHOWN:
                    key = (arm.name, number)
                    firsts.seconds.setdefault(key, []).append(first)
                    firsts.engine.setdefault(key, []).append(_engine_first(port, authority) - before)
        finally:
            client.close()

    def _judge(self, report: Report, delay: int, firsts: FirstTokens) -> None:
        over_least: list[float] = []
        by_turn: list[Spread] = []
        for turn in TURNS_SHOWN:
            both = zip(firsts.seconds["plain", turn], firsts.seconds["lasting", turn], strict=True)
            plain, lasting = zip(*((a, b) for a, b in both if a and b), strict=True)
            by_turn.append(ratios(lasting, plain))
            for name, values in (("plain", plain), ("lasting", lasting)):
                row: dict[str, Any] = {"what": f"first token, +{delay} ms", "turn": turn, "contender": name}
                row["ms"] = Spread.of([1e3 * value for value in values]).as_dict(2)
                row["engine ms"] = round(1e3 * statistics.median(firsts.engine[name, turn]), 2)
                report.rows.append(row)
            report.rows.append(
                {
                    "what": f"first token, +{delay} ms",
                    "turn": turn,
                    "contender": "ratio",
                    "ratio": by_turn[-1].as_dict(),
                }
            )
            over_least += [
                seconds / (firsts.round_trip + engine)
                for seconds, engine in zip(
                    firsts.seconds["lasting", turn], firsts.engine["lasting", turn], strict=True
                )
                if seconds
            ]
        if delay:
            worst = max(spread.median for spread in by_turn)
            name = f"first token at +{delay} ms, worst of turns {TURNS_SHOWN}, ÷ plain"
            report.bars.append(at_most(name, round(worst, 4), FIRST_RATIO))
            least = round(statistics.median(over_least), 4)
            report.bars.append(
                at_most(f"first token at +{delay} ms ÷ (round trip + engine)", least, FIRST_OVER_LEAST)
            )

    def _file(self) -> FilePart:
        """A file that no conversation had before, so that neither arm finds it read."""
        mark = self._salt.randrange(10**9)
        body = "".join(
            f"def part_{mark}_{n}(width, rows):\n    return width * {n} + len(rows)\n\n"
            for n in range(_LINES // 3)
        )
        return FilePart(f"src/part_{mark}.py", body, 1, _LINES)


_context = lru_cache(maxsize=1)(tls_context)


def _metric(port: int, authority: str, name: str) -> float:
    """One of the server's counters, read without the delayed connection."""
    with urllib.request.urlopen(f"https://127.0.0.1:{port}/metrics", context=_context(authority)) as answer:
        found = re.search(rf"^{name} (\S+)$", answer.read().decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def _engine_first(port: int, authority: str) -> float:
    """Sum of the engine's times to first token since the server began."""
    return _metric(port, authority, "spark_engine_first_seconds_total")


def _round_trip_seconds(echo_port: int, times: int = 15) -> float:
    """The wire's own round trip, measured through the same delay."""
    found: list[float] = []
    with socket.create_connection(("127.0.0.1", echo_port)) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number in range(times):
            began = time.perf_counter()
            sock.sendall(b"x")
            sock.recv(1)
            if number:
                found.append(time.perf_counter() - began)
    return statistics.median(found)
