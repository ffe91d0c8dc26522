"""Names that a reading holds only a part of, or takes for others: spelled new names, listed parameters."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE, CLASS
from spark_tui.intent.context.lookup import Names
from spark_tui.intent.words.phrases import is_said, joining, lookup, words
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.tree_comparison import parse_statement

_OF_KINDS = frozenset(("anchor", "function", "class"))
_KINDS = {"function": CALLABLE, "method": CALLABLE, "class": CLASS}
_NO_PARTS = (
    *("articles", "pronouns", "kinds", "called", "judged"),
    *("just", "also", "filling", "no_names", "copulas"),
)
"""Kinds of words that are no part of a name."""
_MOST_PARTS = 3
"""How many words of a name are added to the last one at most."""
_PLAIN = re.compile(r"\s+([^\W\d_]+)")
_TYPE = r"[\w.]+(?:\[[\w.,| \[\]]*\])?"
_VALUE = r"(?:[\w.]+|'[^']*'|\"[^\"]*\"|\(\)|\[\]|\{\})"
_ITEM = rf"`?[^\W\d]\w*`?(?:\s*:\s*`?{_TYPE}(?:\s*\|\s*{_TYPE})*`?)?(?:\s*=\s*`?{_VALUE}`?)?(?![\w`])"


def with_names_in_words(reading: Reading, text: str) -> Reading:
    """The reading with the whole of a new name that is dictated, and without parameters among the names of
    new methods or their types as that of a result."""
    if reading.intent == "rename":
        old = max(reading.slots.get("symbol", ()), key=lambda span: span.end, default=Span(-1, -1, ""))
        new = tuple(_whole(_spelled(span, text), text, old) for span in reading.slots.get("new", ()))
        return replace(reading, slots={**reading.slots, "new": new}) if new else reading
    hints = reading.slots.get("type", ())
    if reading.intent == "annotate_return" and any(_is_of_parameter(span, text) for span in hints):
        own = tuple(span for span in hints if not _is_of_parameter(span, text))
        rest = {slot: spans for slot, spans in reading.slots.items() if slot != "type"}
        return replace(reading, slots={**rest, "type": own} if own else rest)
    names = reading.slots.get("name", ())
    if reading.intent == "add_method" and len(names) > 1 and (listed := parameters_listed(text)):
        own = tuple(span for span in names if not listed[0] <= span.start < listed[1])
        return replace(reading, slots={**reading.slots, "name": own or names})
    return reading


def _is_of_parameter(span: Span, text: str) -> bool:
    """Whether a type stands at a parameter of a definition that is pasted."""
    return span.start >= 0 and re.search(r"(?<!\w)def\s+\w+\([^()]*:\s*\Z", text[: span.start]) is not None


def with_kind_named(reading: Reading, text: str, names: Names) -> Reading:
    """The reading with the only definition of its kind that the message names for *that function*."""
    slots = dict(reading.slots)
    for slot in _OF_KINDS & slots.keys():
        spans = slots[slot]
        said = next((word for word in reversed(spans[0].text.lower().split()) if word in _KINDS), "")
        if len(spans) != 1 or spans[0].quoted or spans[0].start < 0 or not said:
            continue
        if spans[0].text.lower() != said and not is_said("articles", spans[0].text.split()[0]):
            continue
        beside = text[: spans[0].start] + text[spans[0].end :]
        words_there = dict.fromkeys(re.findall(r"(?<![\w.\"'])[^\W\d]\w*(?:\.\w+)?", beside))
        known = [word for word in words_there if names.is_symbol(word) and names.find(word, _KINDS[said])]
        exact = [
            word for word in known if names.find(word, _KINDS[said])[0].target.name == word.rpartition(".")[2]
        ]
        if len(exact) == 1:
            slots[slot] = (replace(spans[0], text=exact[0]),)
    return replace(reading, slots=slots)


def _spelled(span: Span, text: str) -> Span:
    """A name of which only the sign was read with which it begins: *underscore load all* is `_load_all`."""
    first = text[span.start : span.end].partition(" ")[0]
    if span.quoted or span.start < 0 or lookup("signs", first) != "_" or lookup("signs", span.text) != "_":
        return span
    end, parts = span.start + len(first), list[str]()
    while (found := _PLAIN.match(text, end)) and not re.fullmatch(joining(), found[1], re.I):
        if found[1].lower() in words("near_a_line"):
            break
        end, parts = found.end(), [*parts, found[1].lower()]
    parts = [part for part in parts if lookup("signs", part) != "_"]
    return Span(span.start, end, "_" + "_".join(parts)) if parts else span


def _whole(span: Span, text: str, old: Span) -> Span:
    """The whole of a name if only its last word was read: *to grand total*, *call order customer order*."""
    if span.quoted or span.start < 0 or not re.fullmatch(r"[a-z]+(?: [a-z]+)*", text[span.start : span.end]):
        return span
    said = text[max(old.end, 0) : span.start].split(" ")
    behind = max((at for at, word in enumerate(said, start=1) if is_said("to", word)), default=0)
    named = any(is_said("naming", word) for word in text[: max(old.start, 0)].split()[-3:])
    own = said[behind or 1 : -1] if behind or named else []
    plain = all(re.fullmatch("[a-z]+", word) for word in own)
    if not plain or len(own) > _MOST_PARTS or any(is_said(kind, word) for kind in _NO_PARTS for word in own):
        return span
    start = span.start - sum(len(word) + 1 for word in own)
    return Span(start, span.end, text[start : span.end]) if own else span


def parameters_listed(text: str) -> tuple[int, int, str] | None:
    """Where the parameters of a new function are listed behind that word, and the list as code: *with the
    parameters `name` and `default=None`*."""
    kinds = "|".join(map(re.escape, words("parameters")))
    found = re.search(rf"(?<!\w)(?:{kinds})(?:e?s|n)?\s*:?\s+(?={_ITEM})", text, re.I)
    if found is None:
        return None
    comma, last = rf"\s*,\s*(?!{joining()}){_ITEM}(?!\s+(?!{joining()})\w)", rf"\s*,?\s*{joining()}\s+{_ITEM}"
    listed = re.compile(rf"{_ITEM}(?:{last}|(?:{comma})*(?:{last})?)", re.I).match(text, found.end())
    if listed is None or listed[0].lower() in words("near_a_line"):
        return None
    parts = re.split(rf"\s*,\s*(?:{joining()}\s*)?|\s+{joining()}\s+", listed[0].replace("`", ""), flags=re.I)
    code = ", ".join(parts)
    return (*listed.span(), code) if parse_statement(f"def _(self, {code}): pass") is not None else None
