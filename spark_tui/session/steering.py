"""What a person says while an answer is being written: messages that never vanish, and hunks that give way.

Comes in: messages on their way, hunks that close behind a steer. Goes out: which message is where, and what
became of earlier hunks. Must not know: models, the disk (it is handed a way to keep its state).

    drafted --accept--> accepted --commit--> committed        drafted | accepted --give back--> returned
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from spark_tui import events
from spark_tui.backends.base import FilePart
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import UsageError

Way = Literal["turn", "steer", "queue"]
MessageState = Literal["drafted", "accepted", "committed", "returned"]


@dataclass(frozen=True, slots=True)
class Message:
    """Something a person said. `way`: a turn of its own, spliced into the one that runs, or after it."""

    id: int
    text: str
    way: Way
    state: MessageState = "drafted"


class Outbox:
    """Every message of a session and how far it got. `keep` is told of what is still on its way after each
    change, so that it outlives the process."""

    def __init__(
        self, waiting: Iterable[str] = (), keep: Callable[[Sequence[str]], None] | None = None
    ) -> None:
        self._keep = keep
        self._messages: dict[int, Message] = {}
        self._given: set[int] = set()
        """Returned messages that were handed over."""
        for text in waiting:
            # What another process had accepted and did not deliver comes back to the person.
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
        """On their way: typed or accepted, and not delivered or given back."""
        return tuple(one for one in self._messages.values() if one.state in ("drafted", "accepted"))

    def draft(self, text: str, way: Way) -> int:
        """The person pressed the key. Returns the message's number."""
        message = Message(len(self._messages) + 1, text, way)
        self._put(message)
        return message.id

    def accept(self, message_id: int) -> None:
        """The session took it. It does not count yet."""
        self._move(message_id, ("drafted",), "accepted")

    def commit(self, message_id: int) -> None:
        """It counts: the model was given it, and the journal has it."""
        self._move(message_id, ("accepted",), "committed")

    def give_back(self, message_id: int) -> None:
        """It could not be delivered."""
        self._move(message_id, ("drafted", "accepted"), "returned")

    def take_back(self, message_id: int) -> str:
        """The person wants it back before it was delivered. It is handed over at once."""
        self._given.add(message_id)
        self._move(message_id, ("drafted", "accepted"), "returned")
        return self[message_id].text

    def next_queued(self) -> Message | None:
        """The first message that waits for the turn to end."""
        return next((one for one in self.waiting if one.way == "queue" and one.state == "accepted"), None)

    def take_returned(self) -> tuple[str, ...]:
        """Texts that came back since this was asked last, for the prompt box."""
        back = [
            one for one in self._messages.values() if one.state == "returned" and one.id not in self._given
        ]
        self._given.update(one.id for one in back)
        self._tell()
        return tuple(one.text for one in back)

    def _move(self, message_id: int, allowed: tuple[MessageState, ...], state: MessageState) -> None:
        message = self[message_id]
        if message.state not in allowed:
            raise UsageError(f"message {message_id} is {message.state} and cannot be {state}")
        self._put(replace(message, state=state))

    def _put(self, message: Message) -> None:
        self._messages[message.id] = message
        self._tell()

    def _tell(self) -> None:
        """A message that came back and was not handed over yet is still on its way to the person."""
        lost = [
            one for one in self._messages.values() if one.state == "returned" and one.id not in self._given
        ]
        if self._keep is not None:
            self._keep([one.text for one in (*lost, *self.waiting)])


@dataclass(frozen=True, slots=True)
class SteerConflict:
    """What a hunk behind a steer means for the hunks before it. `same` repeats one of them; `stands` is one
    that the person wrote and that therefore stays; `gives_way` are replaced."""

    same: bool = False
    stands: int = 0
    gives_way: tuple[int, ...] = ()


def steer_conflict(hunk: Hunk, span: tuple[int, int], before: Iterable[tuple[Hunk, str]]) -> SteerConflict:
    """`span`: first line and count of what the hunk said that it replaces; `before`: hunks and their
    states."""
    gives_way: list[int] = []
    for other, state in before:
        if state in ("rejected", "dropped", "undone", "applied"):
            continue
        if state != "partial" and _same(hunk, other):
            return SteerConflict(same=True)
        if not _overlap(hunk, span, other):
            continue
        if state == "edited":
            return SteerConflict(stands=other.id)
        gives_way.append(other.id)
    return SteerConflict(gives_way=tuple(gives_way))


def _same(a: Hunk, b: Hunk) -> bool:
    return replace(a, id=0) == replace(b, id=0)


def _overlap(hunk: Hunk, span: tuple[int, int], other: Hunk) -> bool:
    if hunk.path != other.path:
        return False
    if hunk.kind != "edit" or other.kind != "edit":
        return True
    start, end = hunk.old_start, hunk.old_end
    if not hunk.old_lines and not hunk.new_lines:
        # It changes nothing: these lines shall stay as they are in the file.
        start, end = span[0], span[0] + span[1]
    if start == end or other.old_start == other.old_end:
        return start <= other.old_end and other.old_start <= end
    return start < other.old_end and other.old_start < end


def lies_in(hunk: Hunk, part: FilePart) -> bool:
    """Whether a hunk is one of these lines of a file; what is put in between two windows is of the later
    one."""
    last = part.first_line + part.text.count("\n") - 1
    if hunk.path != part.path:
        return False
    return part.first_line <= hunk.old_start <= last or hunk.old_start == last + 1 == part.total_lines + 1


def withdrawn(hunks: Iterable[tuple[Hunk, str]], *, accepted: bool = False) -> tuple[events.Decided, ...]:
    """What a steer that leaves nothing to change means for what nobody decided about, or was only
    `accepted`."""
    words: dict[str, events.Decision] = {"open": "rejected", "partial": "dropped"}
    if accepted:
        words["accepted"] = "rejected"
    return tuple(events.Decided(hunk.id, words[state]) for hunk, state in hunks if state in words)
