"""The lines of the transcript, and the summary line of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from spark_tui import events
from spark_tui.tools.bounded_text import count_of
from spark_tui.tui.code.hunk_view import DOUBT_MARK, HunkView
from spark_tui.tui.turns.metrics import TurnMetrics

_MOST_NAMED = 3
Speaker = Literal["you", "model", "steer", "note", "error", "done", "sum"]


@dataclass(slots=True)
class TranscriptLine:
    """One entry. Prose grows while it streams. `detail` is folded: reasoning, or a tool's output."""

    speaker: Speaker
    text: str
    detail: str = ""


def sum_of(hunks: Sequence[HunkView], turn: TurnMetrics) -> str:
    """How many hunks a turn left, where, and how large."""
    paths = list(dict.fromkeys(hunk.path for hunk in hunks))
    where = paths[0] if len(paths) == 1 else f"{len(paths)} files"
    added, removed = sum(hunk.size[0] for hunk in hunks), sum(hunk.size[1] for hunk in hunks)
    # What is unsure of an exact edit, its reading or its places, the lines above say.
    marked = [] if turn.exact else [hunk for hunk in hunks if hunk.mark == DOUBT_MARK]
    # Marks of a job are also the reader's; one without a confidence is spark's own.
    others = turn.delivered or any(hunk.breaks or not hunk.doubt for hunk in marked)
    what = "look at" if others else "the model is unsure of"
    doubt = f"  {DOUBT_MARK} {what} {'it' if len(hunks) == 1 else len(marked)}" if marked else ""
    return f"{count_of(len(hunks), 'hunk')} in {where}, +{added} −{removed}{doubt}"


def change_line(event: events.Applied | events.Undone) -> str:
    paths = event.paths
    names = ", ".join(paths) if len(paths) <= _MOST_NAMED else f"{len(paths)} files"
    if isinstance(event, events.Undone):
        return f"{'redid' if event.redo else 'undid'} {names or 'nothing: it was so already'}"
    return f"wrote {count_of(len(event.hunks), 'hunk')} to {names}" if event.hunks else f"saved {names}"


def failure_line(event: events.HunkFailed) -> str:
    near = f" Similar lines: {event.similar_lines}." if event.similar_lines else ""
    said = f"{event.path}:{event.line}: {event.message}" if event.line else event.sentence
    return f"{said}.{near}".replace("..", ".")


def stopped_line(at: int, cut: HunkView | None) -> str:
    """`cut`: the hunk that was open; it may be one that changes nothing so far."""
    after = f" after {at} token{'s' * (at != 1)}" if at else ""
    return f"stopped{after}" + (f"; hunk {cut.label} is partial" if cut and cut.state == "partial" else "")


def choice_lines(titles: Sequence[str], *, beside: bool) -> list[str]:
    """The choices of a turn; `beside` an edit only their number, without the model, or how to go on."""
    if events.Choices(tuple(titles)).is_rest:
        return ["to go on with what is not done: choose in the code, or type /take 1"]
    if not beside:
        return [f"{number}  {title}" for number, title in enumerate(titles, 1)]
    count = len(titles) - 1
    many = f"{count} other edits" if count > 1 else "another edit"
    return [f"{many} may be meant: choose in the code, or type /take 1"]
