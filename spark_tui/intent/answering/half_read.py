"""Two instructions that were read as one: the edit uses nothing from one side of a joining word, and what
stands there would be dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod

from spark_tui.intent.answering.one_order import is_one_order
from spark_tui.intent.answering.reading_orders import says_means
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.several import undone
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.planning.undefined_names import without_undefined
from spark_tui.intent.values.likely.incomplete_readings import only_a_line
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.phrases import words as phrase_words
from spark_tui.intent.words.readings import Order, Reading, Reads, Span, Splits, SymbolRoles
from spark_tui.intent.words.reasons import is_reason
from spark_tui.intent.words.tokens import Quoted, tokenize

_JOINS = r"(?<!\w)but(?!\w)|[,;+&\n。，；、]|\.(?=\s+\S)"
"""Where another instruction may begin, apart from joining words."""
_CLEAR = 0.5
"""How likely the readings of both parts have to be."""
_SURE = 0.9
"""The same if the whole is not an edit."""
_OTHER = 0.95
"""How likely a part has to be about something else than the whole."""
_FOLLOWS = frozenset(phrase_words("more"))
_MORE = 1.5
"""How much likelier words begin an order that say that more follows, as log odds."""
_UNREAD = ("choices", "write", "nothing")
"""Answers to the whole that give way to an edit of both parts."""
_WHOLE = frozenset(("fix_error", "write", "question", "chat", "impossible", "amend.undo"))
"""What is read from an instruction as a whole."""
_ADDS = r"[;&\n；：]|[.:,](?=\s+\S)"
_CALL = re.compile(r"[^\W\d][\w.]*\([^()]*\)")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
_SAID = 0.2
"""How likely the words have to be about the edit to need no mark."""
_TALKS = 0.93
"""How likely they have to be talk to need none."""
TALK = ("chat", "question")
_REASON = 6.0
"""What a clause that says why costs."""
_READ, _LEAST = 3.0, -4.0
"""How much the probability of their reading counts beside the log odds that an order begins with the words,
and the sum from which they may be one."""
_LEAST_OF_SEVERAL = -8.0
"""The same in an instruction that has several orders already."""
_LEAST_BEHIND_COMMA = 0.0
"""The same behind a comma, where most words say more of the order before."""


def with_both_sides(
    found: Answer,
    orders: Sequence[Order],
    now: Situation,
    reader: Reads,
    symbols: SymbolRoles,
    answer_orders: Callable[[Sequence[Order], Situation], Answer],
) -> Answer:
    """The answer to both parts of an instruction if the given answer covers only one or none; otherwise
    the given answer. Where there are several orders, each may leave a part of its own unsaid."""
    if len(orders) > 1 and found.kind == "edit" and isinstance(reader, Splits):
        for order in orders:
            if order.readings and order.readings[0].intent not in _WHOLE:
                place = order.start, order.end
                found = naming_unsaid(found, order.readings[0], now, reader, symbols, place)
        return found
    unsplit = (
        len(orders) == 1
        and found.kind in ("edit", *_UNREAD)
        and re.search(f"{joining()}|{_JOINS}", now.instruction)
    )
    if not unsplit or not isinstance(reader, Splits):
        return found
    earlier = now.earlier.intent if now.earlier is not None else ""
    parts = reader.split_once_more(now.instruction, symbols, earlier)
    texts = [now.instruction[part.start : part.end] for part in parts]
    if any(map(says_means, texts[1:])) or any(
        only_a_line(text) or not re.sub(rf"(?i){joining()}|\W", "", text) for text in texts
    ):
        parts = ()
    whole = found.kind == "edit"
    if is_one_order(orders[0], parts, now):
        parts = ()
    apart = _is_half_read(orders[0], parts, found) if whole else _are_orders(parts, _SURE)
    begins = found.kind != "nothing" and _begin(parts, now, reader, symbols)
    if (apart or begins) and all(
        may_be_order((part.start, part.end), part.readings[0], now, reader, symbols) for part in parts[1:]
    ):
        both = without_undefined(answer_orders(parts, now), now)
        taken = both.kind == "edit" and (
            (apart and (_serves(both, found) if whole else not both.reason)) or (begins and _are_likely(both))
        )
        taken = taken and not (whole and _loses(both, found, now))
        if taken:
            doubt = decision_settings()["sentences"]["split"]
            return replace(both, ways=tuple(marked_with(doubt, way) for way in both.ways))
    if not whole:
        return _naming_rest(found, orders[0], parts, now)
    reading = _reading_of(found, orders[0])
    if reading is None or reading.intent in _WHOLE:
        return found
    return naming_unsaid(found, reading, now, reader, symbols)


def _begin(parts: Sequence[Order], now: Situation, reader: Splits, symbols: SymbolRoles) -> bool:
    """Whether each further part is likely to begin an order by its place alone, whatever is read of it."""
    earlier = now.earlier.intent if now.earlier is not None else ""
    for part in parts[1:]:
        words = re.findall(r"\w+", now.instruction[part.start : part.end].lower())[:2]
        score = reader.score_of_order(now.instruction, symbols, (part.start, part.end), earlier)
        if score + (_MORE if _FOLLOWS.intersection(words) else 0.0) <= 0.0:
            return False
    return len(parts) > 1 and all(part.readings for part in parts)


def _are_likely(both: Answer) -> bool:
    """Whether the edit of all parts is likely enough where each surely begins an order."""
    return not both.reason and both.ways[0].confidence >= float(decision_settings()["apart"])


def _naming_rest(found: Answer, order: Order, parts: Sequence[Order], now: Situation) -> Answer:
    """That there is nothing to do, with the part of the instruction that this says nothing of."""
    if found.kind != "nothing" or not order.readings:
        return found
    known = {order.readings[0].intent, *TALK}
    rest = [part for part in parts if not part.readings or part.readings[0].intent not in known]
    if not rest or len(rest) == len(parts):
        return found
    words = "; ".join(now.instruction[part.start : part.end].strip(" ,;.") for part in rest)
    left = undone(words)
    return replace(found, reason=f"{found.reason} {left[:1].upper()}{left[1:]}.")


def _serves(both: Answer, found: Answer) -> bool:
    """Whether an edit of both parts is taken. Where only one can be done it has to be the one that was found;
    the mark names the other."""
    if both.reason:
        return both.ways[0].calls == found.ways[0].calls
    return both.ways[0].confidence >= float(decision_settings()["half_read"])


def _loses(both: Answer, found: Answer, now: Situation) -> bool:
    """Whether an edit of both parts lacks a number or a name of the code that is said, and that the edit of
    the whole has: *return 0.0 then*."""
    known = names_of(now.repo, now.path)
    said = set(re.findall(r"[\w.]+", now.instruction))
    said = {one for one in said if one[0].isdigit() or (len(one) > 1 and known.is_symbol(one))}
    whole, parts = str(found.ways[0].calls), str(both.ways[0].calls)
    return any(_stands_in(one, whole) and not _stands_in(one, parts) for one in said)


def _reading_of(found: Answer, order: Order) -> Reading | None:
    """The reading that an edit was made of, with what the edit left out."""
    done = found.ways[0].done if found.ways else None
    if done is None:
        return None
    made = next((reading for reading in order.readings if reading.intent == done.intent), None)
    return replace(made, left_out=done.left_out) if made is not None and done.left_out else made


def _are_orders(parts: Sequence[Order], least: float) -> bool:
    """Whether the parts are surely read, each as an edit of its own."""
    alone = [part.readings[0] for part in parts if part.readings]
    if len(alone) < 2 or any(item.intent in _WHOLE or item.probability < least for item in alone):
        return False
    return not _repeats(alone)


def _is_half_read(order: Order, parts: Sequence[Order], found: Answer) -> bool:
    """Whether the reading uses nothing from one of the parts, or less than they give when they are read
    alone."""
    reading = _reading_of(found, order)
    if reading is None or reading.intent in _WHOLE or not _are_orders(parts, _CLEAR):
        return False
    alone = [part.readings[0] for part in parts if part.readings]
    if len({item.intent for item in alone}) > 1:
        surer = prod(item.probability for item in alone) > reading.probability
        others = [item.probability for item in alone if item.intent != reading.intent]
        if surer or min(others) >= _OTHER:
            return True
    shown = str(found.ways[0].calls)
    spans = [
        item
        for own in reading.slots.values()
        for item in own
        if len(own) == 1 or _stands_in(item.text, shown)
    ]
    spans += reading.left_out
    own_spans = [one for item in alone for one in item.spans]
    more = any(
        not any(item.start < span.end and span.start < item.end for span in spans) for item in own_spans
    )
    return more or any(not any(part.start <= span.start < part.end for span in spans) for part in parts)


def _repeats(readings: Sequence[Reading]) -> bool:
    """Whether one of several readings repeats another and names nothing: `my prints, drop them`."""
    intents = [reading.intent for reading in readings]
    return any(not reading.slots and intents.count(reading.intent) > 1 for reading in readings)


def _stands_in(name: str, shown: str) -> bool:
    """Whether a name occurs in calls, not only in the path of a file."""
    return re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/]|\.py)", shown) is not None


def naming_unsaid(
    found: Answer,
    reading: Reading,
    now: Situation,
    reader: Splits,
    symbols: SymbolRoles,
    within: tuple[int, int] | None = None,
) -> Answer:
    """The edit of a reading, marked if the words after a joining word have no part in it, do not repeat it,
    and may be an order. `within`: where the order of the reading stands, if there are others."""
    earlier = now.earlier.intent if now.earlier is not None else ""
    for said, place in _unsaid(reading, now.instruction, within or (0, len(now.instruction))):
        alone = reader.read(said, symbols, earlier)
        readings = alone[0].readings if alone else ()
        repeated = any(item.intent == reading.intent and item.probability >= _SAID for item in readings)
        talk = not readings or (readings[0].intent in TALK and readings[0].probability >= _TALKS)
        if repeated or talk or _is_written(said, found, now):
            continue
        least = _LEAST if within is None else _LEAST_OF_SEVERAL
        least = _LEAST_BEHIND_COMMA if now.instruction[place[0]] == "," else least
        if may_be_order(place, readings[0], now, reader, symbols, least):
            return replace(found, ways=(marked_with(undone(said), found.ways[0]), *found.ways[1:]))
    return found


def _is_written(said: str, found: Answer, now: Situation) -> bool:
    """Whether an edit writes all calls that are shown in words: *return Job(name) directly*."""
    shown, way = _CALL.findall(said), found.ways[0]
    repo = (now.before if way.from_before else None) or now.repo
    texts = way.plan.texts(repo) if shown else {}
    before = {line for path in texts for line in (repo.index.text(path) or "").splitlines()}
    written = [line for text in texts.values() for line in (text or "").splitlines() if line not in before]
    return bool(shown) and all(any(call in line for line in written) for call in shown)


def may_be_order(
    place: tuple[int, int],
    reading: Reading,
    now: Situation,
    reader: Splits,
    symbols: SymbolRoles,
    least: float = _LEAST,
) -> bool:
    """Whether the words at a place may be an order, and not only the reason of one: by how likely an order
    begins there, and how likely they are read as one alone."""
    earlier = now.earlier.intent if now.earlier is not None else ""
    score = reader.score_of_order(now.instruction, symbols, place, earlier)
    if is_reason(now.instruction[place[0] : place[1]]):
        score -= _REASON
    return score + _READ * (reading.probability if reading.intent not in TALK else 0.0) >= least


def _unsaid(reading: Reading, text: str, within: tuple[int, int]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The words that follow each joining word in a part of the text, up to the next one, and are in no slot
    of a reading; and where they stand with it."""
    spans = reading.held
    held: list[Span | Quoted] = [*spans, *tokenize(text).quoted]
    joins = [
        match
        for match in re.compile(f"{joining()}|{_ADDS}").finditer(text, *within)
        if not any(item.start <= match.start() < item.end for item in held)
        and not any(call.start() <= match.start() < call.end() for call in _CALL.finditer(text))
    ]
    ends = [*(join.start() for join in joins[1:]), within[1]]
    known = bool(spans) or reading.intent.startswith("amend.")
    for one, end in zip(joins, ends, strict=True) if known and joins else ():
        said = text[one.end() : end].strip(" ,;.&\n")
        if len(_WORD.findall(said)) > 1 and not any(one.end() <= span.start < end for span in spans):
            yield said, (one.start(), end)
