"""The far side of `spark bench ui`: the real workbench over a real session, measured from within.

`python -m spark_tui.bench.screen.workbench KIND FOLDER RATE SECONDS [MODEL]`; each kind is one question.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from spark_tui.backends.base import Backend, Request
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.backends.local.spark_format import SparkFormat
from spark_tui.bench.screen import scripted_model
from spark_tui.bench.screen.scripted_model import ScriptedModel
from spark_tui.config.settings import Settings
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.constraints import ForcedText
from spark_tui.errors import ExitCode, NoBackend, SparkError
from spark_tui.events import Event, Token
from spark_tui.session.session import Session
from spark_tui.tui import garbage_collection
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.workbench import Workbench
from spark_tui.tui.settings.startup import Startup
from spark_tui.tui.turns.touched import Touched
from spark_tui.tui.turns.transcript_lines import TranscriptLine

LINES_A_FUNCTION = 6
"""Of `conversation.long_file`."""


def write_edits(backend: Backend) -> None:
    """From now on. A model of another family answers as it comes."""
    if not isinstance(backend, LocalBackend) or not isinstance(backend.dialect, SparkFormat):
        return
    dialect, ask = backend.dialect, backend.dialect.ask

    def forced(request: Request) -> EncodedRequest:
        asked = ask(request)
        if request.kind == "edit":
            asked.constraint = ForcedText(_answer(dialect, request.files[0].text.split("\n")))
            asked.gate = None
        return asked

    dialect.ask = forced  # type: ignore[method-assign]


def _answer(dialect: SparkFormat, lines: Sequence[str]) -> tuple[int, ...]:
    """Each function gets a docstring and a new name for its result."""
    ids: list[int] = []
    for at in range(0, len(lines) - LINES_A_FUNCTION, LINES_A_FUNCTION):
        new = [line.replace("area", "size") for line in lines[at + 1 : at + 4]]
        hunk = token_layout.WindowHunk(at + 1, at + 4, ('    """How large it is, seen from above."""', *new))
        ids += token_layout.encode_hunk(dialect.encode, hunk)
    return (*ids, token_layout.EOS)


PROBE_SECONDS = 0.005
LOOK_SECONDS = 0.05
"""Between two looks whether a turn has ended, where the loop is not probed: each wakes it beside the
engine."""
ROUNDS = 8
"""As many in one order as in the other: who comes second finds more of it read. One more goes before them."""
ANSWER_TOKENS = 700
LEAST_TOKENS = 1000
"""Fewer are written within two or three frames, and would measure how a turn begins."""
EVERYWHERE = "rename area to size everywhere"
"""Named in every window of the file: a model that reads a window at a time is asked about one after the
other."""
FOUND = "found.json"


class MeasuredApp(SparkApp):
    """The app, and a task in its loop that measures."""

    def __init__(self, folder: Path, backend: Backend, settings: Settings) -> None:
        self.folder, self.settings_of_bench, self.backend = folder, settings, backend
        super().__init__(Startup(folder / "tree", settings, self._open))

    def _open(self) -> Session:
        session = self.session("state")
        garbage_collection.resume_collection()
        return session

    def session(self, state: str) -> Session:
        return Session(self.folder / "tree", self.backend, self.settings_of_bench, self.folder / state)

    def on_mount(self) -> None:
        super().on_mount()
        self._task = asyncio.get_running_loop().create_task(self._measured())

    async def _measured(self) -> None:
        while self.workbench is None or self.workbench.controller.opening:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        try:
            found = await self.measure(self.workbench)
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        (self.folder / FOUND).write_text(json.dumps(found), encoding="utf-8")
        self.exit(0)

    async def measure(self, bench: Workbench) -> dict[str, Any]:
        raise NotImplementedError

    async def turn(self, bench: Workbench, late: list[float] | None = None, say: str = "write") -> None:
        """Say something, and wait until the answer has ended; how late the loop comes meanwhile goes into
        `late`."""
        bench.controller.submit(say)
        while bench.controller.running:
            begin = time.perf_counter()
            await asyncio.sleep(LOOK_SECONDS if late is None else PROBE_SECONDS)
            if late is not None:
                late.append(time.perf_counter() - begin - PROBE_SECONDS)


class StreamsEdits(MeasuredApp):
    """Edits at a rate: how late the loop is, and when each line was written."""

    backend: ScriptedModel

    async def measure(self, bench: Workbench) -> dict[str, Any]:
        late: list[float] = []
        cpu = time.process_time()
        await self.turn(bench, late)
        writer = self.backend
        busy = (time.process_time() - cpu) / writer.took
        return {"late": late, "written": writer.written, "rate": writer.count / writer.took, "cpu": busy}


class StreamsProse(MeasuredApp):
    """Processor time per token while prose streams at a fixed rate after that many lines of earlier prose."""

    lines = 0
    backend: ScriptedModel

    async def measure(self, bench: Workbench) -> dict[str, Any]:
        turn_state = bench.controller.turn_state
        turn_state.lines += [
            TranscriptLine("note" if number % 2 else "you", f"line {number} of what was said")
            for number in range(self.lines)
        ]
        bench._changed(Touched(transcript=True))
        await asyncio.sleep(1.0)
        cpu = time.process_time()
        await self.turn(bench)
        return {"cpu": (time.process_time() - cpu) / self.backend.count, "lines": len(turn_state.lines)}


class ReplacesManyLines(MeasuredApp):
    """One hunk of many lines; then the person looks at the plain diff, until this is ended from outside."""

    async def measure(self, bench: Workbench) -> dict[str, Any]:
        await self.turn(bench)
        (self.folder / "ready").touch()
        await asyncio.sleep(60)
        return {}


class LocalModel(MeasuredApp):
    """A local model with and without the screen, alternating, each in its own session."""

    async def measure(self, bench: Workbench) -> dict[str, Any]:
        times: list[float] = []
        plain = self.session("state-headless")
        inner = self.backend.stream

        def timed(request: Any, stop: threading.Event) -> Iterator[Event]:
            for event in inner(request, stop):
                if isinstance(event, Token):
                    times.append(time.perf_counter())
                yield event

        self.backend.stream = timed  # type: ignore[method-assign]

        def headless() -> None:
            for _ in plain.turn(EVERYWHERE, in_view="big.py", stop=threading.Event()):
                pass

        async def rate(run: Callable[[], Any]) -> float:
            times.clear()
            await run()
            if len(times) < LEAST_TOKENS:
                raise NoBackend(
                    f"the model wrote {len(times)} tokens; fewer than {LEAST_TOKENS} say nothing of its speed"
                )
            return (len(times) - 1) / (times[-1] - times[0])

        found: dict[str, list[float]] = {"headless": [], "attached": []}
        bench.controller.in_view = "big.py"
        for number in range(ROUNDS + 1):
            ways = [
                ("headless", lambda: asyncio.to_thread(headless)),
                ("attached", lambda: self.turn(bench, say=EVERYWHERE)),
            ]
            for name, run in ways[:: -1 if number % 2 else 1]:
                found[name].append(await rate(run))
        # The first round reads the file; the others find it warm.
        return {name: rates[1:] for name, rates in found.items()} | {
            "tokens": len(times),
            "model": self.backend.name,
        }


def main(kind: str, folder: Path, rate: float, seconds: float, model: str = "") -> None:
    settings = Settings()
    app: MeasuredApp
    if kind == "stream":
        lines = int(rate * seconds / len(scripted_model.PIECES))
        app = StreamsEdits(folder, ScriptedModel(scripted_model.edits(lines), rate), settings)
    elif kind.startswith("said-"):
        lines = int(rate * seconds / len(scripted_model.WORDS))
        app = StreamsProse(folder, ScriptedModel(scripted_model.prose(lines), rate), settings)
        app.lines = int(kind.removeprefix("said-"))
    elif kind == "diff":
        app = ReplacesManyLines(folder, ScriptedModel(scripted_model.replacement(int(rate)), 0.0), settings)
    else:
        from spark_tui.bench.sessions.conversation import backend_for

        backend = backend_for(model)
        write_edits(backend)
        app = LocalModel(folder, backend, Settings(max_tokens=ANSWER_TOKENS, exact=False))
    app.run()


def _end_with_the_terminal() -> None:
    """However the bench ended."""
    while os.isatty(0):
        time.sleep(1.0)
    os._exit(int(ExitCode.NO_PLACE))


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_terminal, daemon=True).start()
    try:
        main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), *sys.argv[5:])
    except SparkError as error:
        (Path(sys.argv[2]) / FOUND).write_text(json.dumps({"error": str(error)}), encoding="utf-8")
