"""Amendments of the last edit by its reading: the same once more, with another slot or at another place."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.codemods.families.statements.guards import AddGuard
from spark_tui.codemods.registry import MalformedCall, from_json, to_json
from spark_tui.codemods.slots import Expression
from spark_tui.intent.conditions.without_subject import begins_with_sign, says_only_how
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Candidate, Done, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.amendments.done_elsewhere import (
    all_elsewhere,
    with_guard_kept,
    with_like_name,
    with_text_kept,
)
from spark_tui.intent.followups.amendments.exchanged_tokens import READ_AS_TEXT, is_about_message
from spark_tui.intent.followups.amendments.places import is_at, keep_in_place
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.on_written import WHICH_ORDER
from spark_tui.intent.followups.repeats.like_literals import only_like_literals
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.values.literals.numbers import in_unit_before
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Reading, Span
from spark_tui.pysource.source import Definition

_LESS_ALIKE = 0.3
_PLACES = (*PLACES, *OTHER_PLACES)
_THINGS = ("parameter", "variable", "function", "call")
GOES_ON = "amend.further"
"""The intent of what is one edit with the last."""
NO_SUCH = "the last answer has nothing of that kind"
NOT_WHICH = "the message says what the text is to be like, but not which one"
_NAMES = ("amend.name", "amend.type", "amend.exception")
_NAMED = re.compile(r"(?=\w*[A-Z_])[A-Za-z_]\w*")
"""A name of code, which the calls that it is given for have in them."""


def by_call(reading: Reading, earlier: Done, situation: Situation) -> list[Candidate]:
    """The ways to make the calls of the last edit once more, amended as a reading says."""
    before = replace(situation, repo=situation.before or situation.repo, earlier=None)
    kind = reading.intent
    condition = reading.text("condition") if kind == "amend.condition" else ""
    if earlier.kind_only or (condition and (begins_with_sign(condition) or says_only_how(condition))):
        return [Candidate((), reading, refused=NO_SUCH)]
    if found := _of_known(reading, earlier, before, situation):
        return found
    if kind in followup_table()["replaced"]:
        made = keep_in_place(_replaced(reading, earlier, before), before, situation)
        if not any(one.calls for one in made):
            made = with_given_field(reading, earlier) or made
        if kind == "amend.message" and any(map(is_about_message, reading.slots.get("message", ()))):
            made = [replace(one, doubts=(*one.doubts, READ_AS_TEXT)) for one in made]
        joins = kind == "amend.condition" and adds_condition(situation.instruction)
        return _marked([_joined(one, earlier) for one in made] if joins else made, True)
    if kind == GOES_ON and (slot := followup_table()["further"].get(earlier.intent)):
        slots = {**earlier.slots, slot: reading.spans}
        return _marked(
            find_candidates(replace(earlier.reading, slots=slots), replace(situation, earlier=None)), False
        )
    if kind == "amend.place":
        return _marked(_elsewhere(reading, earlier, before), True)
    if kind == "amend.also":
        now = replace(situation, earlier=None)
        found = all_elsewhere(reading, earlier, now) or _elsewhere(reading, earlier, now)
        return _marked(with_guard_kept(with_text_kept(found, earlier), earlier, now), False)
    if kind == "amend.except":
        whole = earlier.reading
        out = tuple(span for slot in ("function", "class", "file") for span in reading.slots.get(slot, ()))
        return _marked(find_candidates(replace(whole, left_out=(*whole.left_out, *out)), before), True)
    if kind == "amend.everywhere":
        found = find_candidates(_without_places(replace(earlier.reading, everywhere=True)), before)
        return _marked(only_like_literals(found, earlier.calls, before.repo), True)
    if kind == "amend.only_here":
        slots = {
            **earlier.slots,
            **{slot: spans for slot, spans in reading.slots.items() if slot in ("function", "file")},
        }
        found = find_candidates(replace(earlier.reading, slots=slots, everywhere=False), before)
        if earlier.others and not any(reading.slots.values()):
            # The same again keeps what the other orders did.
            found = [one for one in found if one.calls != earlier.calls]
            found = found or [Candidate((), reading, refused=WHICH_ORDER)]
        return _marked(found, True)
    if kind in ("amend.return_instead", "amend.raise_instead"):
        return _marked(keep_in_place(_instead(reading, earlier, before), before, situation), True)
    if kind == "amend.other_reading":
        tried = {*earlier.turned_down, str(earlier.calls)}
        found = [one for one in find_candidates(earlier.reading, before) if str(one.calls) not in tried]
        return _marked(found, True) or [Candidate((), reading, refused="there is no other way to read it")]
    return [Candidate((), reading, refused=NO_SUCH)]


def closest_calls(found: list[Candidate], earlier: Done) -> list[Candidate]:
    """The candidates, of which those count less whose calls differ more from the earlier ones: what a message
    says nothing of stays as it was, such as the default of a parameter that gets another name."""
    was = [to_json(call) for call in earlier.calls]
    alike: list[int] = []
    built = [one for one in found if one.calls]
    for one in built:
        now = [to_json(call) for call in one.calls]
        same = [call["op"] for call in now] == [call["op"] for call in was]
        pairs = zip(now, was, strict=True) if same else ()
        alike.append(sum(new.get(field) == old[field] for new, old in pairs for field in old))
    most = max(alike, default=0)
    best = max((one.weight for one in built), default=0.0)
    if not was or min(alike, default=0) == most:
        return found
    weighed = [
        replace(one, weight=best if score == most else _LESS_ALIKE * one.weight)
        for one, score in zip(built, alike, strict=True)
    ]
    return [*weighed, *(one for one in found if not one.calls)]


def kind_of_amended(done: Done, earlier: Done | None) -> Done:
    """What a message behind an amendment is about: the edit that was amended, with what was given for it. It
    is not made by its calls any more."""
    if earlier is None or not earlier.intent or not done.intent.startswith("amend."):
        return done
    given = done.slots.get(str(followup_table()["given"].get(done.intent, "")), ())
    fitting = followup_table()["replaced"].get(done.intent, ())
    slot = next((one for one in fitting if one in earlier.slots), "")
    slots = {**earlier.slots, slot: given} if slot and given else earlier.slots
    return replace(earlier, slots=slots, calls=(), others=(), turned_down=())


def _of_known(reading: Reading, earlier: Done, before: Situation, situation: Situation) -> list[Candidate]:
    """An edit that was not made, of what a message names in the place of the one thing that was not found."""
    names = names_of(before.repo, before.path)
    spans = [span for slot, own in reading.slots.items() if slot != "old" for span in own]
    if earlier.calls or changes_of_edit(situation) or len(spans) != 1 or not names.find(spans[0].text):
        return []
    told = [slot for slot in (*_PLACES, "symbol") if earlier.slots.get(slot)]
    unknown = [slot for slot in told if not names.find(earlier.slots[slot][0].text)]
    if len(unknown) != 1:
        return []
    slots = {**earlier.slots, unknown[0]: (spans[0],)}
    return _marked(find_candidates(replace(earlier.reading, slots=slots), before), True)


def _marked(found: list[Candidate], from_before: bool) -> list[Candidate]:
    return [replace(one, from_before=from_before) for one in found]


def _replaced(reading: Reading, earlier: Done, before: Situation) -> list[Candidate]:
    """The earlier reading with another word in one of its slots."""
    given = reading.slots.get(str(followup_table()["given"][reading.intent]), ())
    given = tuple(item for item in given if item.quoted) or given
    if not given:
        return [Candidate((), reading, refused="the instruction does not say what to take instead")]
    known = intents().get(earlier.intent)
    slots = set(known.slot_names) if known is not None else set(earlier.slots)
    fitting = [slot for slot in followup_table()["replaced"][reading.intent] if slot in slots]
    fitting.sort(key=lambda slot: slot not in earlier.slots)
    if reading.intent == "amend.exception" and earlier.intent == "try_raise" and not earlier.slots.get("old"):
        # What is raised in place of another error is mostly of the program, and what is caught is not.
        own = names_of(before.repo, before.path).find(given[0].text)
        fitting = [*fitting, "old"] if own else ["old", *fitting]
    old = {span.text.strip("`'\"") for span in reading.slots.get("old", ())}
    named = [
        slot
        for slot in fitting
        if any(span.text.strip("`'\"") in old for span in earlier.slots.get(slot, ()))
    ]
    out: list[Candidate] = []
    for at, slot in enumerate(named or fitting):
        spans = earlier.slots.get(slot, ())
        kept = tuple(span for span in spans if old and span.text.strip("`'\"") not in old)
        said, asked = before.instruction, before.asked
        counted = tuple(in_unit_before(item, spans, said, asked) for item in given)
        new: tuple[Span, ...] = (*kept, *counted) if kept and named else counted
        made = find_candidates(replace(earlier.reading, slots={**earlier.slots, slot: new}), before)
        out += [replace(one, weight=one.weight * (1.0 if at == 0 else 0.4)) for one in made]
        if any(one.calls for one in made) and slot in earlier.slots:
            break
    if reading.intent in _NAMES and _NAMED.fullmatch(given[0].text):
        out = [one for one in out if not one.calls or given[0].text in str(one.calls)]
    return out or [Candidate((), reading, refused=NO_SUCH)]


def adds_condition(instruction: str) -> bool:
    """Whether a message begins like a condition that comes to another one: *only if*."""
    return re.match(followup_table()["joins"]["words"], instruction, re.IGNORECASE) is not None


def _joined(one: Candidate, earlier: Done) -> Candidate:
    """A guard with its condition beside that of the earlier one, whose place it takes otherwise."""
    was, now = (
        [call for call in calls if isinstance(call, AddGuard)] for calls in (earlier.calls, one.calls)
    )
    if len(was) != 1 or len(now) != 1 or len(one.calls) != 1:
        return replace(one, doubts=(*one.doubts, "the previous condition is removed"))
    both = Expression(f"{was[0].condition} and {now[0].condition}")
    return replace(one, calls=(replace(was[0], condition=both),))


def _elsewhere(reading: Reading, earlier: Done, situation: Situation) -> list[Candidate]:
    """The earlier reading in another place, or with another thing."""
    words = {slot: spans for slot, spans in reading.slots.items() if slot in _PLACES and spans}
    if not words:
        return [Candidate((), reading, refused="the instruction does not say where")]
    slots = {
        slot: spans for slot, spans in earlier.slots.items() if slot not in ("class", "file") or slot in words
    }
    known = intents().get(earlier.intent)
    names = names_of(situation.repo, situation.path)
    of = [one.target.node for span in earlier.slots.get("symbol", ()) for one in names.find(span.text)]
    for slot, spans in words.items():
        target = slot
        if slot in ("function", "class") and of and isinstance(of[0], Definition):
            target = "symbol"  # what was done to a definition is done to another one, and not inside it
        elif slot not in (*PLACES, *slots) and set(slots) & {"code"}:
            target = "code"  # what was done to a statement is done to another one that has the word
        elif known is not None and slot not in known.slot_names:
            # What takes no class is done in the function that makes its objects.
            likely = ("function", *_THINGS) if slot == "class" else _THINGS
            target = next((one for one in ("symbol", *likely) if one in known.slot_names), slot)
        slots = {**slots, target: spans}
    slots, new = with_like_name(slots, earlier), slots.get("new")
    found = find_candidates(replace(earlier.reading, slots=slots), situation)
    if slots.get("new") != new:
        guess = assumed(f"{slots['new'][0].text} was assumed to be the new name")
        found = [replace(one, doubts=(*one.doubts, guess)) for one in found]
    named = [span for slot in ("function", "class") for span in words.get(slot, ())]
    there = {item.target.name for span in named for item in names.find(span.text)}
    return [one for one in found if not there or is_at(one, there, situation.repo)]


def _without_places(reading: Reading) -> Reading:
    return replace(
        reading,
        slots={slot: spans for slot, spans in reading.slots.items() if slot not in ("function", "class")},
    )


def _instead(reading: Reading, earlier: Done, before: Situation) -> list[Candidate]:
    """Returning where it raised, or raising where it returned."""
    kind = "returns" if reading.intent == "amend.return_instead" else "raises"
    turned = followup_table()[kind]
    intent = earlier.intent if earlier.intent in turned.values() else turned.get(earlier.intent)
    if intent is None:
        return [Candidate((), reading, refused="the last answer neither returns nor raises")]
    slots = {
        slot: spans
        for slot, spans in earlier.slots.items()
        if slot not in ("result", "exception", "message") or "try" in intent
    }
    if intent == "try_raise" and "exception" in slots:
        slots["old"] = slots.pop("exception")
    slots = {**slots, **reading.slots}
    found = find_candidates(replace(earlier.reading, intent=intent, slots=slots), before)
    given = [slot for slot, spans in reading.slots.items() if spans]
    tested = [call.condition for call in earlier.calls if isinstance(call, AddGuard)]
    return [
        one
        for one in found
        if all(slot in one.reading.slots for slot in given)
        and (not tested or [call.condition for call in one.calls if isinstance(call, AddGuard)] == tested)
    ]


def with_given_field(reading: Reading, earlier: Done) -> list[Candidate]:
    """The calls once more; none where no field holds such a thing, or several do."""
    fields = followup_table()["fields"].get(reading.intent, {})
    calls = [to_json(call) for call in earlier.calls]
    held = [call for call in calls if call["op"] in fields]
    given = reading.slots.get(str(followup_table()["given"].get(reading.intent, "")), ())
    if len(held) != 1 or len(given) != 1:
        return []
    field = fields[held[0]["op"]]
    if reading.text("old").strip("`'\"") not in ("", held[0].get(field)):
        return []
    held[0][field] = given[0].text.strip()
    try:
        made = tuple(map(from_json, calls))
    except MalformedCall:
        return []
    return [Candidate(made, reading)] if made != earlier.calls else []
