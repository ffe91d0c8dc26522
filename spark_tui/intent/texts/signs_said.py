"""Signs that an instruction calls by their names, as texts of the code: *drop the question mark*; and code
that is dictated with its signs."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.intent.words.spoken_code import code_said, is_dictated, text_said
from spark_tui.pysource.words import word_set

_SLOTS = {
    "replace_text": ("old", "new"),
    **dict.fromkeys(("set_argument", "add_argument"), ("value",)),
    **dict.fromkeys(("amend.value", "amend.further"), ("value", "old")),
}


_CODE_SLOTS = word_set("code expression condition value result call anchor function symbol old new")
_TEXT_SLOTS = frozenset(("text", "message", "value", "default", "old", "new"))
_ABOUT_TEXTS = frozenset(("replace_text", "replace_message", "amend.message"))


def with_code_said(reading: Reading, situation: Situation) -> Reading:
    """The reading with the code that words dictate in the place of the words, and signs in dictated texts."""
    slots = dict(reading.slots)
    for slot in _CODE_SLOTS & slots.keys() if reading.intent not in _ABOUT_TEXTS else ():
        slots[slot] = tuple(_as_code(span, situation) for span in slots[slot])
    for slot in _TEXT_SLOTS & slots.keys() if is_dictated(situation.instruction) else ():
        slots[slot] = tuple(_as_text(span, reading.intent, situation) for span in slots[slot])
    return replace(reading, slots=slots) if slots != reading.slots else reading


def _as_code(span: Span, situation: Situation) -> Span:
    found = code_said(span.text, situation.repo.index.symbol_names) if not span.quoted else ""
    return Span(span.start, span.end, found) if found else span


def _as_text(span: Span, intent: str, situation: Situation) -> Span:
    """A dictated text, unless it stands in the file with these words; a docstring begins with a capital."""
    if span.text in (situation.repo.index.text(situation.path) or ""):
        return span
    said = text_said(span.text)
    said = said[:1].upper() + said[1:] if intent == "set_docstring" else said
    return replace(span, text=said)


def sign_named(text: str) -> str | None:
    """The sign that words name, also by their plural."""
    plain = phrases.without_articles(text).strip("`'\" ").lower()
    ends = (plain, plain.removesuffix("s"), plain.removesuffix("es"))
    return next((sign for item in ends if (sign := phrases.lookup("signs", item)) is not None), None)


def with_signs_named(reading: Reading, situation: Situation) -> Reading:
    """The reading with a sign in the place of its name, unless that stands in the file; a sign that is only
    to go has nothing in its place."""
    slots = dict(reading.slots)
    for slot in _SLOTS.get(reading.intent, ()):
        for item in slots.get(slot, ()):
            sign = sign_named(item.text) if not item.quoted else None
            text = situation.repo.index.text(situation.path) or "" if sign is not None else ""
            if sign is not None and item.text.lower() not in text.lower():
                runs = set(re.findall(rf"{re.escape(sign)}{{2,}}", text)) if slot == "old" else set()
                plural = item.text.lower().endswith("s") and phrases.lookup("signs", item.text[:-1])
                if len(runs) == 1 and plural:
                    sign = runs.pop()  # the dots of `...` are one thing
                as_text = not reading.intent.endswith("_argument")
                slots[slot] = (Span(-1, -1, sign if as_text else repr(sign), as_text),)
    if slots == reading.slots:
        return reading
    if reading.intent == "replace_text" and not slots.get("new"):
        slots["new"] = (Span(-1, -1, "", True),)
    return replace(reading, slots=slots)
