"""Conditions that have to hold: `check that n > 0`, `n > 0, otherwise raise`; of what is not done where they
do: `no header if there are no rows`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span

_GUARDS = frozenset(("guard_raise", "guard_return"))


def as_failing(reading: Reading, instruction: str) -> Reading:
    """The reading with a condition that is said the other way round as one that may not fail."""
    reading = _without_forgiven(reading, instruction)
    spans = reading.slots.get("condition", ())
    if reading.intent in _GUARDS and not {"result", "exception", "message"} & set(reading.slots):
        rest, forgiven = _forgiven().subn("", instruction.lower())
        if _is_refused(rest):
            reading = replace(reading, intent="guard_raise")
        elif forgiven:
            reading = replace(reading, intent="guard_return")
    if reading.intent not in (*_GUARDS, "run_only_if") or not spans:
        return reading
    fails = _is_denied if reading.intent == "run_only_if" else _is_asserted
    unless = phrases.words("unless")[0]
    required = failing if reading.intent in _GUARDS else str
    conditions = tuple(
        replace(span, text=f"{unless} {span.text}")
        if (said := required(span.text)) == span.text and fails(instruction, span)
        else replace(span, text=said)
        for span in spans
    )
    return (
        replace(reading, slots={**reading.slots, "condition": conditions}) if conditions != spans else reading
    )


@lru_cache(maxsize=2)
def requiring(kind: str = "required") -> re.Pattern[str]:
    """What says that something has to hold or, of the `forbidden` kind, that it may not."""
    known = sorted((*phrases.words(kind),), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known))})(?!\w)\s*", re.IGNORECASE)


def failing(condition: str) -> str:
    """When a requirement is broken: `qty must be positive` unless it is, `qty can't be 0` if it is."""
    unless = phrases.words("unless")[0]
    if (found := requiring("forbidden").search(condition)) is not None:
        front = _joined_by_and().sub(f" {phrases.words('or')[0]} ", condition[: found.start()])
        return _stated(front + condition[found.start() :], requiring("forbidden"))
    if (found := requiring().search(condition)) is not None:
        return f"{unless} {_stated(condition, requiring())}"
    return condition


def _stated(condition: str, modals: re.Pattern[str]) -> str:
    """A requirement as if it held: `qty must be positive` as `qty is positive`."""
    front, rest = modals.split(condition, maxsplit=1)
    several = _joined_by_and().search(front) or f" {phrases.words('or')[0]} " in front
    rest = re.sub(r"\Abe(?:\s+|\Z)", "are " if several else "is ", rest)
    return f"{front}{rest}".strip()


@lru_cache(maxsize=1)
def _joined_by_and() -> re.Pattern[str]:
    return re.compile(rf"\s(?:{'|'.join(map(re.escape, phrases.words('and')))})\s", re.IGNORECASE)


def _is_refused(instruction: str) -> bool:
    """Whether something is not to be let through, which is more than that a function is left."""
    plain = instruction.lower()
    left = phrases.any_stands_in(phrases.table()["leaving"]["return"], plain)
    return not left and phrases.any_stands_in(phrases.words("refused"), plain)


@lru_cache(maxsize=1)
def _asserting() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands in front of and after a condition that is to hold."""
    verbs, behind = ("|".join(map(re.escape, phrases.words(item))) for item in ("asserting", "otherwise"))
    front = rf"(?<!\w)(?:{verbs})(?!\w)(?:[^.;\n]*(?<!\w)(?:that|dass|que)|(?P<bare>))\s*`?\Z"
    return re.compile(front, re.IGNORECASE), re.compile(rf"(?:{behind})(?!\w)", re.IGNORECASE)


def _is_asserted(instruction: str, condition: Span) -> bool:
    """Whether a condition is what has to hold: `check that n > 0`, `n > 0, otherwise raise`."""
    front, behind = _asserting()
    told = instruction[: max(condition.start, 0)].rstrip("` ").lower()
    if any(told.endswith(f" {word}") for word in phrases.words("unless")):
        return True
    before = front.search(instruction[: max(condition.start, 0)])
    rest = instruction[max(condition.end, 0) :].lstrip("` \t\n,;") if condition.end > 0 else ""
    if before is not None and before["bare"] is not None:
        return behind.search(rest) is not None
    return before is not None or behind.match(rest) is not None


@lru_cache(maxsize=1)
def _forgiven() -> re.Pattern[str]:
    """What says that something is no failure any more: *shouldn't fail*."""
    no, fails = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("negations", "fails"))
    return re.compile(rf"(?:{no})\s+(?:{fails})(?!\w)")


def _without_forgiven(reading: Reading, instruction: str) -> Reading:
    """A reading without the error that is not to be raised any more: *should not raise a KeyError*."""
    spans = reading.slots.get("exception", ()) if reading.intent in _GUARDS else ()
    front = instruction[: max(spans[0].start, 0)].lower() if len(spans) == 1 else ""
    denied = any(
        phrases.without_articles(f"{front[found.end() :]}x").strip("`'\"(") == "x"
        for found in _forgiven().finditer(front)
    )
    if not denied:
        return reading
    slots = {"forgiven" if name == "exception" else name: own for name, own in reading.slots.items()}
    return replace(reading, slots=slots)


@lru_cache(maxsize=1)
def _denying() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words that deny what is done, and those after which it is said when it is done."""
    kinds = (("negations", "denials", "skipping"), ("only", "unless"))
    known = ["|".join(re.escape(word) for item in kind for word in phrases.words(item)) for kind in kinds]
    no, only = (re.compile(rf"(?<!\w)(?:{item})(?!\w)", re.IGNORECASE) for item in known)
    return no, only


def _is_denied(instruction: str, condition: Span) -> bool:
    """Whether it is said when something is not done: `no header if there are no rows`."""
    no, only = _denying()
    front = re.split(r"[.;,:\n]", instruction[: max(condition.start, 0)])[-1]
    return no.search(front) is not None and only.search(front + " " + condition.text) is None
