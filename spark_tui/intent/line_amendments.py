"""Follow-ups that change what was written, line by line, where no call is known that wrote it."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from spark_tui.codemods.hunks import bare_lines
from spark_tui.intent import phrases
from spark_tui.intent.context import Context
from spark_tui.intent.followup_table import table
from spark_tui.intent.left_out import Place, places
from spark_tui.intent.names import names_of, words_of
from spark_tui.intent.new_names import styled
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.situation import Candidate, Situation
from spark_tui.intent.values import literal
from spark_tui.intent.written_lines import Change, Lines, Token, calls_for, changes, functions_around

_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Stop\w*)\Z")
_LITERALS = frozenset(("None", "True", "False"))
_PLACES = ("function", "class", "file", "parameter", "variable", "anchor")
_SECOND = 0.4
"""How likely the second of several things is meant."""
_LONG = 4
"""The least letters of a word that may tell which place is meant."""

Way = tuple[float, Mapping[Change, Lines | None]]


@dataclass(frozen=True)
class _Edit:
    """A reading that amends, and the lines that it is about."""

    reading: Reading
    situation: Situation
    changes: Sequence[Change]


def amended_lines(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to change the lines of the earlier edit, for the repository before it."""
    before = situation.before
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    found = changes(situation) if way is not None else []
    if way is None or before is None or not found:
        return []
    out = []
    for weight, otherwise in way(_Edit(reading, situation, found)):
        calls = calls_for(found, otherwise, before)
        if calls and otherwise:
            out.append(Candidate(calls, reading, weight=weight, from_before=True))
    return out


def leaves_nothing(reading: Reading, situation: Situation) -> bool:
    """Whether nothing of an edit stays without the place that a reading names; so it is where it names
    none."""
    found = changes(situation)
    edit = _Edit(reading, situation, found)
    if not any(reading.slots.get(slot) for slot in _PLACES):
        return not _numbered(edit)
    where = _where(edit)
    if where or len(found) < 1:
        return bool(found) and all(_is_in(one, where, situation) for one in found)
    return not _touching(edit)


def takes_back(reading: Reading, situation: Situation) -> bool:
    """Whether what a reading gives is what stood there before, so that all of the edit goes."""
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    if way is not _exchanged or situation.partial:
        return False
    found = changes(situation)
    _, otherwise = next(way(_Edit(reading, situation, found)), (0.0, {}))
    left = [one for one in found if otherwise.get(one, one.new) != one.old]
    return len(left) < len(found) and not any(functions_around(one, situation.behind) for one in left)


def touches_nothing(reading: Reading, situation: Situation) -> bool:
    """Whether a reading names a place in which the edit changed nothing."""
    found = changes(situation)
    where = _where(_Edit(reading, situation, found))
    return bool(where) and bool(found) and not any(_is_in(one, where, situation) for one in found)


# -- another value -----------------------------------------------------------------------------------------


def _exchanged(edit: _Edit) -> Iterator[Way]:
    """Another name, value, exception, message or type in the place of one that was written: in the places
    that the other words name, or wherever it was written."""
    given = given_for(edit.reading, edit.situation.instruction)
    if given is None:
        return
    old = [_bare(span.text) for span in edit.reading.slots.get("old", ())]
    kind = edit.reading.intent.removeprefix("amend.")
    written = {one: list(one.written()) for one in edit.changes}
    groups: dict[str, float] = {}
    for change, tokens in written.items():
        for token in tokens:
            fits = _fit(kind, token, given, old)
            fits *= _SECOND if kind == "value" and not old and _is_tested(change, token) else 1.0
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
    if not spans or spans[-1].quoted or spans[-1].start < 0:
        return spans[-1] if spans else None
    start, end = spans[-1].start, spans[-1].end
    while start and re.match(r"[\w.-]", text[start - 1]):
        start -= 1
    return replace(spans[-1], start=start, text=_bare(text[start:end]))


def _is_tested(change: Change, token: Token) -> bool:
    """Whether a token stands in a condition: what is tested is rarely what is to be another value."""
    start = change.text.rfind("\n", 0, token.start) + 1
    return re.match(r"\s*(?:if|elif|while|assert)\b", change.text[start : token.start]) is not None


