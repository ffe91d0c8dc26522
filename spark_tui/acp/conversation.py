"""One session in an editor: prompts become turns, and their edits are offered file by file and written."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from acp import Client, RequestError, text_block, tool_content
from acp.schema import AllowedOutcome, PermissionOption, PromptResponse, ToolCallUpdate, Usage

from spark_tui.acp.client_files import as_file
from spark_tui.acp.commands import job_command, leg_of
from spark_tui.acp.file_review import FileReview
from spark_tui.acp.job_turns import JobTurns
from spark_tui.acp.leg import Leg, LegEnd, Make, in_thread
from spark_tui.acp.opening import OpenedSession
from spark_tui.acp.prompts import Prompt
from spark_tui.acp.protocol_errors import INTERNAL, INVALID_REQUEST
from spark_tui.acp.session_client import SessionClient
from spark_tui.acp.updates import TurnUpdates
from spark_tui.errors import Misfit, NothingToDo, Refused, TreeChanged, UsageError
from spark_tui.jobs.delegation import deliver
from spark_tui.session.exact.exact_turns import EditRefused
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.tools.permission import Answer, PermissionRequest

_LOOK_SECONDS = 0.05
_ANSWERS: dict[str, Answer] = {"once": "once", "always": "always"}


class EditorQuestions:
    """Asks for the thread of a turn, over the connection of one session."""

    def __init__(self, client: SessionClient, loop: asyncio.AbstractEventLoop) -> None:
        self._client, self._loop = client, loop

    def __call__(self, request: PermissionRequest, stop: StopFlag) -> Answer:
        asking = asyncio.run_coroutine_threadsafe(self._ask(request), self._loop)
        while not stop.is_set():
            try:
                outcome = asking.result(_LOOK_SECONDS)
            except NotYet:
                continue
            except RequestError:
                return "no"  # it cannot ask
            if not isinstance(outcome, AllowedOutcome):
                return "no"
            return _ANSWERS.get(outcome.option_id, "no")
        asking.cancel()
        return "no"

    async def _ask(self, request: PermissionRequest) -> Any:
        about = ToolCallUpdate(
            tool_call_id=f"permission/{secrets.token_hex(4)}",
            title=request.title,
            kind="execute",
            content=[tool_content(text_block(request.text))],
        )
        options = [
            PermissionOption(option_id="once", name="Allow once", kind="allow_once"),
            PermissionOption(option_id="always", name=f"Allow {request.lasting}", kind="allow_always"),
            PermissionOption(option_id="no", name="Do not allow", kind="reject_once"),
        ]
        return await self._client.ask(about, options)


_ENDS = {
    "length": "max_tokens",
    "repeats": "max_tokens",
    "limit": "max_turn_requests",
    "cannot": "refusal",
    "interrupted": "cancelled",
}
_REFUSALS = (UsageError, Refused, Misfit, NothingToDo, EditRefused, TreeChanged)


class Conversation:
    """Runs the prompts of one session, one at a time."""

    def __init__(self, opened: OpenedSession, client: Client) -> None:
        self.session, self.options = opened.session, opened.options
        self._files = opened.files
        self.client = SessionClient(client, opened.id)
        self.session.tools.permissions.ask = EditorQuestions(self.client, asyncio.get_running_loop())
        self.session.tree.unsaved = self._files.seen
        self.running = False
        self._steerable = False
        """Whether a message can still reach the turn: not once its edits are offered."""
        self._stop = StopFlag()
        self._leaving = False
        self._cancelled = asyncio.Event()
        self._files.cancelled = self._cancelled.is_set
        self._review = FileReview(self.session, self.client, self.options, self._cancelled)
        self._jobs = JobTurns(self.session)
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
            raise RequestError(INVALID_REQUEST, "no turn is running: send the message as a prompt")
        self._steers.append(message)
        self._stop.set()

    def leave(self) -> None:
        """Stop what runs, as the client goes; a background job goes on."""
        self._leaving = True
        self.cancel()

    async def close(self) -> None:
        self.leave()
        while self.running:
            await asyncio.sleep(0.01)
        await in_thread(self.session.close)

    # -- a prompt

    async def prompt(self, read: Callable[[], Prompt]) -> PromptResponse:
        """Run a prompt until its edits are decided. Counts as running while it is still being read, so that
        a cancel that follows at once is heard."""
        self.check_idle()
        self.running = True
        self._cancelled.clear()
        self._steers.clear()
        try:
            return await self._run(await in_thread(read))
        finally:
            self.running = self._steerable = False

    def check_idle(self) -> None:
        """Raises the protocol's error while a prompt runs."""
        if self.running:
            why = "a prompt is running: cancel it, or steer it by _session/steering"
            raise RequestError(INVALID_REQUEST, why)

    async def _run(self, prompt: Prompt) -> PromptResponse:
        updates = TurnUpdates(secrets.token_hex(4), self.session.root)
        try:
            if command := job_command(prompt.instruction):
                return await self._job(updates, *command, prompt)
            turns = self.session.turns
            make = leg_of(prompt.instruction, self.session) or (
                lambda stop: turns.follow(prompt.instruction, files=prompt.files, stop=stop)
            )
            self._steerable = True
            await self._read_buffers(prompt)
            if self._cancelled.is_set():
                return _response("cancelled", LegEnd())
            end = await self._leg(updates, make)
            if end.author == EXACT_BACKEND and await self._found_unsaved(updates.calls):
                for hunk in self.session.decisions.unwritten():
                    self.session.decisions.decide(hunk.id, "rejected")
                end = await self._leg(updates, make)
            while self._steers and not self._cancelled.is_set():
                end = await self._leg(updates, self._steered(self._steers.pop(0)))
            self._steerable = False
        except _REFUSALS as error:
            # Said in words: most clients show an error of the protocol without its text.
            meant = [f"- `{choice}`\n" for choice in getattr(error, "choices", ())]
            await self.client.say("".join([f"{error}\n", *meant]))
            return PromptResponse(stop_reason="cancelled" if self._cancelled.is_set() else "end_turn")
        if end.failed is not None and not self._cancelled.is_set():
            await self._review.show(updates, "failed")
            found, hint = end.failed, end.failed.hint.replace("spark exec --resume last", "/resume")
            # Not every editor shows the data.
            what = " — ".join(filter(None, (": ".join(filter(None, (found.where, found.what))), hint)))
            raise RequestError(INTERNAL, what, {"where": found.where, "hint": hint})
        if end.reason == "stop":
            await self._leg(updates, lambda stop: self.session.check_answer(stop=stop))
        if self._cancelled.is_set():
            await self._review.show(updates, "stopped; /resume continues, /write writes the complete hunks")
            return _response("cancelled", end)
        decided = await self._review.decide(updates, everything=prompt.instruction == "/write")
        self._touched.update(self._review.files)
        return _response(_ENDS.get(end.reason, "end_turn") if decided else "cancelled", end)

    def _steered(self, message: str) -> Make:
        return lambda stop: self.session.turns.steer(message, stop=stop)

    async def _leg(self, updates: TurnUpdates, make: Make) -> LegEnd:
        self._stop = StopFlag()
        if self._cancelled.is_set():
            self._stop.set()
        return await Leg(updates, self.client.send, self._stop).run(make)

    async def _read_buffers(self, prompt: Prompt) -> None:
        """Files that the editor has not saved count as they are there."""
        self._touched.update(dict.fromkeys([*prompt.files, *prompt.mentioned]))
        tree = self.session.tree.with_files({})

        def read() -> dict[str, Any]:
            known = self._files.unsaved(self._touched, tree)
            for path, text in prompt.buffers.items():
                known[path] = as_file(path, text, tree.now(path))
            return known

        self._files.begin_turn()
        self.session.tree.as_read = await in_thread(read)

    async def _found_unsaved(self, paths: Iterable[str]) -> bool:
        """Exact edits read the whole repository, from the disk. Whether a file that they edit is unsaved:
        then it is known from now on."""
        tree, known = self.session.tree, self.session.tree.as_read
        fresh = [path for path in paths if path not in known]
        found = await in_thread(lambda: self._files.unsaved(fresh, tree.with_files({})))
        tree.as_read = {**known, **found}
        self._touched.update(dict.fromkeys(found))
        return bool(found)

    # -- background jobs

    async def _job(self, updates: TurnUpdates, name: str, rest: str, prompt: Prompt) -> PromptResponse:
        """List the jobs; start one and follow it; or take over what one has left."""
        if name == "jobs":
            end = await self._leg(updates, lambda _: self._jobs.listed())
            return _response("end_turn", end)
        folder: Path | None
        if name == "review":
            end, folder = LegEnd(), await in_thread(lambda: self._jobs.to_review(rest))
        else:

            def cancelled() -> bool:
                return self._cancelled.is_set() and not self._leaving

            end = await self._leg(
                updates, lambda stop: self._jobs.delegate(rest, prompt.files, stop, cancelled)
            )
            folder = self._jobs.left
        if self._cancelled.is_set():
            return _response("cancelled", end)
        if folder is None:
            return _response("end_turn", end)
        found = folder
        await self._leg(updates, lambda _: deliver(self.session, found))
        decided = await self._review.decide(updates)
        self._touched.update(self._review.files)
        return _response("end_turn" if decided else "cancelled", end)


def _response(reason: Any, end: LegEnd) -> PromptResponse:
    spent = end.usage
    usage = Usage(
        input_tokens=spent.prompt_tokens,
        output_tokens=spent.output_tokens,
        total_tokens=spent.prompt_tokens + spent.output_tokens,
        cached_read_tokens=spent.reused_tokens,
    )
    return PromptResponse(stop_reason=reason, usage=usage)
