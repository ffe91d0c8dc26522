"""One session in an editor: prompts become turns, and their edits are offered file by file and written."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from threading import Event as StopFlag
from typing import Any

from acp import Client, RequestError, update_agent_message_text, update_tool_call
from acp.schema import (
    AllowedOutcome,
    CurrentModeUpdate,
    PermissionOption,
    PromptResponse,
    ToolCallUpdate,
    Usage,
)

from spark_tui import events
from spark_tui.acp.client_files import ClientFiles, as_file
from spark_tui.acp.commands import Make, leg_of
from spark_tui.acp.leg import Leg, LegEnd, in_thread
from spark_tui.acp.permissions import EditorQuestions
from spark_tui.acp.prompts import Prompt
from spark_tui.acp.updates import FileCall, TurnUpdates, diff_of, ended
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import Misfit, NothingToDo, Refused, SparkError, UsageError
from spark_tui.session.decided_text import wanted_files
from spark_tui.session.exact_turns import EditRefused
from spark_tui.session.session import Session

MODES = {
    "ask": "shows edits and writes nothing",
    "edit": "asks before it writes a file",
    "auto": "writes without asking what no check marked; asks about the rest",
}
_ENDS = {"length": "max_tokens", "cannot": "refusal", "interrupted": "cancelled"}
_OPTIONS = [
    PermissionOption(option_id="allow", name="Write it", kind="allow_once"),
    PermissionOption(option_id="always", name="Write all unmarked edits", kind="allow_always"),
    PermissionOption(option_id="reject", name="Reject it", kind="reject_once"),
]


_REFUSALS = (UsageError, Refused, Misfit, NothingToDo, EditRefused)


class Conversation:
    """Runs the prompts of one session, one at a time."""

    def __init__(self, session: Session, client: Client, files: ClientFiles) -> None:
        self.session, self._client, self._files = session, client, files
        questions = EditorQuestions(client, session.id, asyncio.get_running_loop())
        session.tools.permissions.ask = questions
        self.mode = "edit"
        self.running = False
        self._steerable = False
        """Whether a message can still reach the turn: not once its edits are offered."""
        self._stop = StopFlag()
        self._cancelled = asyncio.Event()
        self._steers: list[str] = []
        self._touched: dict[str, None] = {}
        """Files of earlier prompts, whose buffers may be unsaved."""

    # -- from outside, while a prompt runs

    def cancel(self) -> None:
        """Stop what runs. The prompt returns `cancelled`; whole hunks are kept."""
        if self.running:
            self._cancelled.set()
            self._stop.set()

    def steer(self, message: str) -> None:
        """Say something into the running turn."""
        if not self._steerable:
            raise RequestError(-32600, "no turn is running: send the message as a prompt")
        self._steers.append(message)
        self._stop.set()

    async def close(self) -> None:
        self.cancel()
        while self.running:
            await asyncio.sleep(0.01)
        await in_thread(self.session.close)

    # -- a prompt

    async def prompt(self, prompt: Prompt) -> PromptResponse:
        """Run a prompt until its edits are decided."""
        if self.running:
            raise RequestError(-32600, "a prompt is running: cancel it, or steer it by _session/steering")
        self.running = self._steerable = True
        self._cancelled.clear()
        self._steers.clear()
        try:
            return await self._run(prompt)
        finally:
            self.running = self._steerable = False

    async def _run(self, prompt: Prompt) -> PromptResponse:
        updates = TurnUpdates(secrets.token_hex(4), self.session.root)
        try:
            command = leg_of(prompt.instruction, self.session)
            await self._read_buffers(prompt)
            end = await self._leg(updates, command or self._turn(prompt))
            while self._steers and not self._cancelled.is_set():
                end = await self._leg(updates, self._steered(self._steers.pop(0)))
            self._steerable = False
        except _REFUSALS as error:
            # Said in words: most clients show an error of the protocol without its text.
            meant = [f"- `{one}`\n" for one in getattr(error, "choices", ())]
            await self._say("".join([f"{error}\n", *meant]))
            return PromptResponse(stop_reason="end_turn")
        if end.failed is not None and not self._cancelled.is_set():
            await self._offer(updates, "failed")
            found = end.failed
            raise RequestError(-32603, found.what, {"where": found.where, "hint": found.hint})
        if self._cancelled.is_set():
            await self._offer(updates, "stopped; /resume goes on, /write writes what is whole")
            return _response("cancelled", end)
        if end.reason == "stop":
            await self._leg(updates, lambda stop: self.session.check_answer(stop=stop))
        decided = await self._decide(updates, everything=prompt.instruction == "/write")
        return _response(_ENDS.get(end.reason, "end_turn") if decided else "cancelled", end)

    def _turn(self, prompt: Prompt) -> Make:
        return lambda stop: self.session.turns.follow(prompt.instruction, files=prompt.files, stop=stop)

    def _steered(self, message: str) -> Make:
        return lambda stop: self.session.turns.steer(message, stop=stop)

    async def _leg(self, updates: TurnUpdates, make: Make) -> LegEnd:
        self._stop = StopFlag()
        if self._cancelled.is_set():
            self._stop.set()
        return await Leg(updates, self._send, self._stop).run(make)

    async def _read_buffers(self, prompt: Prompt) -> None:
        """Files that the editor has not saved count as they are there."""
        self._touched.update(dict.fromkeys([*prompt.files, *prompt.mentioned]))
        tree = self.session.tree.with_files({})

        def read() -> dict[str, Any]:
            known = self._files.unsaved(self._touched, tree)
            for path, text in prompt.buffers.items():
                known[path] = as_file(path, text, tree.now(path))
            return known

        self.session.tree.as_read = await in_thread(read)

    # -- what came of it

    async def _offer(self, updates: TurnUpdates, why: str) -> None:
        """Show the whole hunks of a turn that did not come to its end. They stay for later."""
        groups = await in_thread(self._groups)
        for call in updates.calls.values():
            if call.path in groups:
                await self._send(update_tool_call(call.id, content=groups[call.path][1]))
            await self._send(ended(call, "failed", why))

    def _groups(self, *, everything: bool = False) -> dict[str, tuple[list[Hunk], list[Any]]]:
        """The undecided hunks by file, each with its diff."""
        decisions = self.session.decisions
        hunks = decisions.offered() if everything else decisions.unwritten()
        out: dict[str, tuple[list[Hunk], list[Any]]] = {}
        for record, group in decisions.by_turn(hunks):
            for path in dict.fromkeys(hunk.path for hunk in group):
                mine = [hunk for hunk in group if hunk.path == path]
                before = record.tree.file(path)
                wants = [want for want in wanted_files(mine, record.tree) if want.target is not None]
                after = wants[-1].target.decode("utf-8", "replace") if wants and wants[-1].target else None
                old = None if before is None else before.data.decode("utf-8", "replace")
                out.setdefault(path, ([], []))[0].extend(mine)
                out[path][1].extend(diff_of(self.session.root, mine, old, after))
        return out

    async def _decide(self, updates: TurnUpdates, *, everything: bool) -> bool:
        """Ask about each file, and write what is allowed. False where the client cancelled."""
        groups = await in_thread(lambda: self._groups(everything=everything))
        calls = [updates.calls.get(path) or await self._call(updates, path, groups) for path in groups]
        self._touched.update(dict.fromkeys(groups))
        for call in updates.calls.values():
            if call.path not in groups:
                await self._send(ended(call, "failed", "no edit of this file is left"))
        for call in calls:
            await self._send(update_tool_call(call.id, status="pending", content=groups[call.path][1]))
        if not calls or (self.mode == "ask" and not everything):
            return True
        allowed: list[FileCall] = []
        for call in calls:
            answer = await self._allowed(call)
            if answer is None:
                return False
            hunks = groups[call.path][0]
            for hunk in hunks:
                self.session.decisions.decide(hunk.id, "accepted" if answer else "rejected")
            if answer:
                allowed.append(call)
            else:
                await self._send(ended(call, "failed", "rejected"))
        await self._write(allowed, [hunk for call in allowed for hunk in groups[call.path][0]])
        return True

    async def _call(self, updates: TurnUpdates, path: str, groups: dict[str, Any]) -> FileCall:
        first = groups[path][0][0]
        opened = events.HunkOpened(first.id, path, first.old_start, len(first.old_lines), first.kind)
        for update in updates.of(opened):
            await self._send(update)
        return updates.calls[path]

    async def _allowed(self, call: FileCall) -> bool | None:
        """Whether a file may be written; None where the client cancelled."""
        if self.mode == "auto" and not call.reasons:
            return True
        about = ToolCallUpdate(tool_call_id=call.id, title=_title(call))
        asking = asyncio.ensure_future(
            self._client.request_permission(session_id=self.session.id, tool_call=about, options=_OPTIONS)
        )
        stopped = asyncio.ensure_future(self._cancelled.wait())
        try:
            await asyncio.wait({asking, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if self._cancelled.is_set() or not asking.done():
                return None
            outcome = asking.result().outcome
        except RequestError as error:
            # It cannot ask, so nobody has allowed it: the edit waits for `/write`.
            await self._say(f"\nNot written, the client cannot ask: {error}\n")
            return None
        finally:
            asking.cancel()
            stopped.cancel()
        if not isinstance(outcome, AllowedOutcome):
            return None
        if outcome.option_id == "always":
            self.mode = "auto"
            await self._send(CurrentModeUpdate(session_update="current_mode_update", current_mode_id="auto"))
        return outcome.option_id in ("allow", "always")

    async def _write(self, calls: Sequence[FileCall], hunks: Sequence[Hunk]) -> None:
        if not calls:
            return
        try:
            applied = await in_thread(self.session.changes.write)
        except SparkError as error:
            for hunk in hunks:
                if self.session.decisions.review.state(hunk.id) == "accepted":
                    self.session.decisions.decide(hunk.id, "open")
            for call in calls:
                await self._send(ended(call, "failed", str(error)))
            await self._say(f"\nNothing was written: {error}\n")
            return
        for call in calls:
            await self._send(ended(call, "completed"))
        if applied.note:
            await self._say(f"\n{applied.note}\n")

    async def _say(self, text: str) -> None:
        await self._send(update_agent_message_text(text))

    async def _send(self, update: Any) -> None:
        await self._client.session_update(session_id=self.session.id, update=update)


def _title(call: FileCall) -> str:
    marks = f" (check it: {'; '.join(dict.fromkeys(call.reasons))})" if call.reasons else ""
    return f"Edit {call.path}{marks}"


def _response(reason: Any, end: LegEnd) -> PromptResponse:
    spent = end.usage
    usage = Usage(
        input_tokens=spent.prompt_tokens,
        output_tokens=spent.output_tokens,
        total_tokens=spent.prompt_tokens + spent.output_tokens,
        cached_read_tokens=spent.reused_tokens,
    )
    return PromptResponse(stop_reason=reason, usage=usage)
