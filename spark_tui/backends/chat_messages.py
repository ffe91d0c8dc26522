"""Turn a `Request` into chat messages for a model that was not trained on our format.

The messages carry the rules of the edit format, files, history and instruction.
"""

from __future__ import annotations

from functools import cache

from spark_tui.backends.base import MAP_PATH, FilePart, Request
from spark_tui.tables import read_table

Message = dict[str, str]

EDIT_FORMATS: dict[str, str] = read_table(__file__, "edit_formats.toml")
"""How each edit format is asked for."""
_TASK = "You edit files of a repository as a pair programmer. Change what is asked for and nothing else."
_CANNOT = "If it cannot be done, or nothing needs to change, say so in one sentence and write no edit."
_GOING_ON = "Go on exactly where you stopped; repeat nothing."
_STEERED = (
    "Your whole edits above stand, one that was cut off is dropped. Write only what this message changes or"
    " adds, as whole edits."
)


@cache
def model_formats() -> tuple[tuple[str, str], ...]:
    """Pattern of a model's name, and the edit format that it is asked for; the first that fits counts."""
    rows = read_table(__file__, "model_formats.toml")
    return tuple((pattern, row["format"]) for row in rows["family"] for pattern in row["models"])


def opening(request: Request, format_name: str) -> list[Message]:
    """The messages up to the instruction; the steps of the turn come after them. Roles alternate strictly,
    because some models' templates insist on it."""
    system = "\n\n".join(filter(None, [_TASK, EDIT_FORMATS.get(format_name, ""), _CANNOT, request.rules]))
    out: list[Message] = [{"role": "system", "content": system}]
    shown = _shown_at(request)
    pending: list[str] = []
    for at, exchange in enumerate(request.history):
        pending += [*shown.get(at, ()), exchange.instruction]
        # Anthropic refuses a text that is empty, or all space.
        answer = exchange.answer if exchange.answer.strip() else "(nothing)"
        out += [_user(pending), {"role": "assistant", "content": answer}]
        pending = [f"What became of that edit: {exchange.outcome}"] if exchange.outcome else []
    pending += [*shown.get(len(request.history), ()), request.instruction]
    out.append(_user(pending))
    return out


def _shown_at(request: Request) -> dict[int, list[str]]:
    """The files, by the exchange that they stand before. A server reads anew what follows a change: so the
    map, another for each instruction, and files that are shorter than the earlier turns, follow those."""
    before = min(request.told_before, len(request.history))
    told = sum(len(one.instruction) + len(one.answer) for one in request.history[:before])
    files = [part for part in request.files if part.path != MAP_PATH]
    place = before if told > sum(len(part.text) for part in files) else 0
    out: dict[int, list[str]] = {place: [_shown(part) for part in files]}
    out.setdefault(before, []).extend(_shown(part) for part in request.files if part.path == MAP_PATH)
    return out


def continuation(request: Request, partial: str) -> list[Message]:
    """The begun answer (`partial`), and the request to go on with it."""
    out: list[Message] = []
    if partial or request.steer:
        # Templates drop blanks at the end, or the model does not count them.
        shown = partial.rstrip(" \t") if partial.strip() else "(nothing yet)"
        out.append({"role": "assistant", "content": shown})
        told = f"{request.steer}\n\n{_STEERED}" if request.steer else _GOING_ON
        out.append({"role": "user", "content": told})
    return out


def _user(parts: list[str]) -> Message:
    return {"role": "user", "content": "\n\n".join(filter(None, parts))}


def _shown(part: FilePart) -> str:
    """A file in a fence that nothing in it closes."""
    ticks = "```"
    while ticks in part.text:
        ticks += "`"
    last = part.first_line + max(part.text.count("\n") - 1, 0)
    whole = part.first_line == 1 and (not part.total_lines or last >= part.total_lines)
    note = "" if whole else f" (lines {part.first_line} to {last} of {part.total_lines})"
    end = "" if part.text.endswith("\n") else "\n"
    return f"{part.path}{note}\n{ticks}\n{part.text}{end}{ticks}"
