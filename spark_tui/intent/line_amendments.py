"""Follow-ups that change what was written, line by line, where no call is known that wrote it."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from spark_tui.codemods.hunks import bare_lines
from spark_tui.intent import phrases
from spark_tui.intent.fewer_places import Edit, Way, fewer, named_by_words, only
from spark_tui.intent.followup_table import table
from spark_tui.intent.names import words_of
from spark_tui.intent.new_names import styled
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.situation import Candidate, Situation
from spark_tui.intent.values import literal
from spark_tui.intent.written_lines import Change, Lines, Token, calls_for, changes, functions_around
from spark_tui.intent.written_texts import reworded, whole_piece

_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Stop\w*)\Z")
_ENTRY = re.compile(r"[\w.]+\[[^\[\]]+\]")
_LITERALS = frozenset(("None", "True", "False"))
_SECOND = 0.4
"""How likely the second of several things is meant."""
_KNOWN = 0.4
"""How much likelier than a name that the edit brought one is meant that stood in the file before."""


def amended_lines(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to change the lines of the earlier edit, for the repository before it."""
    before = situation.before
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    found = changes(situation) if way is not None else []
    if way is None or before is None or not found:
        return []
    out = []
    for weight, otherwise in way(Edit(reading, situation, found)):
        calls = calls_for(found, otherwise, before)
        if calls and otherwise:
            out.append(Candidate(calls, reading, weight=weight, from_before=True))
    return out


def takes_back(reading: Reading, situation: Situation) -> bool:
    """Whether what a reading gives is what stood there before, so that all of the edit goes."""
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    if way is not _exchanged or situation.partial:
        return False
    found = changes(situation)
    _, otherwise = next(way(Edit(reading, situation, found)), (0.0, {}))
    left = [one for one in found if otherwise.get(one, one.new) != one.old]
    return len(left) < len(found) and not any(functions_around(one, situation.behind) for one in left)


# -- another value -----------------------------------------------------------------------------------------


def _exchanged(edit: Edit) -> Iterator[Way]:
    """Another name, value, exception, message or type in the place of one that was written: in the places
    that the other words name, or wherever it was written."""
    given = given_for(edit.reading, edit.situation.instruction)
    if given is None:
        return
    spans = (whole_piece(one, edit.situation.instruction) for one in edit.reading.slots.get("old", ()))
    old = [span.text if span.text[:1].isspace() else _bare(span.text) for span in spans]
    kind = edit.reading.intent.removeprefix("amend.")
    written = {one: list(one.written()) for one in edit.changes}
    groups: dict[str, float] = {}
    there = _words_before(edit) if kind == "name" and not old else {}
    for change, tokens in written.items():
        for token in tokens:
            fits = _fit(kind, token, given, old)
            tested = kind in ("value", "message") and not old and _is_tested(change, token)
            fits *= _SECOND if tested else 1.0
            fits *= _KNOWN if token.text in there.get(change.path, ()) else 1.0
            if fits > 0:
                groups[token.text] = max(groups.get(token.text, 0.0), fits)
    ranked = sorted(groups.items(), key=lambda each: -each[1])[:3]
    for at, (text, fits) in enumerate(ranked):
        new = _spelled(text, given, old, kind)
        if new is None or new == text:
            continue
        otherwise: dict[Change, Lines | None] = {}
        for change, tokens in written.items():
            places = {one: new for one in tokens if one.text == text}
            if kind == "name":
                places |= {one: _in_holes(one.text, text, new) for one in tokens if _is_f_string(one.text)}
            lines = _with(change, places)
            if lines != change.new:
                otherwise[change] = lines
        near = named_by_words(edit, list(otherwise))
        if near:
            yield fits * _SECOND**at, {one: otherwise[one] for one in near}
        yield fits * _SECOND ** (at + bool(near)), otherwise


def given_for(reading: Reading, text: str) -> Span | None:
    """What is to be taken; words in a row are one text, and what is joined to one belongs to it."""
    spans = reading.slots.get(str(table()["given"].get(reading.intent, "")), ())
    if len(spans) > 1 and all(text[a.end : b.start].isspace() for a, b in pairwise(spans)):
        return Span(spans[0].start, spans[-1].end, text[spans[0].start : spans[-1].end])
    if not spans or spans[-1].start < 0:
        return spans[-1] if spans else None
    if (whole := whole_piece(spans[-1], text)).quoted:
        return whole
    start, end = spans[-1].start, spans[-1].end
    while start and re.match(r"[\w.-]", text[start - 1]):
        start -= 1
    return replace(spans[-1], start=start, text=_bare(text[start:end]))


def _is_tested(change: Change, token: Token) -> bool:
    """Whether a token stands in a condition: what is tested is rarely what is to be another value."""
    start = change.text.rfind("\n", 0, token.start) + 1
    return re.match(r"\s*(?:if|elif|while|assert)\b", change.text[start : token.start]) is not None


