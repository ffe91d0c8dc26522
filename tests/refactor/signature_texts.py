"""What programs make of an order, as texts."""

from __future__ import annotations

from spark_tui.refactor.known import Known, known


def made(text: str, instruction: str) -> list[tuple[str, int]]:
    lines = tuple(text.split("\n")[:-1])
    return [(_text(lines, one), one.plain) for one in known(lines, instruction)]


def _text(lines: tuple[str, ...], one: Known) -> str:
    out = list(lines)
    for hunk in reversed(one.hunks):
        out[hunk.first : hunk.last] = hunk.new
    return "".join(f"{line}\n" for line in out)
