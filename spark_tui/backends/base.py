"""The `Request` that a session sends to a backend, and the protocol that every backend implements.

`stream` yields `PrefillProgress` and `Token` events and ends by returning; the turn adds `Finished`. A
server's model may yield `Reasoning`, `Retrying` and `AnswerEnded` too, and tool pieces for a request that
offers tools.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event as StopFlag
from typing import Literal, Protocol, runtime_checkable

from spark_tui.backends.tool_calls import ToolSpec, ToolStep
from spark_tui.events import Event
from spark_tui.shapes import ModelShape, Step

Kind = Literal["edit", "fill", "warm", "raw"]
OnStep = Callable[[Step], None]
_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a file without their endings; a final ending begins no further line."""
    lines = _LINE_END.split(text)
    return tuple(lines[:-1] if not lines[-1] else lines)


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file, or a window of one, that the model is shown. `text` is the window; `first_line` is 1-based."""

    path: str
    text: str
    first_line: int = 1
    total_lines: int = 0
    around: tuple[str, ...] | None = field(default=None, compare=False)
    """The lines of the whole file, where they are known."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier turn as the model should remember it: the instruction, the answer, and which hunks were
    kept.
    """

    instruction: str
    answer: str
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Splice:
    """A message that was spliced into an answer, and the token ids since the splice before it (or the
    beginning)."""

    ids: tuple[int, ...]
    message: str


MAP_PATH = "(map of the repository)"
"""Takes the place of a path for the part that is not a file."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a backend. The prompt order is files, then history, then the instruction, so that a
    cached file serves any instruction; of chat models a long history stands first.
    """

    instruction: str
    files: tuple[FilePart, ...] = ()
    history: tuple[Exchange, ...] = ()
    rules: str = ""
    emitted: tuple[int, ...] = ()
    """Token ids that were emitted already: resume after them."""
    steer: str = ""
    """A message spliced in after `emitted`."""
    spliced: tuple[Splice, ...] = ()
    """What comes before `emitted`: earlier pieces of the answer, each with the message after it. Only for
    a backend that says `supports_splices`."""
    format: str = "auto"
    """The edit format of the answer; `auto` leaves it to the backend."""
    kind: Kind = "edit"
    max_tokens: int = 2048
    prefix: str = ""
    """Text before the cursor, for `fill`; the whole prompt, for `raw`."""
    suffix: str = ""
    """Text after the cursor, for `fill`."""
    temperature: float = 0.0
    seed: int = 0
    stop_texts: tuple[str, ...] = ()
    selection: tuple[int, int] = (0, 0)
    """First and last selected line of the first file, 1-based; zeros without a selection."""
    cursor: int = 0
    """The cursor's line in the first file, 1-based; 0 if unknown."""
    known: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    """The edit of the first file, if it is known before the model runs: lines from the first up to (not
    including) the second, counted from 1 in the whole file, become the new ones. A built-in model reads it
    instead of generating it."""
    prediction: str = ""
    """Text that the answer is expected to resemble. It may feed the draft; it never changes the answer."""
    least_confidence: float = 0.0
    """How sure a built-in model has to be of an edit for it to be offered, beside its own threshold."""
    tools: tuple[ToolSpec, ...] = ()
    """Tools that the model may call. Only for a backend for which `takes_tools` is true."""
    steps: tuple[ToolStep, ...] = ()
    """What was called and answered in this turn before, oldest first."""
    told_before: int = 0
    """How many exchanges of the history are of earlier turns."""

    def after(self, ids: tuple[int, ...]) -> Request:
        """The request for what comes after these tokens of its answer."""
        return replace(self, emitted=self.emitted + ids, max_tokens=max(self.max_tokens - len(ids), 0))


@runtime_checkable
class Backend(Protocol):
    """The contract. `stop` is looked at between forward passes (or received pieces): once it is set,
    `stream` returns within one of them. Errors are `SparkError`s."""

    @property
    def name(self) -> str:
        """What the person sees: `replay`, `spark-12m`, `host:8000/model`."""

    @property
    def window(self) -> int:
        """Tokens of context it takes, 0 when not known."""

    def format_for(self, request: Request) -> str:
        """The edit format in which it will answer this request. Call it before `stream`."""

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """Yield events as they happen."""

    def count_tokens(self, text: str) -> int:
        """How many tokens of this backend's the text takes (an estimate where it cannot know)."""

    def close(self) -> None:
        """Give back threads, connections and memory. Safe to call twice."""


class WithoutModel:
    """What backends have in common whose answers come from no model."""

    def format_for(self, request: Request) -> str:  # noqa: ARG002
        return "lines"

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def close(self) -> None:
        """Holds nothing to release."""


def prompt_counter(backend: Backend) -> Callable[[Request], int] | None:
    """Counts the tokens that the model would read of a request, and raises what `stream` would; None where
    the backend cannot."""
    counter: Callable[[Request], int] | None = getattr(backend, "prompt_tokens", None)
    return counter


def supports_splices(backend: Backend) -> bool:
    """Whether a request may contain several messages inside one answer (`Request.spliced`)."""
    return bool(getattr(backend, "takes_splices", False))


def takes_corrections(backend: Backend) -> bool:
    """Whether it is a chat model. It is told automatically, once a turn, which of its edits did not fit,
    and goes on with a begun answer only more or less where that ends."""
    return bool(getattr(backend, "takes_corrections", False))


def takes_tools(backend: Backend) -> bool:
    """Whether a request may offer tools natively (`Request.tools`). Otherwise the prompt describes them."""
    return bool(getattr(backend, "takes_tools", False))


class StepListener(Protocol):
    """Receives each engine step during an answer. It is called on the engine's thread and must return
    quickly.
    """

    def begin(self) -> None:
        """An answer begins; what follows is its own."""

    def step(self, step: Step) -> None:
        """One forward pass of it. Reading ahead and ghost text are not part of any answer."""


@runtime_checkable
class ReportsSteps(Protocol):
    """What a backend has besides when its model runs on this machine: the model's sizes, and its passes."""

    @property
    def shape(self) -> ModelShape: ...

    def listen(self, listener: StepListener | None) -> None:
        """Replace the listener; None removes it."""