def _words_before(edit: Edit) -> dict[str, frozenset[str]]:
    """The words that stood in each file before the edit."""
    assert edit.situation.before is not None
    texts = {one.path: edit.situation.before.index.text(one.path) or "" for one in edit.changes}
    return {path: frozenset(re.findall(r"\w+", text)) for path, text in texts.items()}


def _is_f_string(text: str) -> bool:
    return _is_string(text) and "f" in text[:2].lower()


def _in_holes(text: str, name: str, new: str) -> str:
    """An f-string with another name in its holes."""
    return re.sub(r"\{[^{}]*\}", lambda hole: re.sub(rf"\b{re.escape(name)}\b", lambda _: new, hole[0]), text)


def _bare(text: str) -> str:
    """A text without the quotes around it; one that stands at one end belongs to it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "`'\"" else text


def _inner(text: str) -> str:
    """The text of a string literal."""
    return re.sub(r"\A\w{0,2}(\"\"\"|'''|\"|')([\s\S]*)\1\Z", r"\2", text)


def is_error(text: str) -> bool:
    """Whether a word is the name of an error class."""
    return _ERROR.match(text) is not None


def _is_string(text: str) -> bool:
    return text[-1:] in "'\"" and len(text) > 1


def _is_literal(text: str) -> bool:
    return text[:1].isdigit() or text in _LITERALS or _is_string(text)


def _fit(kind: str, token: Token, given: Span, old: Sequence[str]) -> float:
    """How likely a token is what something else is given for."""
    text = token.text
    if old:
        said = text in old or _inner(text) in old
        return 1.0 if said else 0.6 if _is_string(text) and any(one in text for one in old if one) else 0.0
    name = text.isidentifier() and not keyword.iskeyword(text)
    if kind == "name":
        own = text not in ("self", "cls") and not hasattr(builtins, text)  # not a name of Python
        return 0.9 if name and own and not _ERROR.match(text) else 0.0
    if kind == "exception":
        return 0.9 if _ERROR.match(text) or (name and token.before in ("raise", "except")) else 0.0
    if kind == "message":
        return 0.9 if _is_string(text) else 0.0
    if kind == "type":
        return 0.8 if name and token.before in (":", ">", "[", "|") else 0.0
    if not _is_literal(text):
        return 0.25 if name and kind == "value" and token.before in ("=", "return") else 0.0
    number = _number(given.text) is not None and not given.quoted
    if not given.quoted and not re.search(r"\w", given.text):
        return 0.9 if _is_string(text) else 0.0
    alike = number == text[:1].isdigit() or given.quoted == _is_string(text)
    return 0.9 if alike else 0.4


def _number(text: str) -> str | None:
    """The number that a text says, of seconds or bytes too."""
    amount = phrases.duration(text) or phrases.size(text)
    return phrases.plain_number(amount) if amount is not None else phrases.number(text)


def _spelled(text: str, given: Span, old: Sequence[str], kind: str) -> str | None:
    """What stands in the place of a token."""
    plain = given.text.strip()
    plain = _bare(plain) if plain.startswith("`") else plain
    said = replace(given, text=given.text if given.text[:1].isspace() or given.quoted else _bare(plain))
    if kind in ("name", "exception", "type"):
        plain = (phrases.type_code(plain) or plain) if kind == "type" else _bare(plain)
        if kind == "name" and re.fullmatch(r"\w+(?: \w+)+", plain):
            return styled(words_of(plain), text) if phrases.value(plain) is None else None
        return plain if re.fullmatch(r"[\w.\[\], |]+", plain) else None
    if _is_string(text):
        inner = _inner(text)
        part = next((one for one in old if one in inner and one != inner), None)
        value = phrases.number(plain) if kind == "value" and not given.quoted and not old else None
        if value is not None or (plain in _LITERALS and not given.quoted):
            return value or plain
        if kind == "value" and not given.quoted and not old and _ENTRY.fullmatch(plain):
            return plain
        new = inner.replace(part, said.text) if part else reworded(text, inner, said)
        if new is None:
            return None
        at = text.index(inner) if inner else len(text) // 2
        return text[:at] + new + text[at + len(inner) :]
    if " " in plain and not given.quoted and _is_literal(text) and phrases.value(plain) is None:
        return _number(plain) if text[:1].isdigit() else None
    value = phrases.value(plain) or (_number(plain) if text[:1].isdigit() else None)
    if value is not None and not given.quoted:
        return value
    code = re.fullmatch(r"[\w.]+(?:\([^()]*\))?|-?\d[\w.]*|[\[({].*[\])}]", plain)
    return plain if code and not given.quoted else literal(_bare(plain))


def _with(change: Change, written: Mapping[Token, str]) -> Lines:
    text = change.text
    for token in sorted(written, key=lambda one: -one.start):
        text = text[: token.start] + written[token] + text[token.end :]
    return bare_lines(text)


_WAYS: Mapping[str, Callable[[Edit], Iterator[Way]]] = {
    **dict.fromkeys(("name", "value", "exception", "message", "type"), _exchanged),
    "except": fewer,
    "only_here": only,
}
