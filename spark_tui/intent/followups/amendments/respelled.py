"""What is given, as it is meant: a misspelled error, a message without the word for one, an error that is yet
to be defined."""

from __future__ import annotations

import builtins
import difflib
import re
from collections.abc import Callable
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_to, changes_of_edit, tokens_of
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.source import Definition
from spark_tui.pysource.syntax.parsing import parse

_GIVEN = ("exception", "value", "result")
_ALIKE = 0.85
_ERRORS = sorted(
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)
)
_SPARE = "BufferError"
"""What hardly anything raises: it holds the place of an error that is yet to be defined."""
_CLASS = re.compile(r"[A-Z][a-z0-9]\w*\Z")


def respelled(reading: Reading, situation: Situation) -> tuple[Reading, tuple[str, ...]]:
    """The reading with what is given as it is meant, and what was read otherwise than it is written."""
    text = situation.instruction
    slots, doubts = dict(reading.slots), list[str]()
    for slot in _GIVEN & slots.keys():
        for span in slots[slot]:
            if near := _error_like(span, situation):
                slots[slot] = tuple(Span(-1, -1, near) if one is span else one for one in slots[slot])
                doubts.append(Doubt(f"{span.text} was read as {near}", DoubtKind.READ_AS))
    if reading.intent == "amend.message" and slots.get("message"):
        slots["message"] = tuple(_without_kind(span, text) for span in slots["message"])
        slots["message"] = _within_written(slots["message"], reading.text("old").strip("`'\""), situation)
    return (replace(reading, slots=slots) if slots != reading.slots else reading), tuple(doubts)


def _within_written(spans: tuple[Span, ...], old: str, situation: Situation) -> tuple[Span, ...]:
    """The one text that was written, with a word of it replaced by another one: *say Compute instead of
    Return*."""
    texts = [token.text for change in changes_of_edit(situation) for token in change.written()]
    held = [text for text in texts if text[-1:] in "'\"" and re.search(rf"\b{re.escape(old)}\b", text)]
    by_lines = situation.earlier is None or not situation.earlier.calls
    if by_lines or not old or len(held) != 1 or len(spans) != 1 or held[0].strip("'\"").strip() == old:
        return spans
    inner = re.sub(r"\A[a-zA-Z]*(?:\"{3}|'{3}|[\"'])|(?:\"{3}|'{3}|[\"'])\Z", "", held[0])
    new = re.sub(rf"\b{re.escape(old)}\b", lambda _: spans[0].text.strip("`'\""), inner, count=1)
    return (Span(-1, -1, new, True),)


def _error_like(span: Span, situation: Situation) -> str:
    """The error of Python that a word which nothing is called misspells."""
    word = span.text.strip("`'\"()")
    if not _CLASS.match(word) or hasattr(builtins, word) or word in situation.behind.index.symbol_names:
        return ""
    return next(iter(difflib.get_close_matches(word, _ERRORS, 1, _ALIKE)), "")


def _without_kind(span: Span, text: str) -> Span:
    """A message without the word for one in front of it: *with msg not in cart*."""
    kinds = "|".join(map(re.escape, followup_table()["parts"]["text"]))
    told = re.match(rf"(?:{kinds})\s*[:=]?\s+(?=\S)", span.text, re.IGNORECASE) if not span.quoted else None
    front = "|".join(followup_table()["words_for"]["in_front"])
    led = re.search(rf"(?<!\w)(?:{front})\W*\Z", text[: max(span.start, 0)], re.IGNORECASE)
    if told is None or not (led or re.search(r"[:=]", told[0])):
        return span
    return Span(span.start + told.end(), span.end, span.text[told.end() :], True)


def with_own_error(
    way: Callable[[Reading, Situation], list[Candidate]], reading: Reading, situation: Situation
) -> list[Candidate]:
    """The candidates of a reading by some way; with a class for the error that is given, where that is said
    to be an own one, or is to be raised, and there is none."""
    given = next((span for span in reading.slots.get("exception", ())), None)
    name = given.text.strip("`'\"()") if given is not None else ""
    own = "|".join(followup_table()["words_for"]["own_error"])
    of_repository = name in situation.behind.index.symbol_names
    known = of_repository or hasattr(builtins, name)
    if of_repository and reading.intent == "amend.exception" and _catches_any(situation):
        # What a program raises itself is not what a library call ends with.
        return way(replace(reading, intent="amend.raise_instead"), situation)
    if given is None or known or not _CLASS.match(name):
        return way(reading, situation)
    told = re.search(rf"(?<!\w)(?:{own})(?!\w)", situation.instruction, re.IGNORECASE)
    if not told and (name in standard_homes() or not _raises(situation)):
        return way(reading, situation)
    spare = {**reading.slots, "exception": (Span(-1, -1, _SPARE),)}
    made = (_defining(one, name, situation) for one in way(replace(reading, slots=spare), situation))
    return [replace(one, reading=reading) for one in made]


def _raises(situation: Situation) -> bool:
    """Whether the edit before raises an error."""
    return any(token.text == "raise" for one in changes_of_edit(situation) for token in tokens_of(one.text))


def _catches_any(situation: Situation) -> bool:
    """Whether the edit before catches errors of which none was named, and raises none."""
    earlier = situation.earlier
    return earlier is not None and earlier.intent == "try_return" and not earlier.slots.get("exception")


def _defining(one: Candidate, name: str, situation: Situation) -> Candidate:
    """A candidate with the error instead of the spare one, and its class in front of all definitions."""
    before, path = situation.before, next((change.path for change in changes_of_edit(situation)), "")
    plan = plan_of(one.calls, before) if one.calls and one.from_before and before is not None else None
    if not isinstance(plan, Plan) or before is None:
        return replace(one, calls=(), refused=one.refused or f"there is no {name}")
    texts = plan.texts(before)
    code = (texts.get(path) or "").replace(_SPARE, name)
    tree = parse(code)
    first = next((node for node in tree.body if isinstance(node, Definition)), None) if tree else None
    if first is None:
        return replace(one, calls=(), refused=f"there is no {name}")
    at = min([first.lineno, *(item.lineno for item in first.decorator_list)]) - 1
    lines = code.split("\n")
    whole = "\n".join([*lines[:at], f"class {name}(Exception):", "    pass", "", "", *lines[at:]])
    doubt = assumed(f"{name} was assumed to be new and an Exception")
    return replace(one, calls=calls_to({**texts, path: whole}, before), doubts=(*one.doubts, doubt))
