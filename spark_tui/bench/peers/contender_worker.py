"""One contender in a process of its own, asked over pipes: one JSON object a line each way.

The parent sets the thread counts in the environment before any library is loaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from spark_tui.bench.generation.times import GenerationTimes
from spark_tui.bench.measuring.processes import THREAD_VARIABLES
from spark_tui.bench.peers.contenders import OURS, OURS_FAST, build
from spark_tui.errors import NoBackend


class ContenderProcess:
    """A contender that loads beside others; `ready` says, as `NoBackend`, why one cannot."""

    def __init__(self, name: str, place: str, threads: int) -> None:
        self.name = name
        environment = {key: value for key, value in os.environ.items() if key not in THREAD_VARIABLES}
        if name not in (OURS, OURS_FAST):
            # Ours is left as it runs everywhere: it chooses its threads itself.
            environment.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "spark_tui.bench.peers.contender_worker", name, place, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )

    def ready(self) -> None:
        """Wait until it is loaded."""
        reply = self._reply()
        if "error" in reply:
            self.close()
            raise NoBackend(f"{self.name} cannot be measured: {reply['error']}")

    def ask(self, what: str, *ids: Sequence[int], count: int = 0) -> GenerationTimes:
        """`greedy` (prompt, count), `prefill` (prompt) or `edit` (prompt, truth, source)."""
        assert self._process.stdin is not None
        message = {"what": what, "ids": [list(part) for part in ids], "count": count}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        reply = self._reply()
        if "error" in reply:
            raise NoBackend(f"{self.name} failed at {what}: {reply['error']}")
        reply["text"] = tuple(reply["text"])
        return GenerationTimes(**reply)

    def _reply(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                reply: dict[str, Any] = json.loads(line)
                return reply
        return {"error": "the process ended"}

    def close(self) -> None:
        """End the process. Safe to call twice."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def serve(name: str, place: str, threads: int) -> None:
    """The other end: build the contender, then answer until stdin ends."""
    # Output of libraries goes to stderr, which is not parsed.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def reply(value: dict[str, Any]) -> None:
        replies.write(json.dumps(value) + "\n")
        replies.flush()

    try:
        contender = build(name, place, threads)
        reply({"ready": True})
    except Exception as error:  # whatever a peer raises is a reason not to measure it
        reply({"error": f"{type(error).__name__}: {error}"})
        return
    for line in sys.stdin:
        message = json.loads(line)
        try:
            count = (message["count"],) if message["what"] == "greedy" else ()
            took = getattr(contender, message["what"])(*message["ids"], *count)
            reply(asdict(took))
        except Exception as error:
            reply({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]))
