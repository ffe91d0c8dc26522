"""Events of a turn as updates of the protocol. Each tells what is new, so that a stream's bytes grow with its
length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from acp import (
    start_tool_call,
    text_block,
    tool_content,
    tool_diff_content,
    update_agent_message_text,
    update_agent_thought_text,
    update_tool_call,
    update_user_message_text,
)
from acp.schema import ToolCallLocation

from spark_tui import events
from spark_tui.acp.job_turns import PlanChanged
from spark_tui.edits.hunk import Hunk
from spark_tui.events import Event
from spark_tui.session.reader.no_hunk_reason import for_command
from spark_tui.session.storage.archive import JournaledTurn

MOST_WHOLE = 200_000
"""Of larger files a diff has the changed lines only."""
_PIECES = {"agent_message_chunk": update_agent_message_text, "agent_thought_chunk": update_agent_thought_text}
Status = Literal["pending", "in_progress", "completed", "failed"]


@dataclass
class FileCall:
    """The tool call that stands for a turn's edit of one file."""

    id: str
    path: str
    hunks: list[int] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    """Why the edit is doubted, or has no place."""


class TurnUpdates:
    """Translates the events of one turn. `calls` are its files so far."""

    def __init__(self, turn: str, root: Path) -> None:
        self._turn, self._root = turn, root
        self.calls: dict[str, FileCall] = {}
        self._outputs: dict[str, str] = {}
        """Of the tools that the model has called and that are not finished."""

    def of(self, event: Event | PlanChanged) -> Iterator[Any]:
        if isinstance(event, events.Prose) and event.text:
            yield update_agent_message_text(for_command(event.text, "spark acp"))
        elif isinstance(event, events.Reasoning) and event.text:
            yield update_agent_thought_text(event.text)
        elif isinstance(event, events.Retrying):
            yield update_agent_thought_text(f"{event.sentence}\n")
        elif isinstance(event, events.Choices):
            lines = [f"{number}. {title}" for number, title in enumerate(event.titles, 1)]
            head = "Not done yet:" if event.is_rest else "Several edits may be meant:"
            text = "\n".join([head, *lines, "Say `/choose N`.", ""])
            yield update_agent_message_text(text)
        elif isinstance(event, events.HunkOpened):
            yield from self._opened(event)
        elif isinstance(event, events.HunkClosed):
            if event.old_lines or event.new_lines or event.mode or event.kind != "edit":
                yield from self._closed(event)
        elif isinstance(event, events.HunkFailed):
            said = f"{event.path}:{event.line}: {event.message}" if event.line else event.sentence
            yield update_agent_message_text(f"\n{said}\n")
        elif isinstance(event, events.Checked) and event.note:
            yield update_agent_message_text(f"\n{event.note}\n")
        elif isinstance(event, (events.ToolCalled, events.ToolFinished)):
            yield self._tool(event)
        elif isinstance(event, events.ToolOutput):
            self._outputs[event.call_id] = self._outputs.get(event.call_id, "") + event.text
        elif isinstance(event, (events.Finished, events.Failed)):
            for call_id in self._outputs:
                yield update_tool_call(f"{self._turn}/tool/{call_id}", status="failed")
            self._outputs.clear()
        elif isinstance(event, PlanChanged):
            yield event.update()
        elif isinstance(event, events.Doubt):
            for call in self.calls.values():
                if event.hunk_id in call.hunks and event.reason:
                    call.reasons.append(event.reason)

    def _tool(self, event: events.ToolCalled | events.ToolFinished) -> Any:
        """The model's own call of a tool, when it begins and when it has its output."""
        call_id = f"{self._turn}/tool/{event.call_id}"
        if isinstance(event, events.ToolCalled):
            self._outputs[event.call_id] = ""  # also of the same call, stopped before
            return start_tool_call(call_id, event.name, kind=_tool_kind(event.name), status="in_progress")
        output = self._outputs.pop(event.call_id, "")
        return update_tool_call(
            call_id,
            title=" ".join(f"{event.name} {event.summary}".split()),
            status="failed" if event.failed else "completed",
            content=[tool_content(text_block(output))] if output else None,
        )

    def _opened(self, event: events.HunkOpened) -> Iterator[Any]:
        if event.path in self.calls:
            return
        call = self.calls[event.path] = FileCall(f"{self._turn}/{len(self.calls) + 1}", event.path)
        yield start_tool_call(
            call.id,
            f"Edit {event.path}",
            kind="delete" if event.kind == "delete" else "move" if event.kind == "move" else "edit",
            status="in_progress",
            locations=[self._place(event.path, event.old_start)],
        )

    def _closed(self, event: events.HunkClosed) -> Iterator[Any]:
        if event.path not in self.calls:
            opened = events.HunkOpened(
                event.hunk_id, event.path, event.old_start, len(event.old_lines), event.kind, event.new_path
            )
            yield from self._opened(opened)
        call = self.calls[event.path]
        call.hunks.append(event.hunk_id)
        if len(call.hunks) > 1:
            yield update_tool_call(call.id, locations=[self._place(event.path, event.old_start)])

    def _place(self, path: str, line: int) -> ToolCallLocation:
        return ToolCallLocation(path=str(self._root / path), line=max(line, 1))


