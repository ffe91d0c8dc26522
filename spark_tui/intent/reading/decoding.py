"""From scores to slots: the best sequence of tags, its spans, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.network import Array, log_softmax
from spark_tui.intent.words.readings import Span
from spark_tui.intent.words.tokens import IDEOGRAPH, Token, Tokens

_NEVER = np.float32(-1e9)
TWICE = 2.0
"""What a second span of one slot costs while another slot could have it, as a logarithm."""
_MOST_WAYS = 130
_NEW_NAMES = ("new", "name")
_IDEOGRAPH = re.compile(IDEOGRAPH)
_NAMED_SO = re.compile(rf"(为|成|叫做|叫作|叫)(?={IDEOGRAPH}{{1,6}}\Z)")
"""The words in front of a new name, where ideographs stand between them and what was read of it."""
_REST_OF_NAME = re.compile(rf"{IDEOGRAPH}{{1,5}}(?!{IDEOGRAPH})")


@dataclass(frozen=True, slots=True)
class Tagged:
    """The best tags of an intent, the logarithms of all tags [T, 1 + 2 S], and the sum of the chosen ones."""

    tags: NDArray[np.int64]
    logs: Array
    total: float


def best_tags(scores: Sequence[Array]) -> list[Tagged]:
    """For each table [T, 1 + 2 S] the best tags.

    Tag 0 is outside, 1 + 2 s begins slot s and 2 + 2 s goes on with it, which only its beginning or itself
    allows. All tables have one T; they are searched at once.
    """
    size, width = len(scores[0]), max(table.shape[1] for table in scores)
    logs = np.full((size, len(scores), width), _NEVER, dtype=np.float32)
    for place, table in enumerate(scores):
        logs[:, place, : table.shape[1]] = log_softmax(table)
    reached = logs.copy()
    reached[0, :, 2::2] = _NEVER
    begun, going = reached[:, :, 1::2], reached[:, :, 2::2]
    for step in range(1, size):
        reached[step] += reached[step - 1].max(axis=1, keepdims=True)
        np.add(logs[step, :, 2::2], np.maximum(begun[step - 1], going[step - 1]), out=going[step])
    best, goes_on = reached.argmax(axis=2).tolist(), (going > begun).tolist()
    steps = np.arange(size)
    out: list[Tagged] = []
    for place, table in enumerate(scores):
        found = [best[-1][place]]
        for step in range(size - 2, -1, -1):
            slot, inside = divmod(found[-1] - 1, 2)
            found.append(
                found[-1] - 1 + goes_on[step][place][slot] if inside and found[-1] else best[step][place]
            )
        tags = np.array(found[::-1], dtype=np.int64)
        chosen = logs[steps, place, tags]
        out.append(Tagged(tags, logs[:, place, : table.shape[1]], float(chosen.sum())))
    return out


def spread(tagged: Tagged, texts: Sequence[str]) -> Tagged:
    """The tags with the slots of spans exchanged where one slot has two different spans and another slot is
    likely enough for one of them. `texts` are those of the tokens."""
    found = _ranges(tagged.tags)
    slots = (tagged.logs.shape[1] - 1) // 2
    words = [(slot, *texts[first:last]) for slot, first, last in found]
    taken = [item[0] for item in set(words)]
    if len(taken) == len(set(taken)) or slots ** len(found) > _MOST_WAYS:
        return tagged
    scores: list[list[float]] = [
        (tagged.logs[first, 1::2] + tagged.logs[first + 1 : last, 2::2].sum(axis=0)).tolist()
        for _, first, last in found
    ]

    def worth(way: tuple[int, ...]) -> float:
        distinct = {(slot, one[1:]) for slot, one in zip(way, words, strict=True)}
        again = len(distinct) - len({slot for slot, _ in distinct})
        return sum(own[slot] for own, slot in zip(scores, way, strict=True)) - TWICE * again

    best = max(product(range(slots), repeat=len(found)), key=worth)
    tags = tagged.tags.copy()
    for slot, (_, first, last) in zip(best, found, strict=True):
        tags[first] = 1 + 2 * slot
        tags[first + 1 : last] = 2 + 2 * slot
    total = float(tagged.logs[np.arange(len(tags)), tags].sum())
    return Tagged(tags, tagged.logs, total)


def _ranges(tags: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Slot, first token and the token after the last, of each span. Two of one slot with nothing in between
    are one."""
    out: list[tuple[int, int, int]] = []
    for place, tag in enumerate(tags.tolist()):
        slot = (tag - 1) // 2
        goes_on = bool(out) and tag > 0 and (tag % 2 == 0 or out[-1][::2] == (slot, place))
        if goes_on:
            out[-1] = (out[-1][0], out[-1][1], place + 1)
        elif tag % 2 == 1:
            out.append((slot, place, place + 1))
    return out


def spans_of(
    tokens: Tokens, first: int, tags: NDArray[np.int64], slots: Sequence[str]
) -> dict[str, tuple[Span, ...]]:
    """The spans of each slot, each text once. `first` is the number of the token of the first tag."""
    found: dict[str, tuple[Span, ...]] = {}
    for slot, begin, end in _ranges(tags):
        span = span_of(tokens, tokens.items[first + begin : first + end])
        span = _whole_name(span, tokens.text) if slots[slot] in _NEW_NAMES and not span.quoted else span
        known = found.get(slots[slot], ())
        if span.text not in [item.text for item in known]:
            found[slots[slot]] = (*known, span)
    return found


def _whole_name(span: Span, text: str) -> Span:
    """The span of a new name with all of its ideographs: they are tokens of their own, or such that a known
    name has."""
    before = _NAMED_SO.search(text, 0, span.start)
    start = before.end(1) if before is not None else span.start
    rest = _REST_OF_NAME.match(text, span.end) if span.end - span.start == 1 else None
    end = rest.end() if rest is not None and _IDEOGRAPH.match(span.text) else span.end
    return Span(start, end, text[start:end])


def span_of(tokens: Tokens, inside: Sequence[Token]) -> Span:
    """The span of some tokens, with the quotes around it if it is all that they hold."""
    start, end = inside[0].start, inside[-1].end
    for piece in tokens.quoted:
        around = tokens.text[piece.inner_start : start], tokens.text[end : piece.inner_end]
        if piece.start <= start and end <= piece.end and not any(map(str.strip, around)):
            return Span(piece.start, piece.end, tokens.text[piece.inner_start : piece.inner_end], True)
    return Span(start, end, tokens.text[start:end])
