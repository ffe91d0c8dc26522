"""Places that an instruction excepts: "not in the tests", "but leave Cart alone"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.context.left_out_by_number import TAKING_AWAY, is_by_number
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.readings import PLACES, Reading, Span

_SUBJECTS = ("symbol", *PLACES)
_FRONT = 60
"""Characters in front of a name in which a comparison stands."""


def with_exceptions(reading: Reading, instruction: str) -> Reading:
    """The reading without places that stand directly behind words such as *everywhere but in* or *, but leave
    those in*: they are left out."""
    slots, left = dict(reading.slots), [*reading.left_out]
    for slot, spans in reading.slots.items():
        excepted = [one for one in spans if one.start > 0 and _is_left(instruction, one.start)]
        # Of things that are named together some may be excepted; a thing alone is what the order is about.
        left += excepted if slot in PLACES or len(excepted) < len(spans) else ()
    if reading.intent.startswith(TAKING_AWAY) and (but := _all_but().search(instruction)) is not None:
        low, high = but.span("left")
        end = _before_place(but, reading)
        if is_by_number(Span(low, end, instruction[low:end]), reading, instruction):
            high = end  # *the first and the last in load*, not *those in load*
        inside = [span for own in slots.values() for span in own if low <= span.start and span.end <= high]
        whole = Span(low, high, instruction[low:high])
        counted = is_by_number(whole, reading, instruction)
        if not any(span.start < high and low < span.end for span in left):
            left += [whole] if counted else inside or [whole]
            slots = {
                slot: tuple(one for one in own if not (counted and one in inside))
                for slot, own in slots.items()
            }
    slots = {slot: tuple(span for span in spans if span not in left) for slot, spans in slots.items()}
    if len(left) == len(reading.left_out):
        return reading
    kept = {slot: spans for slot, spans in slots.items() if spans}
    everywhere = reading.everywhere or kept.keys().isdisjoint(PLACES)
    return replace(reading, slots=kept, left_out=tuple(left), everywhere=everywhere)


def without_compared(reading: Reading, instruction: str) -> Reading:
    """The reading without names with which its subject is only compared: *unlike MAX_SIZE*."""
    return reading.keeping(
        lambda slot, span: slot not in _SUBJECTS or not _is_compared(instruction, span.start)
    )


def _is_compared(instruction: str, start: int) -> bool:
    return start > 0 and _comparison().search(instruction, max(0, start - _FRONT), start) is not None


@lru_cache(maxsize=1)
def _comparison() -> re.Pattern[str]:
    compared, articles = ("|".join(map(re.escape, words(kind))) for kind in ("only_compared", "articles"))
    return re.compile(rf"(?<!\w)(?:{compared})\s*(?:(?<=\s)(?:{articles})\s+)?[`'\"]?\Z", re.IGNORECASE)


def _before_place(but: re.Match[str], reading: Reading) -> int:
    """Where the place begins that is said behind an exception, or where it ends."""
    low, high = but.span("left")
    starts = [
        span.start for slot in PLACES for span in reading.slots.get(slot, ()) if low < span.start < high
    ]
    inside = "|".join(map(re.escape, words("places_in")))
    front = re.compile(rf"\s+(?:{inside})\s+[`'\"]?\Z")
    found = front.search(but.string, low, min(starts)) if starts else None
    return found.start() if found is not None else high


def is_excepted(name: str, instruction: str) -> bool:
    """Whether a name follows words like *all but* or *except*."""
    but = "|".join(map(re.escape, ("but", "except", *words("excepting"))))
    form = rf"(?<!\w)(?:{but})\s+(?:the\s+)?[`'\"]?{re.escape(name)}(?!\w)"
    return re.search(form, instruction, re.IGNORECASE) is not None


def _is_left(instruction: str, end: int) -> bool:
    """Whether an exception ends where a name begins. What is to be kept there is what was named before: *but
    leave the print in heal* says nothing of an edit of something else."""
    found = _excepting().search(instruction, 0, end)
    kept = found["kept"] if found is not None else None
    return found is not None and (kept is None or kept in instruction[: found.start()].split())


@lru_cache(maxsize=1)
def _excepting() -> re.Pattern[str]:
    """What stands in front of an exception. *Except* alone may be the branch of a `try`, unless it begins a
    clause or follows what all is about."""
    kinds = ("excepting", "everywhere", "articles", "places_in", "but", "leaving_alone", "those")
    but, every, articles, inside, joining, leave, those = (
        "|".join(map(re.escape, words(kind))) for kind in kinds
    )
    everywhere = rf"(?<!\w)(?:{every})\s+(?:but|except)|(?<!\w)(?:all|every|each|any)\s+\w+\s+(?:but|except)"
    everywhere += r"|(?<!\w)(?!(?:this|its)\s)[^\W_]+[^\W_s]s\s+except"  # several are meant, but for one
    thing = rf"(?:\s+(?:{those})|\s+(?:{articles})\s+(?P<{{}}>\w+)(?=\s+(?:{inside})\s))?"
    ones, kept = thing.format("other"), thing.format("kept")
    leaving = rf"(?:[,;.(]|(?<!\w)(?:{joining}))\s*(?:{leave}){kept}"
    front = rf"(?:(?<!\w)(?:{but})|,\s*not){ones}|(?:\A|[,;(])\s*except|{everywhere}|{leaving}"
    return re.compile(rf"(?:{front})\s+(?:(?:{inside}|{articles})\s+)*[`'\"]?\Z", re.IGNORECASE)


@lru_cache(maxsize=1)
def _all_but() -> re.Pattern[str]:
    """All of a kind but some, which stand behind it up to the end of the clause."""
    kinds = ("every", "deleting", "articles", "excepting", "but", "leaving_alone", "those")
    every, deleting, articles, excepting, joining, leave, those = (
        "|".join(map(re.escape, words(kind))) for kind in kinds
    )
    but = rf"(?:{joining})\s+(?:{leave})(?:\s+(?:{those})(?!\w))?|(?:but|except|{excepting})"
    kind = rf"\s+(?:(?:of|{articles})\s+){{0,4}}\w+"
    every = rf"(?:(?<!\w)(?:{every}){kind}|(?<!\w)(?:{deleting}){kind}(?<=s))(?:\s+\w+){{0,3}}?"
    return re.compile(rf"{every},?\s+(?:{but})\s+(?P<left>[^\s,;.][^,;.\n]*)", re.IGNORECASE)
