"""The templates that one change and those before it are examples of, from narrow to wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.generalize import explains, unified, window
from spark_tui.next_edit.template import Template
from spark_tui.next_edit.tokens import CLOSING, NEWLINE, OPENING, is_anchor, is_word

MOST_EXAMPLES = 3
_MOST_COMMON = 8


@dataclass(frozen=True)
class Pattern:
    """A template, the changes that it makes, the newest first, and which context it has."""

    template: Template
    examples: tuple[Change, ...]
    context: str


def patterns(newest: Change, earlier: Sequence[Change]) -> Iterator[Pattern]:
    """Every template worth a look. `earlier` are changes before, the newest first."""
    alike = [one for one in earlier if one.shape == newest.shape][: MOST_EXAMPLES - 1]
    seen: set[Template] = set()
    if not alike:
        for other in earlier[:2]:
            made = unified(newest, other)
            if made is not None and explains(made, newest) and explains(made, other):
                more = [one for one in earlier if one is not other and explains(made, one)]
                yield Pattern(made, (newest, other, *more)[:MOST_EXAMPLES], "unified")
                break
    examples = (newest, *alike)
    for context, low, high, wide in _windows(newest, alike):
        for keep in (False, True):
            template = window(newest, low, high, keep=keep, wide=wide)
            if template is None or template in seen or not explains(template, newest):
                continue
            if not all(explains(template, one) for one in alike):
                template = _looser(template)
                if template in seen or not all(explains(template, one) for one in examples):
                    continue
            seen.add(template)
            yield Pattern(template, examples, context + (" kept" if keep and _has_kept(newest) else ""))


def _has_kept(change: Change) -> bool:
    return len(change.runs) > 1


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
    whole = newest.came[-1:] == [NEWLINE] or newest.went[-1:] == [NEWLINE]
    texts = newest.before.texts
    first, last = newest.before.line(newest.old[0])
    if whole:
        first, last = max(newest.old[0] - _MOST_COMMON, 0), min(newest.old[1] + 2, len(texts))
    left = min(newest.old[0] - first, _MOST_COMMON if alike else 40)
    right = min(max(last - newest.old[1], 0), _MOST_COMMON if alike else 40)
    for one in alike:
        here, low, high = one.before.texts, one.old[0], one.old[1]
        for count in range(left):
            if low - count - 1 < 0 or here[low - count - 1] != texts[newest.old[0] - count - 1]:
                left = count
                break
        for count in range(right):
            if high + count >= len(here) or here[high + count] != texts[newest.old[1] + count]:
                right = count
                break
    return left, right
