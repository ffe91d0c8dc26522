"""The events that all rooms exchange: frozen values that can be journaled, sent over a wire and replayed.

One turn reads: TurnStarted, Chosen?, PrefillProgress*, (Token | Reasoning | Retrying | Prose | Choices |
HunkOpened | HunkText | HunkClosed | HunkFailed | Doubt)*, then Interrupted? and exactly one of Finished or
Failed. Decisions, Steered, Applied and Undone may follow, or arrive in between while it streams; Checked and
its Doubts may follow.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from spark_tui.events.answer import AnswerEnded as AnswerEnded
from spark_tui.events.answer import ToolArguments as ToolArguments
from spark_tui.events.answer import ToolCallEnded as ToolCallEnded
from spark_tui.events.answer import ToolCallStarted as ToolCallStarted
from spark_tui.events.answer import Waited as Waited
from spark_tui.events.tools import ToolCalled as ToolCalled
from spark_tui.events.tools import ToolFinished as ToolFinished
from spark_tui.events.tools import ToolOutput as ToolOutput

HunkKind = Literal["edit", "add", "delete", "move"]
NO_SUCH_FILE = "no such file"
"""`HunkFailed.message` of an edit that names a file that is not there."""
Decision = Literal["accepted", "rejected", "edited", "open", "kept", "dropped", "split"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of one turn, of all its requests together. Sent inside `Finished`."""

    prompt_tokens: int = 0
    reused_tokens: int = 0
    output_tokens: int = 0
    accepted_tokens: int = 0
    reasoning_tokens: int = 0
    """Of the output, where the server counts them."""
    file_tokens: int = 0
    """Of the edited files, lines that were not written included: what a model that writes whole files would
    have written."""
    cost: float = 0.0
    """The cost of all requests of the turn at the configured prices; 0 if there is none."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the seconds of a turn went, split the way a person feels them. Sent inside `Finished`, `Applied`
    and `Undone`. What was not measured, or is no part of what the event ends, is 0.

    `queue`: waiting for the engine or the server. `network`: the wire to the first token. `prefill`: choosing
    what is shown and reading it. `generation`: from then to the last token. `first_token`: from Enter; it
    lies in the others. `apply`: planning, checkpoint and writing.
    """

    queue: float = 0.0
    network: float = 0.0
    prefill: float = 0.0
    first_token: float = 0.0
    generation: float = 0.0
    apply: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The turn sends it first, before the backend is asked. `at` is wall-clock seconds."""

    turn_id: str
    prompt: str
    backend: str
    format: str
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """A backend sends it while it reads the prompt. `done` never falls; `reused` tokens were warm."""

    done: int
    total: int
    reused: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """A backend sends one for each token, in order. `text` may be empty (half a character is kept back)."""

    id: int
    text: str
    drafted: bool = False
    logprob: float = 0.0


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A backend sends what the model thinks before and between what it answers. It is shown folded, is no
    part of the answer, and never holds an edit."""

    text: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """A backend sends it before it waits to ask a server again: in `seconds`, because of `reason`."""

    seconds: float
    reason: str
    attempt: int = 1

    @property
    def sentence(self) -> str:
        when = f" in {self.seconds:.0f} s" if self.seconds else ""
        return f"{self.reason.rstrip('.')}; asking again{when} (attempt {self.attempt + 1})"


@dataclass(frozen=True, slots=True)
class Prose:
    """Text outside of edits: explanations, thinking, a refusal, or the point where an edit may continue."""

    text: str


GO_ON = "go on with: "


@dataclass(frozen=True, slots=True)
class Choices:
    """Several edits may be meant: a line each, and the last is to ask the language model. Nothing is edited
    until the person takes one. `Finished` follows with the reason `choices`. Next to an exact edit that
    leaves parts of the instruction undone these are listed, each after `GO_ON`."""

    titles: tuple[str, ...]

    @property
    def is_rest(self) -> bool:
        """Whether they are what is left to do."""
        return self.titles[0].startswith(GO_ON)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The person took this one of so many `Choices` of the turn before, counted from 1; the last one is the
    language model. It follows `TurnStarted`."""

    number: int
    choices: int


@dataclass(frozen=True, slots=True)
class HunkOpened:
    """The parser sends it once the place is known. `old_start` is 1-based in the file as read;
    `old_count` lines are being replaced (0: an insertion before `old_start`; it may grow no more)."""

    hunk_id: int
    path: str
    old_start: int
    old_count: int
    kind: HunkKind = "edit"
    new_path: str = ""


@dataclass(frozen=True, slots=True)
class HunkText:
    """The parser sends new text of an open hunk, as characters arrive. Joined, it is the hunk's new side."""

    hunk_id: int
    text: str


@dataclass(frozen=True, slots=True)
class HunkClosed:
    """The parser sends it as soon as the hunk is certain.

    The lines are minimal and final, without their endings. `final_newline` tells whether the last new line
    has one at the end of the file (None: not stated, the file stays as it is). `mode` is git's (`100755`) if
    it changes, else empty. A hunk that changes nothing closes with both sides empty and no mode.
    """

    hunk_id: int
    path: str
    old_start: int
    old_lines: tuple[str, ...]
    new_lines: tuple[str, ...]
    kind: HunkKind = "edit"
    new_path: str = ""
    final_newline: bool | None = None
    partial: bool = False
    mode: str = ""

    @property
    def changes(self) -> bool:
        """Whether it changes anything."""
        return bool(self.old_lines or self.new_lines or self.mode or self.kind != "edit")


