"""Messages on their way to a session, and what a message means for the hunks before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from spark_tui import events
from spark_tui.backends.base import FilePart
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.merge import clash
from spark_tui.errors import UsageError

Way = Literal["steer", "queue"]
MessageState = Literal["accepted", "committed", "returned"]
"""`accepted` → `committed` or `returned`."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the person. `way`: spliced into the running turn, or queued after it."""

    id: int
    text: str
    way: Way
    state: MessageState = "accepted"


class Outbox:
    """The messages of a session and their states. `keep` gets the undelivered ones after each change, so that
    they outlive the process."""

    def __init__(
        self, waiting: Iterable[str] = (), keep: Callable[[Sequence[str]], None] | None = None
    ) -> None:
        self._keep = keep
        self._messages: dict[int, Message] = {}
        self._given: set[int] = set()
        """Returned messages that the person has back."""
        for text in waiting:
            # What another process accepted and did not deliver comes back to the person.
            self._put(Message(len(self._messages) + 1, text, "queue", "returned"))

    def __getitem__(self, message_id: int) -> Message:
        try:
            return self._messages[message_id]
        except KeyError:
            raise UsageError(f"no message {message_id}") from None

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._messages.values())

    @property
    def waiting(self) -> tuple[Message, ...]:
        """Messages that are neither delivered nor returned."""
        return tuple(message for message in self._messages.values() if message.state == "accepted")

    def accept(self, text: str, way: Way) -> int:
        """A message that is to be delivered. Returns its number."""
        message = Message(len(self._messages) + 1, text, way)
        self._put(message)
        return message.id

    def commit(self, message_id: int) -> None:
        """It is delivered: the model was given it, and the journal has it."""
        self._move(message_id, "committed")

    def give_back(self, message_id: int) -> None:
        """It could not be delivered."""
        self._move(message_id, "returned")

    def queue(self, text: str) -> int:
        """Keep a message until the turn has ended; `next_queued` gives it back. Returns its number."""
        return self.accept(text, "queue")

    def withdraw(self, message_id: int = 0) -> str:
        """Take a queued message back: this one, or the last. Returns its text. Raises UsageError where it no
        longer waits."""
        queued = [item.id for item in self.waiting if item.way == "queue"]
        if not queued or (message_id and message_id not in queued):
            raise UsageError("no queued message to take back", hint="It may already have been sent.")
        taken = message_id or queued[-1]
        self._given.add(taken)
        self._move(taken, "returned")
        return self[taken].text

    def next_queued(self) -> Message | None:
        """The first message that is queued after the turn."""
        return next((item for item in self.waiting if item.way == "queue"), None)

    def take_returned(self) -> tuple[str, ...]:
        """Texts that came back since the last call, for the prompt box."""
        back = self._lost()
        self._given.update(message.id for message in back)
        self._tell()
        return tuple(message.text for message in back)

    def _move(self, message_id: int, state: MessageState) -> None:
        message = self[message_id]
        if message.state != "accepted":
            raise UsageError(f"message {message_id} is {message.state} and cannot be {state}")
        self._put(replace(message, state=state))

    def _put(self, message: Message) -> None:
        self._messages[message.id] = message
        self._tell()

    def _tell(self) -> None:
        """A returned message that the person does not have back yet is kept too."""
        if self._keep is not None:
            self._keep([message.text for message in (*self._lost(), *self.waiting)])

    def _lost(self) -> list[Message]:
        every = self._messages.values()
        return [message for message in every if message.state == "returned" and message.id not in self._given]


@dataclass(frozen=True, slots=True)
class SteerConflict:
    """How a hunk after a steer affects the hunks before it: it `repeats` one, is `blocked_by` one that
    the user edited, or replaces those in `replaced`."""

    repeats: bool = False
    blocked_by: int = 0
    replaced: tuple[int, ...] = ()


def steer_conflict(hunk: Hunk, span: tuple[int, int], before: Iterable[tuple[Hunk, str]]) -> SteerConflict:
    """`span`: the first line and the count of the lines that the hunk replaces; `before`: hunks and
    states."""
    replaced: list[int] = []
    for other, state in before:
        if state in ("rejected", "dropped", "undone", "applied"):
            continue
        if state != "partial" and same_change(hunk, other):
            return SteerConflict(repeats=True)
        if not _overlap(hunk, span, other):
            continue
        if state == "edited":
            return SteerConflict(blocked_by=other.id)
        replaced.append(other.id)
    return SteerConflict(replaced=tuple(replaced))


def standing_against(hunk: Hunk, others: Iterable[tuple[Hunk, str]]) -> Hunk | None:
    """The first of these hunks (with their states) that is still to be written and excludes the hunk."""
    meant = ("open", "accepted", "edited", "partial")
    return next((other for other, state in others if state in meant and excludes(hunk, other)), None)


def excludes(hunk: Hunk, other: Hunk) -> bool:
    """Whether two hunks of one reading of the files make different things of the same lines, so that they
    cannot both be written. Replaced lines may touch, as in a merge."""
    if hunk.path != other.path or same_change(hunk, other):
        return False
    if {hunk.kind, other.kind} == {"edit", "move"}:
        return False
    if hunk.kind != "edit" or other.kind != "edit":
        return True
    return clash((hunk.old_start, hunk.old_end, 0, 0), other.old_start, other.old_end)


def same_change(a: Hunk, b: Hunk) -> bool:
    return a.old_start == b.old_start and replace(a, id=b.id) == b


def _overlap(hunk: Hunk, span: tuple[int, int], other: Hunk) -> bool:
    if hunk.path != other.path:
        return False
    if hunk.kind != "edit" or other.kind != "edit":
        return True
    start, end = hunk.old_start, hunk.old_end
    if not hunk.old_lines and not hunk.new_lines:
        # It changes nothing: these lines stay as they are in the file.
        start, end = span[0], span[0] + span[1]
    if start == end or other.old_start == other.old_end:
        return start <= other.old_end and other.old_start <= end
    return start < other.old_end and other.old_start < end


def lies_in(hunk: Hunk, part: FilePart) -> bool:
    """Whether a hunk is in this part of a file; an insertion between two parts belongs to the later one."""
    last = part.first_line + part.text.count("\n") - 1
    if hunk.path != part.path:
        return False
    return part.first_line <= hunk.old_start <= last or hunk.old_start == last + 1 == part.total_lines + 1


def withdrawals(hunks: Iterable[tuple[Hunk, str]], *, accepted: bool = False) -> tuple[events.Decided, ...]:
    """The decisions that reject undecided hunks, and those that are accepted and not written."""
    words: dict[str, events.Decision] = {"open": "rejected", "partial": "dropped"}
    if accepted:
        words["accepted"] = "rejected"
    return tuple(events.Decided(hunk.id, words[state]) for hunk, state in hunks if state in words)
