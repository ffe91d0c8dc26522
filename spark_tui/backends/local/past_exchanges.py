"""Earlier exchanges of a session as the built-in family is shown them."""

from __future__ import annotations

import re

from spark_tui.backends.base import Exchange, FilePart
from spark_tui.engine import token_layout

_RANGE = re.compile(r"@@ (\d+),(\d+)")
_TAKEN = re.compile(r"(?:^|: )(?:accepted(?!, then undone)|changed by the user)", re.MULTILINE)
"""What an outcome says of an edit that the file shows. Undecided, undone and rejected ones it does not
show."""


def past_exchange(exchange: Exchange, part: FilePart, n_lines: int) -> token_layout.PastExchange:
    """An earlier exchange: taken, or turned down with its hunks in lines of the window as shown."""
    if not exchange.outcome or _TAKEN.search(exchange.outcome):
        return token_layout.PastExchange(exchange.instruction)
    return token_layout.PastExchange(
        exchange.instruction, False, tuple(_hunks(exchange.answer, part.first_line, n_lines))
    )


def _hunks(answer: str, first_line: int, n_lines: int) -> list[token_layout.WindowHunk]:
    hunks: list[token_layout.WindowHunk] = []
    body: list[str] = []
    place: tuple[int, int] | None = None

    def close() -> None:
        if place is not None and 0 <= place[0] <= place[1] <= n_lines:
            hunks.append(token_layout.WindowHunk(*place, tuple(body)))

    for line in answer.split("\n"):
        if found := _RANGE.fullmatch(line.strip()):
            close()
            place, body = (int(found[1]) - first_line, int(found[2]) - first_line), []
        elif line.startswith("+"):
            body.append(line[1:])
    close()
    return hunks
