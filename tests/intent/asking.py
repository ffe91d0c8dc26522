"""One instruction whose slots hold words of its text, and the file after the answer to it."""

from __future__ import annotations

from collections.abc import Mapping

from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Order, Reading, Span


def answer_to(code: str | Mapping[str, str], text: str, intent: str, /, **slots: str) -> Answer:
    """The answer to one order about a file, or about files with PATH in view; each slot is found where its
    words stand in the text."""
    files = {PATH: code} if isinstance(code, str) else code
    found = {}
    for slot, words in slots.items():
        start = text.index(words)
        quoted = start > 0 and text[start - 1] in "`'\""
        found[slot] = (Span(start, start + len(words), words, quoted),)
    order = Order(0, len(text), (Reading(intent, 0.95, found),))
    return answer_orders([order], situation(files, instruction=text))


def changed(code: str | Mapping[str, str], text: str, intent: str, /, **slots: str) -> str:
    answer = answer_to(code, text, intent, **slots)
    assert answer.ways, answer.reason
    return result(answer, {PATH: code} if isinstance(code, str) else code)


def edited(
    text: str, intent: str, slots: dict[str, str], code: str, left_out: str = "", probability: float = 0.95
) -> str | None:
    """The code after the likeliest edit for an order with these words; None where there is none."""

    def span(one: str) -> Span:
        at = text.index(one)
        return Span(at, at + len(one), one, text[at - 1 : at] in ('"', "`") and at > 0)

    found = {slot: tuple(map(span, said.split(" + "))) for slot, said in slots.items()}
    out = (span(left_out),) if left_out else ()
    reading = Reading(intent, probability, found, out, "everywhere" in text)
    answer = answer_orders([Order(0, len(text), (reading,))], situation({PATH: code}, instruction=text))
    return result(answer, {PATH: code}) if answer.ways else None


def after(intent: str, said: str, code: str, **words: str | tuple[str, ...]) -> str:
    """The code after the likeliest candidate, or nothing where there is none."""
    slots = {}
    for slot, given in words.items():
        texts = (given,) if isinstance(given, str) else given
        starts = [said.index(text) for text in texts]
        slots[slot] = tuple(
            Span(at, at + len(text), text, said[at - 1 : at] in ("'", '"'))
            for at, text in zip(starts, texts, strict=True)
        )
    where = situation({PATH: code}, instruction=said)
    found = find_candidates(Reading(intent, 0.9, slots), where)
    if not found or not found[0].calls:
        return ""
    plan = plan_of(found[0].calls, where.repo)
    return getattr(plan, "texts", lambda _: {PATH: ""})(where.repo)[PATH] or ""
