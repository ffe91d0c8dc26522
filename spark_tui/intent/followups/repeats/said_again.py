"""Messages that name another statement by words that stand in it, and say that it is to be done there too."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.conditions.condition_words import stems
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import LineChange, calls_for, changes_of_edit, functions_around
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.repeats.both_kept import both_kept
from spark_tui.intent.followups.repeats.repeated_lines import all_alike
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading

_MEANT, _LIKELY = 0.7, 0.8
"""How likely the same is meant elsewhere, and at the places that most words are of."""
_FURTHER = frozenset(("amend.also", "amend.further", "also_allow", "also_require", "also_catch", "add_item"))
_FEW = 2
_IDLE = ("likewise", "pronouns", "articles", "and", "also", "rest", "flag_words", "to")

_TOO_MUCH = re.compile(r"\btoo (?!please|for|in|on|at|with|and|but|when|if|as)(?=[a-z])", re.IGNORECASE)
"""*Too noisy* asks for nothing elsewhere."""
_REPEATED = re.compile(
    r"(?<!\w)(?:repeat|redo) (?:this|that|it)(?! (?:\d|up|until|if|when|on))(?!\w)"
    r"|(?<!\w)wiederhol\w* das(?!\w)|(?<!\w)répèt\w+ (?:ça|cela)(?!\w)|(?<!\w)rep[íi]t\w* (?:eso|esto)(?!\w)",
    re.IGNORECASE,
)


def with_repeated(order: Order, situation: Situation) -> Order:
    """The order as one to do the same at another place, where it asks to repeat what was done and is read as
    one that runs code again."""
    text, first = situation.instruction[order.start : order.end], order.readings[:1]
    again = bool(first) and first[0].intent == "add_retry" and bool(first[0].slots.get("function"))
    done = situation.earlier
    if not again or done is None or done.intent == "add_retry" or not _REPEATED.search(text):
        return order
    also = replace(first[0], intent="amend.also", slots={"function": first[0].slots["function"]})
    return replace(order, readings=(also, *order.readings[1:]))


def with_also_there(order: Order, situation: Situation) -> Order:
    """The order as one to do the same at other places, where it says so and names some to which that can be
    done by words that stand there."""
    if order.readings and both_kept(order.readings[0], situation):
        return order.preferring(Reading("amend.also", _MEANT, {}))
    further_test = next((one for one in order.readings if one.intent == "also_allow"), None)
    said = situation.instruction[order.start : order.end]
    if further_test is not None and re.match(rf"(?:{'|'.join(phrases.words('or'))})\s", said, re.IGNORECASE):
        return order.preferring(replace(further_test, probability=_MEANT))
    text = _TOO_MUCH.sub("", situation.instruction[order.start : order.end])
    if not order.readings or not phrases.mentions("likewise", f" {text} ") or situation.before is None:
        return order
    first = order.readings[0]
    further = first.probability > _MEANT and any(first.slots.values()) and first.intent in _FURTHER
    if further or first.slots.get("condition"):
        return order  # it says what else is to be done
    return order.preferring(Reading("amend.also", _MEANT, {})) if named_alike(text, situation) else order


def also_named(reading: Reading, situation: Situation) -> list[Candidate]:
    """The edit with what it did to a place done to others that a message names by words that stand there."""
    found, before = changes_of_edit(situation), situation.before
    more = named_alike(situation.instruction, situation) if reading.intent == "amend.also" else []
    calls = calls_for([*found, *more], {}, before) if more and before is not None else ()
    return [Candidate(calls, reading, weight=_LIKELY, from_before=True)] if calls else []


def named_alike(text: str, situation: Situation) -> list[LineChange]:
    """The changes to which most words of a text belong, of those that do elsewhere what the edit did; of
    several the one that is counted."""
    found, before = changes_of_edit(situation), situation.before
    if before is None:
        return []
    clauses = re.split(r"[.,;:()](?=\s|\Z)", text)
    text = next((one for one in clauses if phrases.mentions("likewise", f" {one} ")), text)
    alike = sorted(
        {
            (one.first, one.last): one
            for path in dict.fromkeys(change.path for change in found)
            for one in all_alike(found, situation, path)
        }.values(),
        key=lambda one: (one.path, one.first),
    )
    idle = {stem for kind in _IDLE for word in phrases.words(kind) for stem in stems(word)}
    words = stems(text) - idle - stems(" ".join(followup_table()["general"]["words"]))
    scores = [_score(one, words, situation) for one in alike]
    most = max(scores, default=0)
    named = [one for one, score in zip(alike, scores, strict=True) if score == most] if most else alike
    code = "\n".join(before.index.text(path) or "" for path in {change.path for change in found})
    said = [word for word in re.findall(r"\w+", text) if stems(word) & words]
    other = any(re.search(rf"\b{word}\b", code) or word.endswith("Error") for word in said)
    if not most and (other or len(words) > _FEW):
        return []  # it names something else, or says what else is to be done
    at = ordinal_in(text) if not most or len(named) > 1 else None
    if at is not None and -len(named) <= at < len(named):
        return [named[at]]
    several = most and len(named) < len(alike)
    return named if several or len(named) == 1 else []


def _score(change: LineChange, words: frozenset[str], situation: Situation) -> int:
    assert situation.before is not None
    around = functions_around(replace(change, at=change.first, new=change.old), situation.before)
    own, beside = stems(" ".join(change.old)), stems(" ".join(around))
    return 2 * len(words & own) + len(words & (beside - own))
