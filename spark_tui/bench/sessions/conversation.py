"""What the benches of a conversation share: a session in a scratch tree, models to talk to, and runs of a
turn.
"""

from __future__ import annotations

import difflib
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from spark_tui.backends.base import Backend, Request
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.bench.generation.edit_traces import bench_tokenizer
from spark_tui.bench.measuring.model_argument import BUILT_IN, place_of
from spark_tui.config.settings import Settings
from spark_tui.engine import Engine, load
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.events import Event, Interrupted, PrefillProgress, Token
from spark_tui.session.session import Session


def backend_for(name: str) -> Backend:
    """A built-in model by its name or as `built-in`, a size with random weights (`spark`, `135M`), or a
    folder. Raises NoBackend where none is built in."""
    if (place := place_of(name)) is not None or name == BUILT_IN:
        return LocalBackend.open(place or name)
    plain: Engine = load(f"random:{name}", threads=1)
    plain.tokenizer = _spark_tokenizer() if plain.arch.family == "spark" else bench_tokenizer()
    return LocalBackend(plain, {"gate": {"cannot": 1.0, "doubt": 0.0}}, name=f"random {name}")


def forget(backend: Backend) -> None:
    """Nothing of another run stays warm."""
    caches = getattr(backend, "caches", None)
    if caches is not None:
        caches.forget()


def _spark_tokenizer() -> Tokenizer:
    """The layout's fixed ids, and a vocabulary of the text that the benches edit."""
    from spark_tui.engine.text.bpe_trainer import train

    return Tokenizer(train(long_file(3000).split("\n")))


@contextmanager
def session_on(
    files: dict[str, str], backend: Backend, *, max_tokens: int = 400, exact: bool = False
) -> Iterator[Session]:
    """A session over a scratch tree with these files. The backend stays open. Unless `exact`, the model
    writes all edits itself: it is what is measured."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as home:
        root = Path(home) / "tree"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        close, backend.close = backend.close, lambda: None  # type: ignore[method-assign]
        session = Session(root, backend, Settings(max_tokens=max_tokens, exact=exact), Path(home) / "state")
        try:
            yield session
        finally:
            session.close()
            backend.close = close  # type: ignore[method-assign]


@contextmanager
def answering(backend: Backend, given: tuple[str, str, str] | None) -> Iterator[None]:
    """Inside, a model answers with one edit: of this path, from this text to that. It can be stopped and
    resumed. None: its own answers."""
    if given is None:
        yield
        return
    path, was, wanted = given
    hunks = changes(was, wanted)
    stream = backend.stream

    def scripted_stream(request: Request, stop: threading.Event) -> Iterator[Event]:
        part = request.files[0] if request.kind == "edit" and request.files else None
        if part is None or part.path != path:
            return stream(request, stop)
        # The model is shown a window of a longer file, and would write no more than what changes there.
        whole = replace(part, text=was, first_line=1)
        return stream(replace(request, files=(whole, *request.files[1:]), known=hunks), stop)

    backend.stream = scripted_stream  # type: ignore[method-assign]
    try:
        yield
    finally:
        backend.stream = stream  # type: ignore[method-assign]


def changes(was: str, wanted: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Lines from the first up to the second, counted from 1, and what they become."""
    old, new = was.splitlines(), wanted.splitlines()
    found = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple((a + 1, b + 1, tuple(new[c:d])) for what, a, b, c, d in found if what != "equal")


@dataclass(slots=True)
class TimedLeg:
    """The events of one leg, each with its arrival time in seconds since the request."""

    events: list[Event] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    stopped: float = 0.0
    """When the stop was set; 0: it was not."""

    @property
    def text(self) -> str:
        return "".join(e.text for e in self.events if isinstance(e, Token))

    @property
    def tokens(self) -> int:
        return sum(isinstance(e, Token) for e in self.events)

    @property
    def first_token(self) -> float | None:
        found = (t for e, t in zip(self.events, self.times, strict=True) if isinstance(e, Token))
        return next(found, None)

    @property
    def prefill(self) -> PrefillProgress | None:
        """The last report of reading."""
        return next((e for e in reversed(self.events) if isinstance(e, PrefillProgress)), None)

    @property
    def read_by(self) -> float:
        """When the prompt had been read."""
        found = [t for e, t in zip(self.events, self.times, strict=True) if isinstance(e, PrefillProgress)]
        return found[-1] if found else self.times[-1]

    @property
    def stop_to_end(self) -> float:
        """From the stop to the word that it was honoured, the last token included."""
        found = (t for e, t in zip(self.events, self.times, strict=True) if isinstance(e, Interrupted))
        return max(0.0, next(found, self.times[-1]) - self.stopped)


Leg = Callable[[threading.Event], Iterator[Event]]


def hear(leg: Leg, *, stop_after: float = 0.0, stop_when: Callable[[Event], bool] | None = None) -> TimedLeg:
    """Run a leg; set the stop after this many seconds, or once an event says so."""
    stop, out = threading.Event(), TimedLeg()
    begun = time.perf_counter()

    def halt() -> None:
        out.stopped = time.perf_counter() - begun
        stop.set()

    timer = threading.Timer(stop_after, halt) if stop_after else None
    if timer is not None:
        timer.start()
    for event in leg(stop):
        out.events.append(event)
        out.times.append(time.perf_counter() - begun)
        if stop_when is not None and not stop.is_set() and stop_when(event):
            halt()
    if timer is not None:
        timer.cancel()
        timer.join()
    return out


def long_file(lines: int, seed: int = 0) -> str:
    """A module of this many lines: small functions with names of their own."""
    out: list[str] = []
    number = seed * 10_000
    while len(out) < lines:
        out += [
            f"def measure_{number}(width, height):",
            f"    area = width * height + {number}",
            f"    if area > {number % 97}:",
            "        return area",
            "    return width - height",
            "",
        ]
        number += 1
    return "\n".join(out[:lines]) + "\n"
