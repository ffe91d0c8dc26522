"""A budgeted request from an instruction, the mentions in it and the file in view.

Comes in: the instruction, the path in view, a `read_lines(path)` and a `count_tokens(text)`. Goes out: a
`Shown`: the file parts in prompt order, their token counts, and what was left out and why.
Must not know: settings, backends, the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spark_tui.context.mentions import Mention, find_mentions


@dataclass(frozen=True, slots=True)
class Section:
    """One file, or lines of one, that the model is shown, with what it costs."""

    path: str
    text: str
    first_line: int
    total_lines: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What the model is shown, and what it is not: `(path, reason)`."""

    sections: tuple[Section, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)


def show(
    instruction: str,
    in_view: str,
    *,
    read_lines: Callable[[str], Sequence[str] | None],
    count_tokens: Callable[[str], int],
    budget_tokens: int = 0,
) -> Shown:
    """Mentioned files first, in the order they are named, then the file in view. A budget of 0 has no bound."""
    wanted = list(find_mentions(instruction))
    if in_view and all(mention.path != in_view for mention in wanted):
        wanted.append(Mention(in_view))
    sections: list[Section] = []
    left_out: list[tuple[str, str]] = []
    spent = 0
    for mention in wanted:
        lines = read_lines(mention.path)
        if lines is None:
            left_out.append((mention.path, "no such text file"))
            continue
        if mention.first > len(lines):
            left_out.append((mention.path, f"has {len(lines)} lines, not {mention.first}"))
            continue
        picked = lines[mention.first - 1 : mention.last] if mention.first else lines
        text = "".join(line + "\n" for line in picked)
        tokens = count_tokens(text)
        if budget_tokens and spent + tokens > budget_tokens:
            left_out.append((mention.path, f"{tokens} tokens do not fit in the {budget_tokens - spent} that are left"))
            continue
        spent += tokens
        sections.append(Section(mention.path, text, mention.first or 1, len(lines), tokens))
    return Shown(tuple(sections), tuple(left_out))
