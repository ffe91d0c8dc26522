"""Lines that an instruction shows as the place of an edit, named by their numbers instead: *in the line
`x = read(1)` drop the 1*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.tokens import tokenize


@lru_cache(maxsize=1)
def _around() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What stands in front of a line that is a place, with and without the word for it; that word behind."""
    places, lines, articles = (
        "|".join(map(re.escape, words(kind))) for kind in ("in_a_line", "lines", "articles")
    )
    before = rf"(?<!\w)(?:{places})\s+(?:(?:{articles})\s+)?"
    word = rf"(?:{lines})(?!\w)"
    return (
        re.compile(rf"{before}(?P<line>{word}\s*:?\s*)\Z", re.IGNORECASE),
        re.compile(rf"{before}(?P<line>)\Z", re.IGNORECASE),
        re.compile(rf"\s*{word}", re.IGNORECASE),
    )


def with_numbers(instruction: str, lines: Sequence[str]) -> str:
    """The instruction with its number for each line that it shows as a place, if the file has it once."""
    out, at = "", 0
    for start, end, number in _shown(instruction, lines):
        out += f"{instruction[at:start]}line {number}"
        at = end
    return out + instruction[at:]


def _shown(instruction: str, lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The characters of each shown line with the word for it, and its number."""
    behind_word, alone, word_behind = _around()
    for quoted in tokenize(instruction).quoted:
        front, code = instruction[: quoted.start], instruction[quoted.inner_start : quoted.inner_end].strip()
        before, after = behind_word.search(front), word_behind.match(instruction, quoted.end)
        if before is None and (after is not None or _is_code(code)):
            before = alone.search(front)
        elif before is not None:
            after = None
        numbers = [number for number, line in enumerate(lines, 1) if line.strip() == code]
        if before is not None and len(numbers) == 1:
            yield before.start("line"), after.end() if after is not None else quoted.end, numbers[0]


def _is_code(text: str) -> bool:
    """Whether a text is more than a name: only then it is a line without the word for it."""
    return re.fullmatch(r"[\w.]+", text) is None
