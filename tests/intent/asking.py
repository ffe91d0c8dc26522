"""An instruction whose pieces are the words of slots, and the file after the first way of its answer."""

from __future__ import annotations

from collections.abc import Mapping

from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
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