def _tool_kind(name: str) -> Any:
    kinds = {"run": "execute", "search": "search", "symbols": "search", "references": "search"}
    edits = ("edit", "write_file", "apply_patch", "codemod")
    looks = ("read_file", "list_files", "diagnostics")
    return kinds.get(name) or ("edit" if name in edits else "read" if name in looks else "other")


def diff_of(root: Path, hunks: Sequence[Hunk], old: str | None, new: str | None) -> list[Any]:
    """The edit of a file as diff content: its texts before and after; of a large file the changed lines."""
    path = str(root / hunks[0].path)
    if len(old or "") + len(new or "") <= MOST_WHOLE:
        return [tool_diff_content(path, new or "", old)]
    return [
        tool_diff_content(path, _text(hunk.new_lines), None if hunk.kind == "add" else _text(hunk.old_lines))
        for hunk in hunks
    ]


def ended(call: FileCall, status: Status, why: str = "") -> Any:
    """The last update of a tool call."""
    return update_tool_call(call.id, status=status, raw_output={"reason": why} if why else None)


def history(turns: Iterable[JournaledTurn], root: Path) -> Iterator[Any]:
    """A stored session, for a client that opens it."""
    turns = list(turns)
    states = _last_states(event for turn in turns for event in turn.all_events)
    for turn in turns:
        yield update_user_message_text(turn.started.prompt)
        prose: list[str] = []
        hunks: dict[str, list[int]] = {}
        written: set[str] = set()
        for event in turn.all_events:
            if isinstance(event, events.Prose):
                prose.append(for_command(event.text, "spark acp"))
            elif isinstance(event, events.HunkClosed) and not event.partial:
                hunks.setdefault(event.path, []).append(event.hunk_id)
            elif isinstance(event, events.Applied):
                written.update(event.paths)
        if prose:
            yield update_agent_message_text("".join(prose))
        for number, (path, ids) in enumerate(hunks.items(), 1):
            found = {states.get(hunk_id, "") for hunk_id in ids}
            gone = found <= _GONE
            status: Status = "failed" if gone else "completed" if path in written else "pending"
            yield start_tool_call(
                f"{turn.turn_id}/{number}",
                f"Edit {path}",
                kind="edit",
                status=status,
                locations=[ToolCallLocation(path=str(root / path))],
                raw_output={"reason": ", ".join(sorted(found))} if gone else None,
            )


_GONE = {"rejected", "dropped", "undone"}
"""States of hunks that are not in the files, and do not wait."""


def _last_states(past: Iterable[events.Event]) -> dict[int, str]:
    """What became of each hunk of a session."""
    states: dict[int, str] = {}
    for event in past:
        if isinstance(event, events.Decided):
            states[event.hunk_id] = event.decision
        elif isinstance(event, (events.Applied, events.Undone)):
            back = isinstance(event, events.Undone) and not event.redo
            states.update(dict.fromkeys(event.hunks, "undone" if back else "written"))
    return states


def joined(updates: Iterable[Any]) -> list[Any]:
    """Updates with neighbouring pieces of a message put together."""
    out: list[Any] = []
    for update in updates:
        last = out[-1] if out else None
        if (
            last is not None
            and update.session_update == last.session_update
            and update.session_update in _PIECES
        ):
            out[-1] = _PIECES[update.session_update](last.content.text + update.content.text)
        else:
            out.append(update)
    return out


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
