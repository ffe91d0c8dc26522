"""The answer to a message after an edit that somebody wrote, and the new text of the one file."""

from __future__ import annotations

from intent.support import PATH

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def situation_behind(was: str, now: str, text: str) -> Situation:
    """What is known when a message comes after an edit."""
    before = Repository(DictTree({PATH: was}))
    after = before.with_changes({PATH: now})
    return Situation(after, PATH, earlier=Done("write", {}, ()), before=before, instruction=text)


def answer_behind(was: str, now: str, text: str, intent: str, /, **slots: str) -> tuple[Answer, str]:
    """The answer to a message after an edit, and the text of the file when it is taken; each slot is found
    where its words stand in the message."""
    found = {}
    for slot, words in slots.items():
        start = text.index(words)
        quoted = start > 0 and text[start - 1] in "`'\""
        found[slot] = (Span(start, start + len(words), words, quoted),)
    told = situation_behind(was, now, text)
    answer = answer_orders([Order(0, len(text), (Reading(intent, 0.95, found),))], told)
    if answer.kind != "edit":
        return answer, ""
    base = (told.before if answer.ways[0].from_before else None) or told.repo
    return answer, answer.ways[0].plan.texts(base).get(PATH) or ""
