"""Of several orders in one instruction: the place that only one of them names, and what `it` means."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.phrases import is_said, mentions
from spark_tui.intent.words.phrases import words as phrase_words
from spark_tui.intent.words.readings import CODE, PLACES, Order, Reading, Span

_NAMED = ("symbol", "function", "class", "variable", "parameter", "name")
"""Slots of what an order is about, the most telling first."""
_BINDABLE = (frozenset(_NAMED) - {"name"}) | {"key", "exception"}
_VALUES = ("parameter", "variable", "name", "symbol")
_GIVEN = ("value", "new", "default", "result", "code")
"""Slots of code, in which a pronoun is the name of something."""
_PASSING = ("add_argument", "set_argument")
_THINGS = ("symbol", "parameter", "variable", "old", "code", "call", "anchor", "key", "argument", "module")
"""Slots, besides places, of what an order is done to."""
_TYPED = frozenset(("annotate_parameter", "annotate_return", "annotate_variable"))
"""Orders of which one has the type of another: `both are str and it returns one too`."""
IT = frozenset(("it", "its", "ihn", "ihm", "它"))
"""Pronouns that are no other words."""
_PRONOUN = re.compile(
    r"(?<!\w)(?:it|its|that one|this one|ihm|ihr|ihn|sie|lui|elle|le|lo)(?!\w)|[它其]", re.IGNORECASE
)
_ITS = re.compile(r"(?<!\w)(?:its|of it|davon)(?!\w)|[它其]的", re.IGNORECASE)
"""What is named after it is a part of what another order is about."""
_THERE = re.compile(r"(?<!\w)(?:there|in it|dort|darin|là-dedans|ahí|allí)(?!\w)|那里|其中", re.IGNORECASE)
_BOTH = re.compile(
    r"(?<!\w)(?:both|each|beiden?|les deux|chacune?|ambas|ambos|cada una?)(?!\w)|两个|都", re.IGNORECASE
)
_SAME = re.compile(
    r"(?<!\w)(?:same|likewise|ditto|dasselbe|genauso|pareil|de même|lo mismo|igual)(?: thing)? "
    r"(?:in|for|with|on|at|to|bei|für|mit|pour|dans|avec|en|para|con)(?!\w)|同样|一样"
    r"|^\W*(?:(?:and|also|und|et|y) )*(?:in|for|bei|für|dans|pour|en|para) \S+ "
    r"(?:too|as well|auch|aussi|también)\W*$",
    re.IGNORECASE,
)


def with_place(order: Order, others: Sequence[Order], words: str = "") -> Order | None:
    """The order with what it leaves to another one; None where there is nothing of the kind.

    `others` are the orders in front, the nearest first, and those after. What an order needs and does not
    name is what the nearest is about; so is its place where its `words` say `it`. Otherwise its place is that
    of the nearest order that names one."""
    readings = order.readings
    if others:
        about = partial(_about, others[0], done=others[0].start <= order.start)
        readings = tuple(
            _bound(reading, about, has_pronoun(words), bool(_ITS.search(words))) for reading in readings
        )
    readings = tuple(_placed(_of_same(reading, others), others, words) for reading in readings)
    return replace(order, readings=readings) if readings != order.readings else None


def with_new_names(order: Order, renamed: Mapping[str, str]) -> Order | None:
    """The order with the names that symbols have now, by their old ones; None where it says none of these."""

    def now(span: Span) -> Span:
        owner, dot, name = span.text.strip("`'\"").rpartition(".")
        return replace(span, text=f"{owner}{dot}{renamed[name]}") if name in renamed else span

    made = _with_spans(order, now)
    return made if made != order else None


def with_names_as_code(order: Order, names: Container[str]) -> Order:
    """The order with names of the code that could be pronouns (`lo`) read as code."""

    def meant(span: Span) -> Span:
        is_name = span.text in names and span.text not in IT and _PRONOUN.fullmatch(span.text)
        return replace(span, quoted=True) if is_name else span

    return _with_spans(order, meant)


def _with_spans(order: Order, meant: Callable[[Span], Span]) -> Order:
    readings = tuple(
        replace(one, slots={slot: tuple(map(meant, spans)) for slot, spans in one.slots.items()})
        for one in order.readings
    )
    return replace(order, readings=readings)


def with_what_it_means(order: Order, before: Sequence[Order]) -> tuple[Order, str]:
    """The order with what those in front are about, the nearest first, for pronouns in its slots; and the
    words of a slot that are about something else and cannot be replaced: `a copy of it`."""
    unclear = ""
    readings: list[Reading] = []
    for reading in order.readings:
        slots: dict[str, tuple[Span, ...]] = {}
        for slot, spans in reading.slots.items():
            kept = tuple(item for span in spans for item in _meant(slot, span, before) or (span,))
            left = [
                item.text for item in kept if slot in _GIVEN and not item.quoted and has_pronoun(item.text)
            ]
            unclear = unclear or (left[0] if left and not readings else "")
            slots[slot] = tuple(dict.fromkeys(kept))
        value = slots.get("value", ())
        if reading.intent in _PASSING and value != reading.slots.get("value", ()) and "argument" not in slots:
            # What was just added is given on by its name.
            reading = replace(reading, intent="set_argument")
            slots["argument"] = value
        readings.append(without_it(replace(reading, slots=slots)))
    return replace(order, readings=tuple(readings)), unclear


def _meant(slot: str, span: Span, before: Sequence[Order]) -> tuple[Span, ...]:
    """What a pronoun in a slot means; empty where a span is none, or nothing fits."""
    place = slot in PLACES
    known = (
        _PRONOUN.fullmatch(span.text) or is_said("them", span.text) or (place and is_said("here", span.text))
    )
    if span.quoted or not known:
        return ()
    wanted = (slot,) if place else _meant_for(slot) if slot in (*_NAMED, *_GIVEN) else ()
    if place:
        same = (order.readings[0].slots.get(slot) for order in before if order.readings)
        return next((item for item in same if item), ()) or next(_about(before[0], _NAMED), ())
    found = next((spans for order in before for spans in _about(order, (slot, *wanted))), ())
    return found if slot not in _GIVEN else tuple(Span(CODE, CODE, item.text, True) for item in found)


def with_the_same(order: Order, before: Sequence[Order], words: str) -> Order:
    """The order with what it leaves to one in front that asks for the same: what it needs and does not say,
    and where its words say so (`the same in save`, `load too`) all but the place and the thing."""
    first = next((item.readings[0] for item in before if item.readings), None)
    if first is None or "new" in first.slots:
        return order
    likewise = mentions("likewise", words)

    def full(reading: Reading) -> Reading:
        known = intents().get(reading.intent)
        if reading.intent in _TYPED and first.intent in _TYPED and known is not None:
            own = {"type": first.slots["type"]} if first.slots.get("type") else {}
            return replace(reading, slots={**own, **reading.slots}) if likewise else reading
        if reading.intent != first.intent or known is None:
            return reading
        things = (*PLACES, *_NAMED, *_THINGS)
        left = {
            slot: spans
            for slot, spans in first.slots.items()
            if not reading.slots.get(slot)
            and slot not in PLACES
            and (slot in known.required or (likewise and slot not in things))
            and not (slot == "argument" and reading.slots.get("value") and not _names_one(reading))
        }
        return replace(reading, slots={**reading.slots, **left}) if left else reading

    return replace(order, readings=tuple(map(full, order.readings)))


def names_a_thing(order: Order) -> bool:
    """Whether an order says what it is to be done to, and not only what."""
    return bool(order.readings) and _names_one(order.readings[0])


def _names_one(reading: Reading) -> bool:
    """Whether a reading says what something is to be done to."""
    # The error that is to be caught stands nowhere yet.
    caught = reading.intent.startswith("try_")
    return any(reading.slots.get(item) for item in (*PLACES, *_THINGS) if not (caught and item == "old"))


def find_missing_slot(order: Order) -> str:
    """What an order needs and does not say, and another one may: the key of an entry, a class of errors."""
    reading = order.readings[0] if order.readings else None
    known = intents().get(reading.intent) if reading is not None else None
    if reading is None or known is None:
        return ""
    needed = (item for item in ("key", "exception") if item in known.required)
    return next((item for item in needed if not reading.slots.get(item)), "")


def names_where(order: Order) -> bool:
    """Whether an order names a place that it is done at, and not only what it is done to."""
    reading = order.readings[0] if order.readings else None
    known = intents().get(reading.intent) if reading is not None else None
    if reading is None or known is None:
        return False
    return any(reading.slots.get(item) for item in PLACES if item not in known.required)


def place_of_others(order: Order, others: Sequence[Order]) -> str:
    """The name of the place that an order without one takes from others; empty for none."""
    given = _places(others, order.readings[0]) if order.readings else {}
    return next((spans[0].text for spans in given.values()), "")


def has_pronoun(words: str) -> bool:
    """Whether words name something by a pronoun."""
    return _PRONOUN.search(words) is not None


def refers_to_other(words: str) -> bool:
    """Whether words are about what another order names: *it*, *there*."""
    return any(item.search(words) for item in (_PRONOUN, _THERE))


def subject(order: Order) -> str:
    """The name of what an order is about, before it is done; empty for none."""
    found = (order.readings[0].slots.get(slot) for slot in _NAMED) if order.readings else iter(())
    return next((spans[0].text for spans in found if spans and not has_pronoun(spans[0].text)), "")


def repeat_elsewhere(order: Order, before: Order, words: str) -> Order | None:
    """The order in front, done at the place that this one names: `do the same in save`."""
    if not _SAME.search(words) or not before.readings:
        return None
    own = order.readings[0].slots if order.readings else {}
    there = next((slot for slot in PLACES if own.get(slot)), "")
    place = next((slot for slot in PLACES if before.readings[0].slots.get(slot)), "")
    if not there or not place:
        return None
    first = before.readings[0]
    slots = {slot: spans for slot, spans in first.slots.items() if slot != place}
    return replace(order, readings=(replace(first, slots={**slots, there: own[there]}, unsure={}),))


def without_it(reading: Reading) -> Reading:
    """The reading without pronouns in its slots."""
    return reading.keeping(lambda _, span: span.quoted or not _PRONOUN.fullmatch(span.text))


def _bound(
    reading: Reading, about: Callable[[Sequence[str]], Iterator[tuple[Span, ...]]], is_named: bool, its: bool
) -> Reading:
    """The reading with what another order is about in a required slot that is empty, else, where a pronoun is
    said, as its place; *its* name stands there too."""
    known = intents().get(reading.intent)
    if known is None:
        return reading
    slots = reading.slots
    if reading.intent == "rename" and not is_named and (slots.get("function") or slots.get("class")):
        return reading  # What is named is what gets the new name.
    wanted = [item for item in known.required if item in _BINDABLE and not slots.get(item)]
    named = PLACES if its else (*PLACES, "symbol")
    if is_named and not wanted and not any(slots.get(item) for item in named):
        optional = (name for name in known.slot_names if name not in known.required)
        wanted = [name for name in optional if name in ("function", "class")]
    if (
        not wanted
        and not any(slots.get(item) for item in (*PLACES, *_THINGS))
        and "variable" in known.slot_names
    ):
        wanted = ["variable"]
    for slot in wanted[:1]:
        meant = next(about(_meant_for(slot)), None)
        if meant is not None:
            return replace(reading, slots={**slots, slot: meant})
    return reading


def _of_same(reading: Reading, others: Sequence[Order]) -> Reading:
    """The reading with the variable that another order of its kind names: *add a: 1 and b: 2 to LIMITS*."""
    known, slots = intents().get(reading.intent), reading.slots
    if known is None or "variable" not in known.slot_names or any(map(slots.get, ("variable", *PLACES))):
        return reading
    alike = (order.readings[0] for order in others if order.readings)
    named = (
        one.slots["variable"] for one in alike if one.intent == reading.intent and one.slots.get("variable")
    )
    found = next(named, None)
    return replace(reading, slots={**slots, "variable": found}) if found is not None else reading


def _places(others: Sequence[Order], reading: Reading) -> dict[str, tuple[Span, ...]]:
    """The places of the nearest order that names some, as far as a reading has slots for them."""
    known = intents().get(reading.intent)
    taken = known.slot_names if known is not None else ()
    for order in others:
        own = order.readings[0].slots if order.readings else {}
        found = {slot: own[slot] for slot in PLACES if own.get(slot) and slot in taken}
        if found:
            return found
    return {}


def _placed(reading: Reading, others: Sequence[Order], words: str) -> Reading:
    """The reading at a place of another order; *there* also says where to look for a name."""
    there = bool(_THERE.search(words))
    whole = () if there or reading.intent == "rename" else ("symbol",)
    if reading.everywhere or any(reading.slots.get(item) for item in (*PLACES, *whole)):
        return reading
    if reading.intent.endswith("docstring") and mentions("file", words):
        return replace(reading, slots={**reading.slots, "file": (Span(CODE, CODE, phrase_words("file")[0]),)})
    places = _places(others, reading)
    known = intents().get(reading.intent)
    if known is not None and "function" in known.slot_names and _BOTH.search(words):
        # The places of both orders in front.
        spans = [
            span
            for order in others
            if order.readings
            for span in order.readings[0].slots.get("function", ())[::-1]
        ]
        places |= {"function": tuple(dict.fromkeys(spans[::-1]))} if len(spans) > 1 else {}
    return replace(reading, slots={**reading.slots, **places})


def _meant_for(slot: str) -> Sequence[str]:
    """The slots of an order of which another one may mean what they hold by `it`, in a slot."""
    values = dict.fromkeys(("parameter", "variable", *_GIVEN), _VALUES)
    known = {"key": ("key", "value", "name"), "exception": ("exception",), "class": ("class", "symbol")}
    return {**values, **known, "function": ("function", *_NAMED)}.get(slot, _NAMED)


def _about(order: Order, slots: Sequence[str], done: bool = True) -> Iterator[tuple[Span, ...]]:
    """What an order is about, the most telling first; once it is done a symbol has its new name."""
    for reading in order.readings[:1]:
        inside = slots[0] == "function" and reading.slots.get("function")
        renamed = ("new",) if reading.intent == "rename" and done and not inside else ()
        yield from (reading.slots[slot] for slot in (*renamed, *slots) if reading.slots.get(slot))
