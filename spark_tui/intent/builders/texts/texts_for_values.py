"""Words in the place of a text that name what the text is to say: *which one*, *the bad status*."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation, Unresolved
from spark_tui.intent.context.written_lines import select_written_lines
from spark_tui.intent.texts.message_subjects import Subject, Surroundings
from spark_tui.intent.texts.message_values import (
    JOINERS,
    find_named_expression,
    is_question,
    same_word,
    split_name_words,
)
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span

_TEXTS = {"amend.message": "message", "replace_message": "message"}
_TELLING = re.compile(
    r"(?:.*\b(?:with|mention|includ\w+|which|show\w*|add|put|in|name|tell|mit|nenn\w*"
    r"|zeig\w*|avec|con)\b)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What stands in front of words that tell what a message is to show, and are not the message."""


def as_said_value(reading: Reading, situation: Situation) -> Reading:
    """The reading as one that puts a value into the message, where its text names one."""
    from spark_tui.intent.builders.texts.said_values import find_messages

    spans = reading.slots.get(_TEXTS.get(reading.intent, ""), ())
    if len(spans) != 1 or spans[0].quoted or re.search(r"[{}%]", spans[0].text):
        return reading
    slots = {slot: given for slot, given in reading.slots.items() if slot in ("function", "class")}
    old = reading.slots.get("old", ())
    told = {**slots, "value": spans, **({"message": old} if old else {})}
    order = replace(reading, intent="say_value", slots=told)
    if is_question(spans[0].text) or _is_error(spans[0].text):
        return order
    near = select_written_lines(situation) if situation.earlier is not None else situation
    context = Context(order, near)
    try:
        found = find_messages(context)[:3]
    except Unresolved:
        return reading
    if _is_worded(spans[0], situation.instruction):
        return reading
    return order if any(_is_named(context, message, spans[0].text) for message in found) else reading


def _is_worded(span: Span, instruction: str) -> bool:
    """Whether words are those of a text, as they begin with no article and nothing in front of them asks to
    show something: *say too many calls*."""
    words = span.text.split()
    bare = phrases.without_articles(span.text) == span.text and not _TELLING.match(words[0] if words else "")
    return len(words) > 1 and bare and span.start >= 0 and not _TELLING.match(instruction[: span.start])


def _is_error(text: str) -> bool:
    """Whether words are no more than the error, or why."""
    return phrases.without_articles(text).lower() in phrases.table()["said_values"]["error"]


def _is_named(context: Context, anchor: Anchor, text: str) -> bool:
    """Whether each piece of a text is the name of what can be shown, after an article or such as *with*."""
    if anchor.node is None:
        return False
    around = Surroundings(context.source(anchor.path), anchor.node)
    subjects = around.subjects()
    return all(_names_all(part, around, subjects) for part in JOINERS.split(text) if part.strip())


def _names_all(piece: str, around: Surroundings, subjects: list[Subject]) -> bool:
    words, words_of_piece = split_name_words(piece), re.findall(r"[^\W_]+", piece.lower())
    found = find_named_expression(words, subjects, around)
    ends = set(split_name_words(words_of_piece[-1])) & set(words) if words_of_piece else set()
    if found is None or len(words) == len(words_of_piece) or not ends:
        return False  # nothing but a name, or a sentence that goes on after it
    own = split_name(found[0])
    return all(any(same_word(word, item) for item in own) for word in words)
