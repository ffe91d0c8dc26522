"""What programs can make of an instruction about a piece of code, and how plainly it is asked for.

Comes in: the lines that are shown, the instruction, where the person is. Goes out: `Known` edits, the plainest first.
Must not know: models, ids, files on a disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice

from spark_tui.refactor.doubts import doubted
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.parted import parted
from spark_tui.refactor.source import Source, parse

RULES: Sequence[Rule] = ()
"""Other rules than those of all families."""
PLAIN, LOOSE = 2, 1
"""How plainly: every word that says something is accounted for, and nothing else comes of the order; one word in four
is not, or there are several ways."""
MOST = 3
MOST_CHARS = 600
"""What is longer tells a story, or holds code."""
MOST_BRACKETS = 60
"""More in one another are too many for a parser, which says so in its own ways."""
raises = False
"""Whether a rule that stumbles says so: tests want to see it."""
_SPARE = 0.25
_LONG = 400


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `first..last-1` become `new`."""

    first: int
    last: int
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """One edit that was made by a program."""

    hunks: tuple[Hunk, ...]
    plain: int


def known(
    lines: Sequence[str],
    instruction: str,
    *,
    headers: Sequence[str] = (),
    selection: tuple[int, int] | None = None,
    cursor: int | None = None,
    first_line: int = 1,
) -> list[Known]:
    """Edits that the instruction may mean; most instructions are not about any."""
    if len(instruction) > MOST_CHARS or sum(map(instruction.count, "([{")) > MOST_BRACKETS:
        return []
    order = Order(_source(tuple(lines), tuple(headers)), instruction, selection, cursor, first_line)
    whole = _whole(order)
    if (whole and whole[0].plain == PLAIN) or selection is not None or len(lines) > _LONG:
        return whole

    def make(now: tuple[str, ...], said: str) -> tuple[str, ...] | None:
        part = _whole(Order(_source(now, tuple(headers)), said, None, cursor, first_line))
        return with_hunks(now, part[0].hunks) if part and part[0].plain == PLAIN else None

    made = parted(tuple(lines), order.said, make)
    return whole if made is None else [Known(tuple(between(order.src.lines, made)), PLAIN)]


def with_hunks(lines: Sequence[str], hunks: Sequence[Hunk]) -> tuple[str, ...]:
    out = list(lines)
    for hunk in reversed(hunks):
        out[hunk.first : hunk.last] = hunk.new
    return tuple(out)


def _whole(order: Order) -> list[Known]:
    """Edits of the order as one."""
    found: dict[str, int] = {}
    for rule in RULES or _all():
        if rule.trigger.search(order.said):
            for edit in _made(rule, order):
                text = _sparing(order, edit.text)
                if text != order.src.text and (plain := _plainly(order, edit)):
                    found[text] = max(plain, found.get(text, 0))
    for best in (PLAIN, LOOSE):
        kept = list(islice((t for t, plain in found.items() if plain == best and _holds(order.src, t)), MOST))
        if kept:
            plain = best if len(kept) == 1 and not (best == PLAIN and doubted(order, kept[0])) else LOOSE
            return [Known(tuple(between(order.src.lines, text.split("\n")[:-1])), plain) for text in kept]
    return []


def _made(rule: Rule, order: Order) -> Iterator[Edit]:
    """What a rule makes. Where it stumbles over what is said or shown that is nothing: the model is still there."""
    try:
        yield from rule.make(order)
    except Exception:
        if raises:
            raise


@lru_cache
def _all() -> tuple[Rule, ...]:
    """Loaded when something is asked for the first time: a screen is up before that."""
    from spark_tui.refactor.families import RULES as ALL

    return ALL


@lru_cache(maxsize=8)
def _source(lines: tuple[str, ...], headers: tuple[str, ...]) -> Source:
    """The same file is asked about again and again."""
    return Source(lines, headers)


def _sparing(order: Order, text: str) -> str:
    """The new text, but as it was in the lines that the order keeps out."""
    if not order.spared:
        return text
    lines = list(order.src.lines)
    for hunk in reversed(between(lines, text.split("\n")[:-1])):
        last = max(hunk.last, hunk.first + 1)
        if not any(first < last and hunk.first < end for first, end in order.spared):
            lines[hunk.first : hunk.last] = hunk.new
    return "".join(f"{line}\n" for line in lines)


def _plainly(order: Order, edit: Edit) -> int:
    rest = order.left_over(edit)
    if not rest:
        return PLAIN
    said = [word for word in order.said.split() if word]
    return LOOSE if len(rest) <= max(1, _SPARE * len(said)) else 0


def _holds(src: Source, text: str) -> bool:
    """Code that parsed still does."""
    return src.tree is None or parse("".join(f"{line}\n" for line in src.headers) + text) is not None


def between(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """The least hunks from one text to the other. What is the same at both ends of a long one is not looked through."""
    most = min(len(old), len(new)) if len(old) > _LONG else 0
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    was, now = old[head : len(old) - tail], new[head : len(new) - tail]
    codes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    return [Hunk(head + a, head + b, tuple(now[c:d])) for code, a, b, c, d in codes if code != "equal"]
