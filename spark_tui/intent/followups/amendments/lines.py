"""Follow-ups that change what was written, line by line, where no call is known that wrote it."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from spark_tui.codemods.hunks import bare_lines
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import (
    LineChange,
    Lines,
    Token,
    calls_to,
    changes_of_edit,
    functions_around,
    texts_for,
    tokens_of,
)
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.followups.amendments.exchanged_tokens import (
    MEMBER,
    READ_AS_TEXT,
    GivenReplacement,
    annotation_named,
    bare_text,
    find_replacement,
    inner_text,
    is_about_message,
    is_in_condition,
    is_literal,
    is_string,
    only_judges,
    read_number,
)
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.parts.fewer_places import (
    Amendment,
    Way,
    keep_only_places,
    named_by_words,
    remove_places,
)
from spark_tui.intent.followups.written.fitting_constants import says_constant
from spark_tui.intent.followups.written.guard_messages import with_messages_redone
from spark_tui.intent.followups.written.texts import whole_piece
from spark_tui.intent.names.taken_names import doubts_of_name
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Reading, Span

_SECOND = 0.4
"""How likely the second of several things is meant."""
_BESIDE = 0.6
"""How likely a thing is meant that stands on a line that was changed."""
_LIKE = 0.5
"""From where on a thing is like what is given."""
_BACK = 0.5
"""How much a way counts that gives back what stood there, where there are others."""
_GIVEN_BACK = 0.85


def amended_lines(reading: Reading, situation: Situation, beside: bool = False) -> list[Candidate]:
    """The ways to change the lines of the earlier edit, or what stands `beside` that in them, for the
    repository before it."""
    before = situation.before
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    found = changes_of_edit(situation) if way is not None else []
    if way is None or before is None or not found or (beside and way is not _exchanged):
        return []
    out = []
    edit = Amendment(reading, situation, found)
    for weight, otherwise in _exchanged(edit, beside=True) if beside else way(edit):
        texts = texts_for(found, otherwise, before)
        for path, text in texts.items() if reading.intent == "amend.value" else ():
            own = [change for change in found if change.path == path]
            texts[path] = with_messages_redone(situation.behind.index.source(path), text or "", own)
        calls = calls_to(texts, before)
        if calls and otherwise:
            out.append(Candidate(calls, reading, _doubts(edit), weight, from_before=True))
    return out


def _doubts(edit: Amendment) -> tuple[str, ...]:
    """What is doubtful about what is given: a name that is taken, a message that may tell what is to be in
    it."""
    given = given_for(edit.reading, edit.situation.instruction)
    if edit.reading.intent == "amend.name":
        return doubts_of_name(given, edit.situation)
    if edit.reading.intent == "amend.message" and given is not None and is_about_message(given):
        return (READ_AS_TEXT,)
    asked = _given_replacement(edit) if edit.reading.intent == "amend.value" else None
    if asked is None or not asked.held.isdigit():
        return ()
    less = str(int(asked.held) - 1)
    if any(token.text == less for change in edit.changes for token in change.written()):
        return (assumed(f"{less} was assumed to stay beside {bare_text(asked.given.text)}"),)
    return ()


def takes_back(reading: Reading, situation: Situation) -> bool:
    """Whether nothing but an undo is said, or what a reading gives is what stood there before."""
    stays = followup_table()["stays"]
    if situation.instruction.strip(" .!。！").casefold() in (*stays["back"], *stays["no"]):
        return True
    way = _WAYS.get(reading.intent.removeprefix("amend."))
    if way is not _exchanged or situation.partial:
        return False
    found = changes_of_edit(situation)
    _, otherwise = next(way(Amendment(reading, situation, found)), (0.0, {}))
    left = [change for change in found if otherwise.get(change, change.new) != change.old]
    return len(left) < len(found) and not any(functions_around(change, situation.behind) for change in left)


# -- another value -----------------------------------------------------------------------------------------


def _exchanged(edit: Amendment, beside: bool = False) -> Iterator[Way]:
    """Another value, exception, message, type or name in the place of one that was written, or that stands
    `beside` it: in the places that the other words name, or wherever it was written."""
    asked = _given_replacement(edit)
    if asked is None:
        return
    groups, weights = _groups(edit.changes, asked, beside)
    if not groups and asked.old and all(item in asked.given.text for item in asked.old):
        asked = replace(asked, old=())  # a part of what is given is nothing that was written
        groups, weights = _groups(edit.changes, asked, beside)
    if not beside and weights and max(weights.values()) < _LIKE:
        # Rather what is like it and stands there than what was written and is of another kind.
        more, likely = _groups(edit.changes, asked, beside=True)
        weights = {**likely, **weights}
        groups = {**more, **groups}
    at = ordinal_in(asked.beside) if len(groups) > 1 and asked.given.quoted else None
    texts = sorted(
        (group for group in groups if is_string(group[0])),
        key=lambda group: next(
            (edit.changes.index(one), min(t.start for t in groups[group][one])) for one in groups[group]
        ),
    )
    if at is not None and -len(texts) <= at < len(texts):
        groups = {texts[at]: groups[texts[at]]}
    ways: list[Way] = [(weights[group], _lines(groups[group])) for group in groups]
    several = len(edit.changes) > 1 and len(ways) > 1
    ways = [(fits * (_BACK if several and _stood_there(lines) else 1.0), lines) for fits, lines in ways]
    ways += _given_back(edit, asked) if not beside else ()
    for rank, (fits, otherwise) in enumerate(sorted(ways, key=lambda item: -item[0])[:3]):
        near = named_by_words(edit, list(otherwise))
        if near:
            yield fits * _SECOND**rank, {change: otherwise[change] for change in near}
        yield fits * _SECOND ** (rank + bool(near)), otherwise


def _groups(
    found: Sequence[LineChange], asked: GivenReplacement, beside: bool
) -> tuple[dict[tuple[str, ...], dict[LineChange, dict[Token, str]]], dict[tuple[str, ...], float]]:
    """The tokens that are exchanged together, with what takes their place, and how likely they are meant."""
    groups: dict[tuple[str, ...], dict[LineChange, dict[Token, str]]] = {}
    weights: dict[tuple[str, ...], float] = {}
    told = _names_told(found, asked)
    for change in found:
        for token in _unwritten(change) if beside else change.written():
            fits, new = find_replacement(asked, change, token) or (0.0, "")
            if not fits or (beside and fits < _LIKE):
                continue
            at = annotation_named(asked, change, token) if asked.kind == "type" else ""
            plain = asked.kind in ("value", "message") and (
                _is_of_another_type(token.text, new) if asked.old else fits < MEMBER
            )
            if plain and is_in_condition(change, token):
                at, fits = "tested", fits * (1.0 if beside else _SECOND)
            if told and not beside:
                line = change.text[change.text.rfind("\n", 0, token.start) + 1 : token.start]
                fits *= 1.0 if told & set(split_name(line)) else _SECOND
            group = (token.text, new, at)
            weights[group] = max(weights.get(group, 0.0), fits * (_BESIDE if beside else 1.0))
            groups.setdefault(group, {}).setdefault(change, {})[token] = new
    return groups, weights


def _is_of_another_type(old: str, new: str) -> bool:
    """Whether a literal is to be one of another type: what is tested is rarely meant then too."""
    both = [parsed(text) for text in (old, new)]
    kinds = {type(one.value) for one in both if isinstance(one, ast.Constant)}
    return len(kinds) > 1 and all(isinstance(one, ast.Constant) for one in both)


def _names_told(found: Sequence[LineChange], asked: GivenReplacement) -> set[str]:
    """The words of the message that are of names on the changed lines: those are told apart by them."""
    if asked.kind != "value" or asked.old:
        return set()
    names = {word for one in found for word in split_name(one.text) if len(word) > 2}
    general = {*keyword.kwlist, *followup_table()["general"]["words"]}
    return set(split_name(asked.beside)) & names - general


def _given_replacement(edit: Amendment) -> GivenReplacement | None:
    """What is given, and what for."""
    text = edit.situation.instruction
    given = given_for(edit.reading, text)
    if given is None or says_constant(given.text):
        return None
    first = given.text.partition(" ")[0]
    denies = not given.quoted and phrases.is_said("denials", first)
    if edit.reading.intent == "amend.message" and (denies or only_judges(given)):
        return None  # that is no text
    old = [
        one.text if (one := whole_piece(span, text)).quoted else bare_text(one.text)
        for span in edit.reading.slots.get("old", ())
    ]
    code = given.quoted and "`" in text[max(given.start - 1, 0) : given.start + 1]
    is_f = given.quoted and re.search(r"(?<!\w)[fF][\"']\Z", text[: max(given.start, 0)]) is not None
    index = edit.situation.behind.index
    texts = tuple(index.text(path) or "" for path in {change.path for change in edit.changes})
    beside = text[: given.start] + " " + text[given.end :] if given.start >= 0 else text
    kind = edit.reading.intent.removeprefix("amend.")
    return GivenReplacement(
        kind, given, old or _old_texts(edit, beside) * (kind == "value"), code, beside, texts, is_f
    )


def _old_texts(edit: Amendment, beside: str) -> list[str]:
    """The one number or text that was written and that the message says beside what is given."""
    tokens = (token.text for change in edit.changes for token in change.written())
    literals = {inner_text(token) for token in tokens if is_literal(token)}
    words = [
        literal
        for literal in literals
        if re.search(rf"(?<![\w.-]){re.escape(literal)}(?![\w-]|\.\d)", beside)
    ]
    return words if len(words) == 1 and words[0].strip() else []


def _unwritten(change: LineChange) -> list[Token]:
    """The tokens of changed lines that stood there before."""
    written = set(change.written())
    return [item for item in tokens_of(change.text) if item not in written]


def _given_back(edit: Amendment, asked: GivenReplacement) -> Iterator[Way]:
    """The old token back in place of the new one, if the message gives it and the new one is no literal."""
    plain = bare_text(asked.given.text)
    words = {plain, read_number(plain)} if not asked.given.quoted else {plain}
    for change in edit.changes:
        for was, now in change.exchanged():
            old = was[0].text if len(was) == 1 else ""
            if old and now and {old, inner_text(old)} & words and not is_literal(now[0].text):
                low, high = now[0].start, now[-1].end
                yield _GIVEN_BACK, {change: bare_lines(change.text[:low] + old + change.text[high:])}


def _lines(places: Mapping[LineChange, Mapping[Token, str]]) -> dict[LineChange, Lines | None]:
    """The changes with other tokens, and with a number of two digits also in the texts that say it."""
    out: dict[LineChange, Lines | None] = {}
    for change, tokens in places.items():
        more = {
            item: re.sub(rf"(?<![\w.]){token.text}(?![\w.])", new, item.text)
            for token, new in tokens.items()
            for item in change.written()
            if is_string(item.text) and re.fullmatch(r"\d{2,}", token.text)
        }
        out[change] = _with(change, {**more, **tokens})
    return out


def _stood_there(lines: Mapping[LineChange, Lines | None]) -> bool:
    return all(new == one.old for one, new in lines.items())


def given_for(reading: Reading, text: str) -> Span | None:
    """What is to be taken; words in a row are one text, and what is joined to one belongs to it."""
    spans = reading.slots.get(str(followup_table()["given"].get(reading.intent, "")), ())
    if len(spans) > 1 and all(text[a.end : b.start].isspace() for a, b in pairwise(spans)):
        return Span(spans[0].start, spans[-1].end, text[spans[0].start : spans[-1].end])
    spans = tuple(whole_piece(span, text) for span in spans)
    if not spans or spans[-1].quoted or spans[-1].start < 0:
        return spans[-1] if spans else None
    start, end = spans[-1].start, spans[-1].end
    while start and re.match(r"[\w.-]", text[start - 1]):
        start -= 1
    return replace(spans[-1], start=start, text=bare_text(text[start:end]))


def _with(change: LineChange, written: Mapping[Token, str]) -> Lines:
    text = change.text
    for token in sorted(written, key=lambda item: -item.start):
        text = text[: token.start] + written[token] + text[token.end :]
    return bare_lines(text)


_WAYS: Mapping[str, Callable[[Amendment], Iterator[Way]]] = {
    **dict.fromkeys(("name", "value", "exception", "message", "type"), _exchanged),
    "except": remove_places,
    "only_here": keep_only_places,
}
