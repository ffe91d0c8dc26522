"""The edits of a turn, file by file: shown with a diff, asked about, and written together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from acp import RequestError, update_tool_call
from acp.schema import AllowedOutcome, PermissionOption, ToolCallUpdate

from spark_tui import events
from spark_tui.acp.leg import in_thread
from spark_tui.acp.session_client import SessionClient
from spark_tui.acp.session_options import SessionOptions
from spark_tui.acp.updates import FileCall, TurnUpdates, diff_of, ended
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import SparkError
from spark_tui.session.session import Session
from spark_tui.session.tree.decided_text import wanted_files

_OPTIONS = [
    PermissionOption(option_id="allow", name="Write it", kind="allow_once"),
    PermissionOption(option_id="always", name="Write all unmarked edits", kind="allow_always"),
    PermissionOption(option_id="reject", name="Reject it", kind="reject_once"),
]
_PART_OPTIONS = [
    PermissionOption(option_id="allow", name="Write this part", kind="allow_once"),
    PermissionOption(option_id="reject", name="Write nothing", kind="reject_once"),
]
_LATER = "/write offers it again"


@dataclass
class FileEdit:
    """The undecided hunks of one file, and its diff."""

    hunks: list[Hunk] = field(default_factory=list)
    diff: list[Any] = field(default_factory=list)


class FileReview:
    """Offers the hunks of one session. `cancelled` ends a question that waits for its answer."""

    def __init__(
        self, session: Session, client: SessionClient, options: SessionOptions, cancelled: asyncio.Event
    ) -> None:
        self._session, self._client, self._options = session, client, options
        self._cancelled = cancelled
        self.files: dict[str, None] = {}
        """All files that were offered so far."""

    async def show(self, updates: TurnUpdates, why: str) -> None:
        """Show the whole hunks of a turn that did not come to its end. They stay for later."""
        edits = await in_thread(self._edits)
        for call in updates.calls.values():
            if call.path in edits:
                await self._client.send(update_tool_call(call.id, content=edits[call.path].diff))
            await self._client.send(ended(call, "failed", why))

    async def decide(self, updates: TurnUpdates, *, everything: bool = False) -> bool:
        """Ask about each file, and write what is allowed. False where the client cancelled. `everything`:
        hunks of earlier turns, too, in any mode."""
        edits = await in_thread(lambda: self._edits(everything=everything))
        self.files.update(dict.fromkeys(edits))
        calls = [updates.calls.get(path) or await self._call(updates, path, edits[path]) for path in edits]
        for call in updates.calls.values():
            if call.path not in edits:
                await self._client.send(ended(call, "failed", "no edit of this file is left"))
        for call in calls:
            await self._client.send(
                update_tool_call(call.id, status="pending", content=edits[call.path].diff)
            )
        if not calls or (self._options.mode == "ask" and not everything):
            return True
        return await self._ask(calls, edits)

    def _edits(self, *, everything: bool = False) -> dict[str, FileEdit]:
        decisions, root = self._session.decisions, self._session.root
        hunks = decisions.offered() if everything else decisions.unwritten()
        out: dict[str, FileEdit] = {}
        for record, group in decisions.by_turn(hunks):
            for path in dict.fromkeys(hunk.path for hunk in group):
                mine = [hunk for hunk in group if hunk.path == path]
                before = record.tree.file(path)
                wants = [want for want in wanted_files(mine, record.tree) if want.target is not None]
                after = wants[-1].target.decode("utf-8", "replace") if wants and wants[-1].target else None
                old = None if before is None else before.data.decode("utf-8", "replace")
                edit = out.setdefault(path, FileEdit())
                edit.hunks += mine
                edit.diff += diff_of(root, mine, old, after)
        return out

    async def _call(self, updates: TurnUpdates, path: str, edit: FileEdit) -> FileCall:
        first = edit.hunks[0]
        opened = events.HunkOpened(first.id, path, first.old_start, len(first.old_lines), first.kind)
        for update in updates.of(opened):
            await self._client.send(update)
        return updates.calls[path]

    async def _ask(self, calls: Sequence[FileCall], edits: Mapping[str, FileEdit]) -> bool:
        """False where the client cancelled: what is not decided yet stays."""
        allowed: list[FileCall] = []
        for call in calls:
            answer = await self._allowed(call)
            if answer is None:
                return False
            for hunk in edits[call.path].hunks:
                self._session.decisions.decide(hunk.id, "accepted" if answer else "rejected")
            if answer:
                allowed.append(call)
            else:
                await self._client.send(ended(call, "failed", "rejected"))
        hunks = [hunk for call in allowed for hunk in edits[call.path].hunks]
        in_part = 0 < len(allowed) < len(calls)
        broken = await in_thread(self._session.breaks_of_write) if in_part else None
        answer = await self._allows_part(broken, allowed, edits) if broken is not None else True
        if answer:
            await self._write(allowed, hunks)
        else:
            self._open_again(hunks)
            for call in allowed:
                await self._client.send(ended(call, "failed", f"not written; {_LATER}"))
        return answer is not None

    async def _allows_part(
        self, broken: events.Doubt, allowed: Sequence[FileCall], edits: Mapping[str, FileEdit]
    ) -> bool | None:
        """Whether the allowed files are written though that breaks something without the rest of the edit."""
        ids = {call.path: {hunk.id for hunk in edits[call.path].hunks} for call in allowed}
        call = next((one for one in allowed if broken.hunk_id in ids[one.path]), allowed[0])
        title = f"Edit {call.path} (without the rest of its edit it {broken.reason})"
        option = await self._answer(call, title, _PART_OPTIONS)
        return None if option is None else option == "allow"

    def _open_again(self, hunks: Sequence[Hunk]) -> None:
        decisions = self._session.decisions
        for hunk in hunks:
            if decisions.review.state(hunk.id) == "accepted":
                decisions.decide(hunk.id, "open")

    async def _allowed(self, call: FileCall) -> bool | None:
        """Whether a file may be written; None where the client cancelled."""
        if self._options.mode == "auto" and not call.reasons:
            return None if self._cancelled.is_set() else True
        option = await self._answer(call, _title(call), _OPTIONS)
        if option == "always":
            self._options.mode = "auto"
            for update in self._options.mode_updates():
                await self._client.send(update)
        return None if option is None else option in ("allow", "always")

    async def _answer(self, call: FileCall, title: str, options: Sequence[PermissionOption]) -> str | None:
        """The option that is chosen; None where the client cancelled."""
        if self._cancelled.is_set():
            return None
        about = ToolCallUpdate(tool_call_id=call.id, title=title)
        asking = asyncio.ensure_future(self._client.ask(about, [*options]))
        stopped = asyncio.ensure_future(self._cancelled.wait())
        try:
            await asyncio.wait({asking, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if self._cancelled.is_set() or not asking.done():
                return None
            outcome = asking.result()
        except RequestError as error:
            # It cannot ask, so nobody has allowed it: the edit waits for `/write`.
            await self._client.say(f"\nNot written, the client cannot ask: {error}\n")
            return None
        finally:
            asking.cancel()
            stopped.cancel()
        return outcome.option_id if isinstance(outcome, AllowedOutcome) else None

    async def _write(self, calls: Sequence[FileCall], hunks: Sequence[Hunk]) -> None:
        if not calls:
            return
        try:
            applied = await in_thread(self._session.changes.write)
        except SparkError as error:
            self._open_again(hunks)
            for call in calls:
                await self._client.send(ended(call, "failed", str(error)))
            await self._client.say(f"\nNothing was written: {error}\n")
            return
        for call in calls:
            await self._client.send(ended(call, "completed"))
        if applied.note:
            await self._client.say(f"\n{applied.note}\n")


def _title(call: FileCall) -> str:
    marks = f" (check it: {'; '.join(dict.fromkeys(call.reasons))})" if call.reasons else ""
    return f"Edit {call.path}{marks}"
