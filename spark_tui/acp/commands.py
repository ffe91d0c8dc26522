"""Slash commands of a prompt: exact edits, and what keys do in the workbench."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from threading import Event as StopFlag

from acp.schema import (
    AvailableCommand,
    AvailableCommandInput,
    AvailableCommandsUpdate,
    UnstructuredCommandInput,
)

from spark_tui import events
from spark_tui.acp.leg import Make
from spark_tui.errors import NothingToDo, UsageError
from spark_tui.events import Event
from spark_tui.session.exact.edit_commands import commands, is_edit_command
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.session import Session
from spark_tui.tools.mcp_texts import ServerText

_OWN = {
    "resume": "continue the stopped turn",
    "retry": "send the last instruction again",
    "write": "write the edits that wait for a decision",
    "choose": "take one of the edits that may be meant: /choose 2",
    "undo": "undo the last write",
    "redo": "write again what was undone",
}
_JOBS = {
    "delegate": ("work on it in the background: one instruction a line", '[--check "COMMAND"] INSTRUCTION'),
    "jobs": ("list the background jobs of this repository", ""),
    "review": ("write the edits of a background job", "NUMBER"),
}
_COMMAND = re.compile(r"/([a-z]+)(?:\s+(.*))?\Z", re.DOTALL)


def command_update(prompts: Iterable[ServerText] = ()) -> AvailableCommandsUpdate:
    """All commands, for the client's menu; those after `prompts` are of MCP servers."""
    own = [_command(name, about) for name, about in _OWN.items()]
    jobs = [_command(name, about, hint) for name, (about, hint) in _JOBS.items()]
    exact = [
        _command(item.name, "exact edit of Python code", item.usage.partition(" ")[2])
        for item in commands().values()
    ]
    served = [_command(text.typed, text.about, " ".join(text.arguments)) for text in prompts]
    return AvailableCommandsUpdate(
        session_update="available_commands_update", available_commands=[*own, *jobs, *exact, *served]
    )


def job_command(text: str) -> tuple[str, str] | None:
    """A command about background jobs, and what is said with it; None for any other prompt."""
    found = _COMMAND.match(text)
    if found is None or found[1] not in _JOBS:
        return None
    name, rest = found[1], (found[2] or "").strip()
    if name == "review" and not rest:
        return name, "last"
    if name == "jobs" and rest:
        raise UsageError("/jobs takes no arguments")
    return name, rest


def leg_of(text: str, session: Session) -> Make | None:
    """What a prompt that is a command runs; None for any other prompt. Raises UsageError for a command that
    does not exist."""
    if is_edit_command(text):
        return lambda stop: _exact(text, session, stop)
    found = _COMMAND.match(text)
    if found is None:
        return None
    name, rest = found[1], (found[2] or "").strip()
    if name not in _OWN:
        near = difflib.get_close_matches(name, [*_OWN, *_JOBS, *commands()], 1)
        if near or not rest:  # else an instruction may begin with a path
            hint = f"Did you mean /{near[0]}?" if near else "Your editor lists the commands after a `/`."
            raise UsageError(f"no command /{name}", hint=hint)
        return None
    if name == "choose":
        if not rest.isdecimal():
            raise UsageError("/choose needs a number")
        return lambda stop: session.turns.choose(int(rest), stop=stop)
    if rest:
        raise UsageError(f"/{name} takes no arguments")
    if name == "write" and not session.decisions.offered():
        raise NothingToDo("no edit waits for a decision")
    legs: dict[str, Make] = {
        "resume": lambda stop: session.turns.resume(stop=stop),
        "retry": lambda stop: session.turns.retry(stop=stop),
        "write": lambda _: (),
        "undo": lambda _: _told(session.changes.undo()),
        "redo": lambda _: _told(session.changes.redo()),
    }
    return legs[name]


def _command(name: str, about: str, hint: str = "") -> AvailableCommand:
    given = AvailableCommandInput(UnstructuredCommandInput(hint=hint)) if hint else None
    return AvailableCommand(name=name, description=about, input=given)


def _exact(text: str, session: Session, stop: StopFlag) -> Iterator[Event]:
    yield from session.exact.run(session.exact.plan(text, Cursor(), stop), stop=stop)


def _told(undone: events.Undone) -> Iterator[Event]:
    verb = "Written again" if undone.redo else "Undone"
    yield events.Prose(f"{verb}: {', '.join(undone.paths) or 'no file changed'}\n")
