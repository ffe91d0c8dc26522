"""Messages that cannot be an order, or only one about an edit that there is not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.intent.context.areas import paths_named, unknown_files
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.words.phrases import is_said
from spark_tui.intent.words.readings import Order, Reads, SymbolRoles

MOST_CHARACTERS = 4_000
_ELSEWHERE = tuple(f"amend.{kind}" for kind in ("also", "place", "everywhere", "except", "only_here", "undo"))
_EARLIER = ("guard_raise", "rename", "set_value")
"""Edits of different kinds, behind which it is read."""
_LIKELY = 0.9
_PATH = re.compile(r"@?[\w.~-]*[/\\][\w./\\~-]*")
_IN_CODE = re.compile(r"(?=.*(?:[._\d]|[a-z][A-Z]|\(\)$))[\w.]*\w(?:\(\))?")
"""One word that looks like a name or a value in code."""
_SHELL = re.compile(r"!\s*\w")
"""A command of the shell, as other programs take it."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_WORDS = re.compile(r"[^\d_`\"()\[\]{}=<>/\\.]+[.!?…\s]*")
_MARKS = re.compile(r"[,;:.!?…，。！？]+")
_IS = re.compile(r"['’]s(?!\w)")
_SAYS_NOTHING = ("replies", "judged", "articles", "pronouns", "copulas", "wishes", "no_names")
_FILE_OR_LINES = re.compile(r"@?(?P<path>[\w./\\-]+\.\w{1,5})(?::\d+(?:[-:]\d+)?)?")


def no_order(text: str, situation: Situation) -> Answer | None:
    """The answer to what cannot be an order: nothing, too much, a path or a name."""
    sentences = decision_settings()["sentences"]
    if not re.search(r"\w", text):
        return Answer("cannot", reason=sentences["unread"])
    if _SHELL.match(text):
        return Answer("cannot")
    if len(text) > MOST_CHARACTERS:
        output = "Traceback (most recent call last)" in text
        return Answer("cannot", reason=sentences["long_output" if output else "long"])
    lone = situation.earlier is None and not unknown_files(situation.repo, text)
    if lone and _PATH.fullmatch(text):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    if situation.earlier is not None and (said := _said_of_edit(text, situation.earlier.intent)):
        return Answer("cannot", reason=sentences[said])
    place = _FILE_OR_LINES.fullmatch(text)
    if place is not None and paths_named(situation.repo, place["path"]):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    if not situation.changed and situation.repo.index.symbols(text.removesuffix("()")):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    return None


def _said_of_edit(text: str, intent: str) -> str:
    """What all words of a message are that says something of the last edit and gives nothing that another one
    could have: `replies` (*ok*, *why?*), or `judged` (*shorter please*); else empty. What agrees may be
    another name: *right*."""
    if not _WORDS.fullmatch(text) or text.startswith("'"):
        return ""
    parts = [part for one in _MARKS.split(text.lower()) if (part := one.strip())]
    left = [one for one in parts if not is_said("replies", one)]
    if parts and not left:
        return "replies"
    if left and intent != "rename" and all(is_said("agreeing", one) for one in left):
        return "replies"
    words = _WORD.findall(_IS.sub(" is", " ".join(left)))
    if words and is_said("kinds", words[-1]) and words[-1] in text:  # *a better name*, not *wait, Parameter*
        del words[-1]
    if not all(any(is_said(kind, word) for kind in _SAYS_NOTHING) for word in words):
        return ""
    replies = [word for word in words if is_said("replies", word)]
    judges = any(is_said("judged", word) for word in words if word not in replies)
    return "judged" if judges else "replies" if replies or len(left) < len(parts) else ""


def or_name(found: Answer, situation: Situation) -> Answer:
    """The answer to one word of code, with which nothing could be done: what is missing."""
    text = situation.instruction
    lone = situation.earlier is None and not unknown_files(situation.repo, text)
    if found.kind not in ("cannot", "write") or not lone or not _IN_CODE.fullmatch(text):
        return found
    return Answer("cannot", reason=decision_settings()["sentences"]["file_only"].format(path=text))


def about_no_edit(
    text: str, orders: Sequence[Order], reader: Reads, symbols: SymbolRoles, situation: Situation
) -> Answer | None:
    """The answer to a first message that says nothing on its own, and behind any edit where else it goes."""
    sure = any(one.probability >= _LIKELY for order in orders for one in order.readings)
    if situation.earlier is not None or sure or not orders:
        return None
    for earlier in _EARLIER:
        behind = reader.read(text, symbols, earlier)
        read = behind[0].readings if len(behind) == 1 else ()
        if sum(one.probability for one in read if one.intent in _ELSEWHERE) < _LIKELY:
            return None
    return Answer("cannot", reason=decision_settings()["sentences"]["no_earlier"])