def _bare(text: str) -> str:
    """A text without the quotes around it; one that stands at one end belongs to it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "`'\"" else text


def inner_text(text: str) -> str:
    """The text of a string literal."""
    return re.sub(r"\A\w{0,2}(\"\"\"|'''|\"|')([\s\S]*)\1\Z", r"\2", text)


def is_error(text: str) -> bool:
    """Whether a word is the name of an error class."""
    return _ERROR.match(text) is not None


def is_string(text: str) -> bool:
    return text[-1:] in "'\"" and len(text) > 1


def _is_literal(text: str) -> bool:
    return text[:1].isdigit() or text in _LITERALS or is_string(text)


def _fit(kind: str, token: Token, given: Span, old: Sequence[str]) -> float:
    """How likely a token is what something else is given for."""
    text = token.text
    if old:
        said = text in old or inner_text(text) in old
        return 1.0 if said else 0.6 if is_string(text) and any(one in text for one in old if one) else 0.0
    name = text.isidentifier() and not keyword.iskeyword(text)
    if kind == "name":
        own = text not in ("self", "cls") and not hasattr(builtins, text)  # not a name of Python
        return 0.9 if name and own and token.before != "." and not _ERROR.match(text) else 0.0
    if kind == "exception":
        return 0.9 if _ERROR.match(text) or (name and token.before in ("raise", "except")) else 0.0
    if kind == "message":
        return 0.9 if is_string(text) else 0.0
    if kind == "type":
        return 0.8 if name and token.before in (":", ">", "[", "|") else 0.0
    if not _is_literal(text):
        return 0.25 if name and kind == "value" and token.before in ("=", "return") else 0.0
    number = _number(given.text) is not None and not given.quoted
    alike = number == text[:1].isdigit() or given.quoted == is_string(text)
    return 0.9 if alike else 0.4


def _number(text: str) -> str | None:
    """The number that a text says, of seconds or bytes too."""
    amount = phrases.duration(text) or phrases.size(text)
    return phrases.plain_number(amount) if amount is not None else phrases.number(text)


def _spelled(text: str, given: Span, old: Sequence[str], kind: str) -> str | None:
    """What stands in the place of a token."""
    plain = given.text.strip()
    plain = _bare(plain) if plain.startswith("`") else plain
    if kind in ("name", "exception", "type"):
        plain = (phrases.type_code(plain) or plain) if kind == "type" else _bare(plain)
        if kind == "name" and re.fullmatch(r"\w+(?: \w+)+", plain):
            return styled(words_of(plain), text) if phrases.value(plain) is None else None
        return plain if re.fullmatch(r"[\w.\[\], |]+", plain) else None
    if is_string(text):
        inner = inner_text(text)
        part = next((one for one in old if one in inner and one != inner), None)
        value = phrases.number(plain) if kind == "value" and not given.quoted and not old else None
        if value is not None or (plain in _LITERALS and not given.quoted):
            return value or plain
        new = inner.replace(part, _bare(plain)) if part else _bare(plain)
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


# -- fewer places ------------------------------------------------------------------------------------------


def _spans(edit: _Edit) -> tuple[Span, ...]:
    return tuple(span for slot in _PLACES for span in edit.reading.slots.get(slot, ()))


def _where(edit: _Edit) -> list[Place]:
    """The places that are named, in the files with the earlier answer."""
    told = replace(edit.situation, repo=edit.situation.behind)
    return places(_spans(edit), told, names_of(told.repo, told.path))


def _touching(edit: _Edit) -> list[Change]:
    """The changes in the places that are named, or with their words."""
    spans = _spans(edit)
    if not spans:
        return named_by_words(edit, edit.changes) or _numbered(edit)
    where = _where(edit)
    inside = [one for one in edit.changes if _is_in(one, where, edit.situation)]
    if inside and len(inside) < len(edit.changes):
        return inside
    said = {word for span in spans for word in words_of(span.text) if len(word) > 2}
    own = [one for one in edit.changes if said & {word for line in one.new for word in words_of(line)}]
    if own and len(own) < len(edit.changes):
        return own
    return [] if where else named_by_words(edit, edit.changes, beside=False) or _numbered(edit)


def _numbered(edit: _Edit) -> list[Change]:
    """The change that the instruction names by its place among them: the first one."""
    at = number_said(edit.situation.instruction)
    fits = at is not None and -len(edit.changes) <= at < len(edit.changes) > 1
    return [edit.changes[at]] if fits and at is not None else []


def number_said(instruction: str) -> int | None:
    """The place among several that an instruction names, from 0; None where it names none or more."""
    ordinals = {word: int(place) for place, known in phrases.table()["ordinals"].items() for word in known}
    said = [ordinals[one] for one in re.findall(r"\w+", instruction.lower()) if one in ordinals]
    return said[0] if len(said) == 1 else None


def named_by_words(edit: _Edit, found: Sequence[Change], beside: bool = True) -> list[Change]:
    """The changes of whose lines and functions the instruction has the most words, where it parts them; by
    default without the words of its slots."""
    text = edit.situation.instruction
    if beside:
        text = Context(edit.reading, edit.situation).beside_slots()
    said = {word for word in words_of(text) if len(word) >= _LONG}
    own: dict[Change, set[str]] = {}
    for one in found:
        around = functions_around(one, edit.situation.behind)
        own[one] = {
            word for line in (*one.old, *one.new, *around) for word in words_of(line) if len(word) > 2
        }
    counts = {
        one: sum(any(word.startswith(each) or each.startswith(word) for each in words) for word in said)
        for one, words in own.items()
    }
    most = max(counts.values(), default=0)
    near = [one for one, count in counts.items() if count == most]
    return near if most and len(near) < len(found) else []


def _is_in(change: Change, where: Sequence[Place], situation: Situation) -> bool:
    starts = situation.behind.index.source(change.path).starts
    at = starts[min(change.at, len(starts) - 1)]
    return any(path == change.path and (high < 0 or low <= at < high) for path, low, high in where)


def _fewer(edit: _Edit) -> Iterator[Way]:
    """Without what was done in a place."""
    gone = _touching(edit)
    if gone:
        yield 0.9, dict.fromkeys(gone)


def _only(edit: _Edit) -> Iterator[Way]:
    """Nothing but what was done in a place."""
    kept = _touching(edit)
    if kept:
        yield 0.9, dict.fromkeys(one for one in edit.changes if one not in kept)


_WAYS: Mapping[str, Callable[[_Edit], Iterator[Way]]] = {
    **dict.fromkeys(("name", "value", "exception", "message", "type"), _exchanged),
    "except": _fewer,
    "only_here": _only,
}
