"""What a tool puts out: bounded, without control characters, and with a word about what was cut."""

from __future__ import annotations

from collections.abc import Iterable

from spark_tui.errors import visible

MOST_CHARACTERS = 24_000
MOST_IN_LINE = 1_000


def shown_line(line: str) -> str:
    """One line of a file or an output. What could speak to a terminal is shown as a mark."""
    cut = line[:MOST_IN_LINE]
    text = cut if cut.isprintable() else visible(cut.replace("\r", "\\r"))
    return f"{text} … {len(line) - MOST_IN_LINE:,} more characters" if len(line) > MOST_IN_LINE else text


def joined(lines: Iterable[str], most: int = MOST_CHARACTERS) -> tuple[str, int]:
    """So many lines as fit, and how many those are."""
    out: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if out and size > most:
            break
        out.append(line)
    return "\n".join(out), len(out)


def count_of(number: int, noun: str) -> str:
    """`1 line`, `2,000 lines`."""
    plural = noun if number == 1 else noun + ("es" if noun.endswith(("s", "ch")) else "s")
    return f"{number:,} {plural}"
