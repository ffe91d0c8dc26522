"""The templates that one change and those before it are examples of, from narrow to wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.generalize import explains, unified, window
from spark_tui.next_edit.template import Template
from spark_tui.next_edit.tokens import CLOSING, NEWLINE, OPENING, is_anchor, is_word
from spark_tui.shared_ends import same_at_end, same_at_start

MOST_EXAMPLES = 4
_MOST_COMMON = 8


@dataclass(frozen=True)
class Pattern:
    """A template, changes that it was made of, the newest first, all changes so far that it makes, and which
    context it has."""

    template: Template
    examples: tuple[Change, ...]
    alike: tuple[Change, ...]
    context: str


def patterns(newest: Change, earlier: Sequence[Change]) -> Iterator[Pattern]:
    """Every template worth a look. `earlier` are changes before, the newest first."""
    same = [change for change in earlier if change.shape == newest.shape]
    alike = _spread(same, MOST_EXAMPLES - 1)
    seen: set[Template] = set()
    if not alike:
        for other in earlier[:2]:
            made = unified(newest, other)
            if made is not None and explains(made, newest) and explains(made, other):
                more = [change for change in earlier if change is not other and explains(made, change)]
                all_made = (newest, other, *more)
                yield Pattern(made, all_made[:MOST_EXAMPLES], all_made, "unified")
                break
    examples = (newest, *alike)
    for context, low, high, wide in _windows(newest, alike):
        for keep in (False, True):
            template = window(newest, low, high, keep=keep, wide=wide)
            if template is None or template in seen or not explains(template, newest):
                continue
            if not all(explains(template, change) for change in alike):
                template = _looser(template)
                if template in seen or not all(explains(template, example) for example in examples):
                    continue
            seen.add(template)
            context += " kept" if keep and len(newest.runs) > 1 else ""
            yield Pattern(template, examples, (newest, *same), context)


def _spread(changes: Sequence[Change], most: int) -> list[Change]:
    """The first, the last, and some between: places near each other have more in common than all have."""
    if len(changes) <= most:
        return list(changes)
    return [changes[round(at * (len(changes) - 1) / (most - 1))] for at in range(most)]


def _is_line(change: Change) -> bool:
    """Whether whole lines came or went."""
    return change.came[-1:] == [NEWLINE] or change.went[-1:] == [NEWLINE]


def _looser(template: Template) -> Template:
    """The same form wherever it stands: examples differ in what is in front of it, or in prose and code."""
    return Template(template.old, template.new, template.wide, template.indent, at=template.at)


def _windows(newest: Change, alike: Sequence[Change]) -> Iterator[tuple[str, int, int, int]]:
    """What belongs to the form, as (name, first token, last token, where a hole for arguments begins)."""
    low, high = newest.old
    texts = newest.before.texts
    if any(map(is_anchor, newest.went)):
        yield "none", low, high, -1
    left, right = _common(newest, alike)
    if alike:
        if left and right:
            yield "sides", low - 1, high + 1, -1
        if left:
            yield "before", low - 1, high, -1
        if right:
            yield "after", low, high + 1, -1
        if left > 1 or right > 1:
            yield "common", low - left, high + right, -1
    else:
        if left > 1:
            yield "two before", low - 2, high + min(right, 1), -1
        yield "sides", low - min(left, 1), high + min(right, 1), -1
        yield "line", low - left, high + right, -1
    if right > 1 and _is_line(newest):
        yield "next line", low, high + right, -1
    yield from _call(texts, low, high)


def _call(texts: list[str], low: int, high: int) -> Iterator[tuple[str, int, int, int]]:
    """The call around a change at the end of its arguments, or in front of them."""
    depth, at = 0, low
    while at > 0 and low - at < 60:
        at -= 1
        if texts[at] in CLOSING:
            depth += 1
        elif texts[at] in OPENING:
            depth -= 1
            if depth < 0:
                break
        elif texts[at] == NEWLINE:
            return
    else:
        return
    if at == 0 or not is_word(texts[at - 1]) or high >= len(texts):
        return
    first = at - 1
    if texts[high] in CLOSING and low > at + 1:
        yield "call", first, high + 1, at + 1
    elif texts[high] in CLOSING:
        yield "call", first, high + 1, -1


def _common(newest: Change, alike: Sequence[Change]) -> tuple[int, int]:
    """How many tokens on both sides are the same in all examples, in the line; for whole lines also next to
    it."""
    texts = newest.before.texts
    first, last = newest.before.line(newest.old[0])
    if _is_line(newest):
        first, last = max(newest.old[0] - _MOST_COMMON, 0), newest.before.line(newest.old[1])[1]
    left = min(newest.old[0] - first, _MOST_COMMON if alike else 40)
    right = min(max(last - newest.old[1], 0), _MOST_COMMON if alike else 40)
    for change in alike:
        here, (low, high), (start, end) = change.before.texts, change.old, newest.old
        left = same_at_end(here[max(low - left, 0) : low], texts[start - left : start], 0)
        right = same_at_start(here[high : high + right], texts[end : end + right])
    return left, right
