"""Readings made by hand, and what becomes of them in a small repository."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

PATH = "shop.py"


def spans(words: Mapping[str, Any], at: int = 0) -> tuple[str, dict[str, tuple[Span, ...]]]:
    """An instruction that is nothing but the words of slots, and the slots; a list is several spans."""
    text = ""
    slots = {}
    for slot, said in words.items():
        out = []
        for item in said if isinstance(said, list) else [said]:
            quoted = len(item) > 1 and item[0] in "'\"`" and item[-1] == item[0]
            start = at + len(text)
            text += f"{item} "
            out.append(Span(start, start + len(item), item[1:-1] if quoted else item, quoted))
        slots[slot] = tuple(out)
    return text, slots


def reading(
    intent: str, words: Mapping[str, Any], probability: float = 0.95, **more: Any
) -> tuple[str, Reading]:
    text, slots = spans(words)
    return text, Reading(intent, probability, slots, **more)


def situation(files: Mapping[str, str], **more: Any) -> Situation:
    return Situation(Repository(DictTree(files)), more.pop("path", PATH), **more)


def answered(files: Mapping[str, str], *said: tuple[str, Mapping[str, Any]], **more: Any) -> Answer:
    """The answer to one or more orders, each an intent with the words of its slots."""
    text = ""
    orders = []
    for intent, words in said:
        part, slots = spans(words, len(text))
        orders.append(Order(len(text), len(text) + len(part), (Reading(intent, 0.95, slots),)))
        text += part
    return answer_orders(orders, situation(files, instruction=text, **more))


def result(answer: Answer, files: Mapping[str, str], path: str = PATH) -> str:
    """The text of a file after the first way of an answer."""
    repo = Repository(DictTree(files))
    return answer.ways[0].plan.texts(repo).get(path, files.get(path)) or ""


def said_behind(
    code: str, edits: list[tuple[str, str]], text: str, intent: str, words: Mapping[str, str]
) -> str:
    """The file after a message about replaced texts, with the words of its slots; empty where it does
    nothing, and as it was before the edit where it takes that back."""
    before, after = Repository(DictTree({PATH: code})), code
    for old, new in edits:
        assert old in after
        after = after.replace(old, new)
    now = before.with_changes({PATH: after})
    told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction=text)
    slots = {}
    for slot, one in words.items():
        at = text.index(one)
        slots[slot] = (Span(at, at + len(one), one, text[at - 1 : at] in ("'", '"', "`")),)
    order = settled(Order(0, len(text), (Reading(intent, 0.95, slots),)), told)
    if order.readings[0].intent == "amend.undo":
        return code
    found = answer_orders([order], told)
    return found.ways[0].plan.texts(before).get(PATH) or "" if found.ways else ""
