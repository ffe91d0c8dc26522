"""The messages of `spark exec` about single events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.events import Event


def doubtful_hunks(
    hunks: Sequence[Hunk], doubts: Callable[[int], Sequence[events.Doubt]], told: str = ""
) -> Iterator[str]:
    """The marked hunks with their reasons; a shared reason is given once, and those in `told` are left
    out."""
    lines = told.splitlines()
    by_reason: dict[str, list[str]] = {}
    for hunk in hunks:
        for doubt in doubts(hunk.id):
            if all(any(part in line for line in lines) for part in doubt.reason.split("; ")):
                continue
            by_reason.setdefault(doubt.reason, []).append(f"{hunk.path}:{hunk.old_start}")
    for reason, places in by_reason.items():
        if len(places) == 1:
            yield f"{places[0]}: check this hunk: {reason}"
        else:
            yield f"check these {len(places)} hunks: {reason}\n  {', '.join(places)}"


def misfit(event: events.HunkFailed) -> str:
    """An edit that has no place, with the lines that differ."""
    words = [event.sentence]
    if event.expected or event.found:
        words.append(f"  the edit expects {event.expected!r}")
    if event.found:
        words.append(f"  the file has     {event.found!r}")
    if event.similar_lines:
        words.append(f"  similar lines:   {event.similar_lines}")
    return "\n".join(words)


def failure(event: events.Failed, again: str, *, kept: bool) -> str:
    """What went wrong, where, and what to do. `again` is the command that resumes the turn, which is said
    where something of it is `kept`."""
    where = f"{event.where}: " if event.where else ""
    hint = event.hint.replace("spark exec --resume last", again)
    if kept and again not in hint:
        hint = f"{hint} To go on from there: {again}".lstrip()
    return f"{where}{event.what}" + (f"\n  {hint}" if hint else "")


def print_event(event: Event) -> None:
    """One line of JSON on stdout."""
    print(json.dumps(events.to_dict(event), ensure_ascii=True), flush=True)
