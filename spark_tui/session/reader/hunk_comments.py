"""Comments on a hunk: how a message about one begins, and what the reader makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.session.review.turn_record import TurnRecord
from spark_tui.session.tree.moved_hunks import UNWRITTEN

_ABOUT = re.compile(
    r"\s*about hunk (?P<label>\S+) \((?P<path>.+?):(?P<line>\d+)\):\s+(?P<said>\S.*)", re.DOTALL
)
_ALL_OF_LAST = "“Undo that” takes back the last edit with all of its hunks."
_REJECTED = f"is rejected already. {_ALL_OF_LAST}"
_WAITS = (
    "waits to be decided, and this was read as taking back the whole edit. Say “drop this” for this hunk, or"
    " “undo that” for all of them."
)
_BECAME = {
    "rejected": _REJECTED,
    "dropped": _REJECTED,
    "applied": "is written. `o` on it takes it alone out of the file; “undo that” reverses the last edit.",
    "undone": f"is out of the file already. {_ALL_OF_LAST}",
}
_OF_EARLIER = (
    "was made by “{}”, and words change the last edit. Reject the hunk, or say what to do there anew."
)


def about_hunk(label: str, path: str, line: int) -> str:
    """What a comment on a hunk begins with."""
    return f"about hunk {label} ({path}:{line}): "


def at_hunk(ask: ContextRequest) -> ContextRequest:
    """A comment as what is said where the hunk is; anything else as it is."""
    found = _ABOUT.fullmatch(ask.instruction)
    if found is None:
        return ask
    line = int(found["line"])
    return replace(ask, instruction=found["said"], in_view=found["path"], cursor=line, selection=None)


def no_hunk_there(text: str) -> str:
    """Why a comment takes nothing back where nothing is known of its hunk; empty of what is no comment."""
    found = _ABOUT.fullmatch(text)
    return (
        f"There is no hunk {found['label']} of {found['path']}. {_ALL_OF_LAST}" if found is not None else ""
    )


@dataclass(frozen=True)
class Commented:
    """The hunk that a comment is about, its state, and the turn that brought it."""

    hunk: Hunk
    state: str
    record: TurnRecord
    label: str

    @property
    def stands(self) -> bool:
        return self.state in UNWRITTEN

    @property
    def not_taken_back(self) -> str:
        """Why a comment that takes something back does nothing: it would take back more than the hunk."""
        return f"{self._name} {_BECAME.get(self.state, _WAITS)}"

    @property
    def of_earlier(self) -> str:
        """Why a comment cannot change the hunk, where another instruction made it than the last one of its
        turn; empty where it can."""
        asked = self.record.kept.get(self.hunk.id)
        return f"{self._name} {_OF_EARLIER.format(asked[-1])}" if asked else ""

    @property
    def _name(self) -> str:
        return f"Hunk {self.label} ({self.hunk.path}:{self.hunk.old_start})"


def commented(
    text: str,
    records: Iterable[TurnRecord],
    hunks_of: Callable[[TurnRecord], Iterable[tuple[Hunk, str]]],
) -> Commented | None:
    """What a comment is about: the hunk of this number, or where that one does not stand, the one that stands
    at its place now. None where the text is no comment, or nothing is known of the hunk."""
    found = _ABOUT.fullmatch(text)
    if found is None:
        return None
    there = found["path"], int(found["line"])
    every = [
        Commented(hunk, state, record, found["label"])
        for record in records
        for hunk, state in hunks_of(record)
        if hunk.path == found["path"]
    ]
    named = [one for one in every if str(one.hunk.id) == found["label"]]
    placed = [one for one in reversed(every) if (one.hunk.path, one.hunk.old_start) == there]
    standing = (one for one in (*named, *placed) if one.stands)
    return next(standing, next(iter((*named, *placed)), None))


def with_number(text: str, hunk: Hunk) -> str:
    """A comment with the number of its hunk in place of *this* and *here*: *drop this* as *drop hunk 3*."""
    from spark_tui.intent.words.phrases import is_said  # the workbench starts without it

    found = _ABOUT.fullmatch(text)
    words = found["said"].split() if found is not None else []
    said = [word for word in words if not is_said("pronouns", word) and not is_said("here", word)]
    return f"{' '.join(said)} hunk {hunk.id}"
