"""From a reading to candidates: calls of codemods for all that its words may mean in the repository."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import prod

from spark_tui.intent import builders  # noqa: F401  (they register themselves)
from spark_tui.intent.building.building import build_candidates
from spark_tui.intent.building.shifted_lines import in_any_order
from spark_tui.intent.conditions.assertions import as_failing
from spark_tui.intent.context.crashes import dropping_crashes
from spark_tui.intent.context.lookup import Names, names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Candidate, Done, Situation, Unresolved
from spark_tui.intent.fixes import by_error  # noqa: F401
from spark_tui.intent.names.implied_slots import (
    drop_pronouns,
    of_its_class,
    of_its_parameter,
    with_bases_turned,
    with_implied,
    with_joined_functions,
    with_own_name,
    with_unit,
    with_whole_lists,
)
from spark_tui.intent.names.names_in_words import with_kind_named, with_names_in_words
from spark_tui.intent.names.told_by_place import with_number, with_parameter, with_set_name
from spark_tui.intent.planning.by_shown_code import by_shown_code, without_shown_function
from spark_tui.intent.planning.slot_pieces import BETWEEN, as_scaled, one_text, with_prefix
from spark_tui.intent.planning.unused_names import ONE_NAME, with_unused
from spark_tui.intent.values.likely.incomplete_readings import (
    line_named,
    one_of_several,
    relax_reading,
    with_whole_pieces,
    without_line,
)
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.words import word_set

__all__ = ["Candidate", "Done", "Situation", "Unresolved", "find_candidates"]

_REPEATED = word_set(
    "function symbol parameter variable class call module name value argument decorator file code"
)
_REPEATED_OF = {"change_condition": ("old",)}
_TOGETHER = frozenset(("set_entry", "say_value", "extract_constant"))
"""Intents whose values go into one thing: the parts of an entry, all that a message is to show; or get names
of their own."""
_CATCHING = {
    "set_except": "exception",
    "also_catch": "exception",
    "add_handler": "exception",
    "try_return": "exception",
    "try_pass": "exception",
    "try_log": "exception",
    "try_raise": "old",
}
"""The slot whose classes are all caught by one handler."""
_MEMBERS = frozenset(("add_method", "add_special_method", "add_field"))
_NAMES = frozenset(("function", "symbol", "parameter", "variable", "class"))
_OWN = ("function", "class")
_PAIRED = frozenset(("old", "new"))
_MOST = 12
_MOST_RELAXED, _MOST_FOUND = 6, 4


@dropping_crashes
def find_candidates(reading: Reading, situation: Situation, names: Names | None = None) -> list[Candidate]:
    """The ways to do what a reading says, the likeliest first; where there is none, one that says why."""
    names, text = names or names_of(situation.repo, situation.path), situation.instruction
    read = with_whole_lists(with_whole_pieces(reading, text), text)
    read = drop_pronouns(with_names_in_words(read, text))
    reading = settled_slots(with_kind_named(read, text, names), text, names)
    reading = with_set_name(with_parameter(with_number(reading, text, names), text, names), text, names)
    reading = as_failing(reading, text)
    reading = with_implied(with_unit(reading, text), names)
    reading = with_joined_functions(with_own_name(with_bases_turned(reading, text, names), text), text, names)
    line = line_named(text)
    if line is not None and line[0] <= _lines(situation):
        reading = without_line(reading, line[1], line[2])
        if situation.selection is None:
            situation = replace(situation, cursor=line[0], line=line[0])
    reading = of_its_parameter(of_its_class(reading, names), names, situation.instruction)
    reading = by_shown_code(without_shown_function(reading, situation), situation)
    scaled = as_scaled(reading, text)
    if scaled is not None and (made := _built(scaled, situation, names))[0].calls:
        return made
    named = list(_one_new_name(reading))
    made = [candidate for form in named for candidate in _built(form, situation, names) if candidate.calls]
    made = made or _built(reading, situation, names)
    if made[0].calls:
        return made
    idle = [item for item in made if item.nothing]
    guessed = [] if idle else _guessed(reading, situation, names)
    if guessed and situation.earlier is None:
        return guessed
    forms = relax_reading(reading, names.knows)
    if idle:
        # Where all is as asked for at a place, nothing is done at another one, or with another value.
        kept = (*_OWN, "variable")
        forms = (
            form for form in forms if all(form[0].slots.get(slot) == reading.slots.get(slot) for slot in kept)
        )
    return [*idle, *_others(forms, situation, names)] or guessed or made


def _guessed(reading: Reading, situation: Situation, names: Names) -> list[Candidate]:
    """The ways to do what a reading says, with the likeliest tests for a condition that no rule reads."""
    if not reading.slots.get("condition"):
        return []
    return [
        candidate
        for candidate in _built(reading, replace(situation, guessing=True), names)
        if candidate.calls
    ]


@dropping_crashes
def find_candidates_of_one(reading: Reading, situation: Situation, names: Names) -> list[Candidate]:
    """The ways to do what a reading says with one of several things that it names."""
    return _others(one_of_several(reading), situation, names)


def _lines(situation: Situation) -> int:
    """How many lines the open file has."""
    known = situation.path in situation.repo.index.all_paths
    return (situation.repo.index.text(situation.path) or "").count("\n") + 1 if known else 0


def _others(
    forms: Iterable[tuple[Reading, float, str]], situation: Situation, names: Names
) -> list[Candidate]:
    """The ways to do what a reading may mean besides, or where it cannot be done as it is."""
    out: list[Candidate] = []
    for other, weight, doubt in islice(forms, _MOST_RELAXED):
        for candidate in _built(other, situation, names)[:2]:
            if candidate.calls and len(out) < _MOST_FOUND:
                out.append(
                    replace(candidate, weight=candidate.weight * weight, doubts=(*candidate.doubts, doubt))
                )
    return out


def _built(reading: Reading, situation: Situation, names: Names) -> list[Candidate]:
    parts = split_by_target(reading)
    if len(parts) == 1:
        return [with_unused(item) for item in build_candidates(Context(reading, situation, names))[:_MOST]]
    found = [build_candidates(Context(part, situation, names)) for part in parts]
    idle = [item[0] for item in found if not item[0].calls and item[0].nothing]
    if len(idle) < len(found):
        found = [item for item in found if item[0] not in idle]  # the others have something to do
    failed = next((item[0] for item in found if not item[0].calls), None)
    if failed is not None:
        return [replace(failed, reading=reading)]
    left = tuple(Doubt(f"nothing was done for one of them: {one.refused}", DoubtKind.UNDONE) for one in idle)
    first = [item[0] for item in found]
    ways = [first]
    for at, item in enumerate(found):
        ways += [
            [*first[:at], other, *first[at + 1 :]] for other in item[1:] if other.weight == item[0].weight
        ]
    return [_together(way, reading, situation, left) for way in ways[:_MOST_FOUND]]


def _together(
    parts: Sequence[Candidate], reading: Reading, situation: Situation, doubts: tuple[str, ...]
) -> Candidate:
    """A candidate of each part of a reading as one."""
    weight = prod(one.weight for one in parts)
    calls = in_any_order([item.calls for item in parts], situation.repo)
    every = dict.fromkeys((*(doubt for item in parts for doubt in item.doubts), *doubts))
    return Candidate(calls, reading, tuple(every), weight)


def settled_slots(reading: Reading, instruction: str, names: Names) -> Reading:
    """The reading with texts that are one piece, names without words beside them that name nothing,
    and what is renamed as the symbol where only its place was read."""
    slots = {
        slot: spans
        for slot, spans in reading.slots.items()
        if slot not in ("function", "class") or any(re.search(r"\w", span.text) for span in spans)
    }
    counts = [len(_distinct(spans)) for spans in slots.values()]
    for slot in _NAMES & slots.keys():
        if counts.count(len(_distinct(slots[slot]))) > 1 < len(slots[slot]):
            continue  # each goes with one of another slot: *low 1, high 100 and tries 7*
        slots[slot] = (
            tuple(
                item
                for item in slots[slot]
                if _names(item, slots[slot], names) or _is_listed(item, slots[slot], instruction)
            )
            or slots[slot]
        )
    if len(functions := slots.get("function", ())) > 1:
        owner = functions[0].text.rpartition(".")[0]
        slots["function"] = tuple(
            replace(function, text=f"{owner}.{function.text}")
            if owner and names.holds(owner, function.text)
            else function
            for function in functions
        )
        inner = [
            replace(function, text=f"{around.text}.{function.text}")
            for around in functions
            for function in functions
            if names.holds(around.text, function.text) and not names.holds(owner, function.text)
        ]
        if len(functions) == 2 and len(inner) == 1:
            slots["function"] = tuple(inner)  # the wrapper in cached
    for slot in BETWEEN.keys() & slots.keys():
        slots[slot] = one_text(slots[slot], instruction, BETWEEN[slot])
    caught = slots.get(_CATCHING.get(reading.intent, ""), ())
    if len(caught) > 1:
        whole = Span(caught[0].start, caught[-1].end, ", ".join(item.text for item in caught))
        slots[_CATCHING[reading.intent]] = (whole,)
    for slot, spans in slots.items():
        slots[slot] = tuple(with_prefix(item, instruction) for item in spans)
    for slot in ("name", "method"):
        owner, _, last = reading.text(slot).strip("`").rpartition(".")
        if reading.intent in _MEMBERS and owner[:1].isupper() and last.isidentifier():
            span = slots[slot][0]
            slots = {"class": (replace(span, text=owner),), **slots, slot: (replace(span, text=last),)}
    if reading.intent == "rename" and "symbol" not in slots:
        named = next((slot for slot in ("function", "class") if slots.get(slot)), "")
        slots |= {"symbol": slots.pop(named)} if named else {}
    return replace(reading, slots=slots)


def _names(span: Span, spans: Sequence[Span], names: Names) -> bool:
    """Whether words are a name, of the repository or of what is named beside them."""
    return names.is_symbol(span.text) or any(
        names.holds(item.text, span.text) for item in spans if item != span
    )


def _is_listed(span: Span, spans: Sequence[Span], instruction: str) -> bool:
    """Whether words stand beside another piece, with nothing but *and* between them."""
    between = BETWEEN["condition"]
    return any(
        between.fullmatch(instruction[one.end : two.start])
        for one, two in itertools.permutations(spans, 2)
        if span in (one, two) and 0 <= one.end < two.start
    )


def split_by_target(reading: Reading) -> list[Reading]:
    """A reading for each thing that is named where several are: `catch KeyError in load and save`."""
    slots = {
        slot: spans
        for slot, spans in reading.slots.items()
        if slot in (*_REPEATED, *_REPEATED_OF.get(reading.intent, ())) and len(_distinct(spans)) > 1
    }
    beside = any(span.quoted for span in reading.slots.get("variable", ()))
    if reading.intent in _TOGETHER or (reading.intent == "add_item" and beside):
        slots.pop("value", None)  # beside a text that stands in a test
    if reading.intent == "swap_arguments":
        slots.pop("argument", None)
    old, new = (_distinct(reading.slots.get(slot, ())) for slot in ("old", "new"))
    if len(old) == len(new) > 1:
        slots |= {slot: reading.slots[slot] for slot in _PAIRED}  # 3 to 5 and 8 to 12
    if reading.intent == "move_definition" and set(slots) == {"file"}:
        return [reading]  # from one file to the other
    if reading.intent == "say_value" and set(slots) == {"value"}:
        return [reading]  # one message says them all
    if not slots or reading.intent in ONE_NAME or not _spread_out(reading):
        return [reading]
    many = max(len(_distinct(spans)) for spans in slots.values())
    # What is named as often goes with them: `a as int, b as str`.
    paired = {*slots, *(slot for slot, spans in reading.slots.items() if len(_distinct(spans)) == many)}
    out = []
    for at in range(many):
        own = {
            slot: ((_distinct(spans)[min(at, len(_distinct(spans)) - 1)],) if slot in paired else spans)
            for slot, spans in reading.slots.items()
        }
        out.append(replace(reading, slots=own))
    # What comes after one place is put there from the last to the first.
    turned = reading.intent in ("insert_after", "insert_at_start") and "code" in slots
    turned = turned or reading.intent == "set_default"  # what comes after it has one then
    return list(islice(out[::-1] if turned else out, _MOST))


def _one_new_name(reading: Reading) -> Iterator[Reading]:
    """Readings of one new name for several that are named: one of them is where the other stands."""
    symbols, new = reading.slots.get("symbol", ()), reading.slots.get("new", ())
    kept = tuple(item for item in new if item.text not in {symbol.text for symbol in symbols})
    if reading.intent != "rename" or not kept or (len(symbols) < 2 and kept == new):
        return
    if len(kept) > 1 and reading.slots.get("function"):
        places = {item.text for item in reading.slots["function"]}
        kept = tuple(item for item in kept if item.text not in places) or kept
    if len(symbols) == 1:
        yield replace(reading, slots={**reading.slots, "new": kept})
    elif len(symbols) == 2 and len(kept) == 1:
        for one, two in (symbols, symbols[::-1]):
            slots = {**reading.slots, "symbol": (one,), "new": kept, "function": (two,)}
            yield replace(reading, slots=slots)


def _spread_out(reading: Reading) -> bool:
    """Whether several symbols may have a new name each."""
    return reading.intent != "rename" or len(reading.slots.get("symbol", ())) <= len(
        reading.slots.get("new", ())
    )


def _distinct(spans: tuple[Span, ...]) -> list[Span]:
    seen: dict[str, Span] = {}
    for span in spans:
        seen.setdefault(span.text, span)
    return list(seen.values())
