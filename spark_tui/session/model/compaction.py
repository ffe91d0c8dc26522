"""Keeps a long conversation within a model's window by reducing old turns to facts.

The summary of a turn depends only on the turns up to it, so the beginning of the prompt stays the same from
turn to turn and a server finds it in its cache. Old turns are reduced together, down to half of the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.backends.base import Exchange

CHARACTERS = 3
"""Of a token, at least: code has short ones."""
_MOST_IN_FACT = 300
NOTED = "(noted)"


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn in full, and as a fact: what was asked, which files it was about, and how it ended."""

    exchanges: tuple[Exchange, ...]
    asked: str
    paths: tuple[str, ...]
    outcome: str

    @property
    def tokens(self) -> int:
        lengths = (
            len(exchange.instruction) + len(exchange.answer) + len(exchange.outcome)
            for exchange in self.exchanges
        )
        return sum(lengths) // CHARACTERS

    @property
    def fact(self) -> str:
        where = f" ({', '.join(self.paths)})" if self.paths else ""
        outcome = _short(self.outcome) or "nothing was edited"
        return f"- {_short(self.asked)}{where}: {outcome}"


def compacted(turns: Sequence[ToldTurn], limit: int) -> tuple[Exchange, ...]:
    """The turns within so many tokens, 0 for no limit: the last ones in full, and before them one exchange
    with the facts of the others."""
    first = first_kept([turn.tokens for turn in turns], limit)
    recent = tuple(exchange for turn in turns[first:] for exchange in turn.exchanges)
    return (_facts(turns[:first], limit // 4), *recent) if first else recent


def first_kept(sizes: Sequence[int], limit: int) -> int:
    """The first of several parts that stays whole where they may take so many tokens, 0 for no limit. The
    older ones give way in one go, down to half of that: so the beginning of the prompt stays the same."""
    first = tokens = 0
    for at, size in enumerate(sizes):
        tokens += size
        if limit and tokens > limit:
            while first < at and tokens > limit // 2:
                tokens -= sizes[first]
                first += 1
    return first


def _facts(turns: Sequence[ToldTurn], limit: int) -> Exchange:
    lines: list[str] = []
    room = limit * CHARACTERS
    for turn in reversed(turns):
        room -= len(turn.fact) + 1
        if room < 0 and lines:
            break
        lines.append(turn.fact)
    left = len(turns) - len(lines)
    head = f"Earlier in this session{f', after {left} more turns' if left else ''}, as facts:"
    return Exchange("\n".join([head, *reversed(lines)]), NOTED)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _MOST_IN_FACT else f"{plain[: _MOST_IN_FACT - 1]}…"
