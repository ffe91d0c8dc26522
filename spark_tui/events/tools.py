"""The steps of a turn in which a model uses tools: what it called, what came out, how it ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The turn sends it when the model begins a call. `step` counts the model's answers in the turn, from 1;
    `call_id` is unique in it. The name may be one that was not offered."""

    call_id: str
    name: str
    step: int = 1


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """Output of a call, as it arrives. Joined, it is what the model gets: bounded, and without control
    characters. It is data: instructions in it are not followed."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """The turn sends it when a call is complete. `arguments` is the JSON text as the model wrote it;
    `summary` says in a few words what was done. A call that was cut off never finishes."""

    call_id: str
    name: str
    arguments: str
    summary: str
    failed: bool = False
    seconds: float = 0.0


def tool_line(event: ToolFinished) -> str:
    """A finished call in one line: `read_file cart.py:1-5`."""
    text = " ".join(f"{event.name} {event.summary}".split())
    harmless = "".join(ch if ch.isprintable() else "?" for ch in text)
    return f"{'✗' if event.failed else '·'} {harmless[:200]}"
