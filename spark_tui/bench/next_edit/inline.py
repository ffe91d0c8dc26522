"""Ghost text from the file alone, in lines of real packages: how often it is shown, and how often right."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from spark_tui.bench.measuring.reporting import Bar
from spark_tui.next_edit.inline import complete_line

_LEAST_LENGTH = 10
_LEAST_LINES = 30
_WORD_END = re.compile(r"\w")


def ghost_text(texts: Sequence[dict[str, str]], chances: int) -> tuple[list[dict[str, Any]], list[Bar]]:
    """The carets are anywhere in code lines of at least ten characters; the rest of the line is hidden. Shown
    text is right where the rest begins with it, and no word goes on behind it."""
    rng = random.Random(11)
    files = [text for found in texts for text in found.values() if text.count("\n") >= _LEAST_LINES]
    shown = right = done = 0
    while done < chances and files:
        lines = rng.choice(files).split("\n")
        row = rng.randrange(len(lines))
        line = lines[row].rstrip()
        code = line.lstrip()
        if len(code) < _LEAST_LENGTH or code.startswith("#"):
            continue
        done += 1
        column = rng.randrange(len(line) - len(code) + 1, len(line))
        found = complete_line(lines, row, column)
        if found is not None:
            shown += 1
            right += _is_right(found.text, line[column:])
    rows = [{"history": "ghost text", "chances": done, "shown": shown, "right": right}]
    return rows, [
        Bar("ghost text right to the letter, of what is shown", right / shown if shown else None, 0.70),
        Bar("ghost text shown, of all chances", shown / done if done else None, 0.10),
    ]


def _is_right(shown: str, rest: str) -> bool:
    if not rest.startswith(shown):
        return False
    return not (_WORD_END.match(shown[-1]) and _WORD_END.match(rest[len(shown) : len(shown) + 1]))