@dataclass(frozen=True, slots=True)
class HunkFailed:
    """The parser sends it for an edit that is malformed or has no place; no other event of that edit follows.

    `code` is the exit code for the failure; `line` the 1-based line of the file (or of the input) that
    differs first; `candidates` the nearest places. `code` 0 is not a failure: an exact edit left this place
    unchanged, because it cannot tell whether it is meant.
    """

    hunk_id: int
    path: str
    message: str
    code: int = 3
    line: int = 0
    expected: str = ""
    found: str = ""
    candidates: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """The message after the file that it is about, where that is known."""
        return f"{self.path}: {self.message}" if self.path else self.message

    @property
    def similar_lines(self) -> str:
        """The nearest places but for the line that is named anyway: `12, 40`."""
        return ", ".join(str(line) for line in self.candidates if line != self.line)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A backend or check sends it for a hunk that may be wrong. `confidence` is 0 to 1. A check names the
    place that the hunk would break: `line` counts from 1 in the file as it would be, 0 is the whole file.
    `part`: the edit does only a part of what was asked for."""

    hunk_id: int
    confidence: float
    reason: str = ""
    path: str = ""
    line: int = 0
    part: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """The session sends it after an answer, when it has checked the repository as it would be with these
    hunks.

    A `Doubt` follows for each place that breaks; those of an earlier check of these hunks no longer count.
    `note` says what was not checked; empty if everything was.
    """

    hunks: tuple[int, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The turn sends it when a stop was honoured. `at` tokens were emitted; `open_hunk` is 0 when none was
    open."""

    at: int
    open_hunk: int = 0


@dataclass(frozen=True, slots=True)
class Steered:
    """The turn sends it when a steer counts (not when it was typed)."""

    message: str
    reused: int = 0


@dataclass(frozen=True, slots=True)
class Decided:
    """Sent when the user decides about a hunk."""

    hunk_id: int
    decision: Decision
    text: str = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """The session sends it after all files were written. `hunks` are the ids that were applied; `note`
    names what is missing of an exact edit."""

    paths: tuple[str, ...]
    checkpoint: str
    hunks: tuple[int, ...] = ()
    timing: Timing = Timing()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """The session sends it after an undo or redo wrote files. `hunks` are the ids that went out or came
    back."""

    paths: tuple[str, ...]
    checkpoint: str
    redo: bool = False
    hunks: tuple[int, ...] = ()
    timing: Timing = Timing()


CUT_OFF = {
    "length": "the answer reached its token limit",
    "limit": "the turn reached a limit of its tools",
    "repeats": "the answer repeats itself",
}
"""Why a turn was stopped that can go on, by `Finished.reason`."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn ends well. `reason`: `stop`, `interrupted`, `cannot`, `no_edit`, `choices`, or one of
    `CUT_OFF`."""

    reason: str
    usage: Usage = Usage()
    timing: Timing = Timing()


@dataclass(frozen=True, slots=True)
class Failed:
    """The turn ends badly. What was closed before stays reviewable."""

    what: str
    where: str = ""
    hint: str = ""
    exit_code: int = 2


Event = (
    TurnStarted
    | PrefillProgress
    | Waited
    | Token
    | Reasoning
    | Retrying
    | AnswerEnded
    | ToolCallStarted
    | ToolArguments
    | ToolCallEnded
    | ToolCalled
    | ToolOutput
    | ToolFinished
    | Prose
    | Choices
    | Chosen
    | HunkOpened
    | HunkText
    | HunkClosed
    | HunkFailed
    | Doubt
    | Checked
    | Interrupted
    | Steered
    | Decided
    | Applied
    | Undone
    | Finished
    | Failed
)

_NOT_KEPT = (Waited, AnswerEnded, ToolCallStarted, ToolArguments, ToolCallEnded)
EVENT_TYPES: dict[str, type[Any]] = {cls.__name__: cls for cls in get_args(Event) if cls not in _NOT_KEPT}
"""What is journaled and shown: all but those of `events.answer`."""
_PARTS: dict[str, type[Any]] = {"usage": Usage, "timing": Timing}


def to_dict(event: Event) -> dict[str, Any]:
    """`{"type": "Token", "id": 7, ...}`: plain JSON values, every field present."""
    out: dict[str, Any] = {"type": type(event).__name__}
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, (Usage, Timing)):
            value = {part.name: getattr(value, part.name) for part in fields(value)}
        elif isinstance(value, tuple):
            value = list(value)
        out[field.name] = value
    return out


def from_dict(record: dict[str, Any]) -> Event:
    """The inverse of `to_dict`. Raises KeyError for an unknown type, TypeError for wrong fields."""
    values = dict(record)
    cls = EVENT_TYPES[values.pop("type")]
    for name, value in values.items():
        if name in _PARTS and isinstance(value, dict):
            # A part that another version counted is left out: the event stands without it.
            known = {part.name for part in fields(_PARTS[name])}
            values[name] = _PARTS[name](**{part: name for part, name in value.items() if part in known})
        elif isinstance(value, list):
            values[name] = tuple(value)
    event: Event = cls(**values)
    return event
