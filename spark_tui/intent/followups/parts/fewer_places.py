"""Which changes of an edit a follow-up names, and the edit without those, or with nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.context.lookup import key, names_of, split_name
from spark_tui.intent.context.places_left_out import Place, find_left_out
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, Lines, changes_of_edit, functions_around
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.followups.parts.aspects import unchanged_aspect
from spark_tui.intent.followups.parts.imports import only_imports, with_its_imports
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Order, Reading, Span
from spark_tui.intent.words.tokens import tokenize

_LONG = 4
"""The least letters of a word that may tell which place is meant."""
_CLAUSE = 2
"""The least blanks in a part of a sentence that names something by any of its words."""
_KEYWORDS = {
    "If": r"(?:el)?if\b",
    "For": r"for\b",
    "While": r"while\b",
    "With": r"with\b",
    "Try": r"(?:try|except|finally)\b",
    "Return": r"return\b",
    "Raise": r"raise\b",
    "Assert": r"assert\b",
    "Import": r"(?:import|from)\b",
}
"""How the lines of statements begin that have words of their own."""

_WORD = re.compile(r"\w+")
_VALUES = frozenset((SymbolKind.ATTRIBUTE, SymbolKind.VARIABLE, SymbolKind.PARAMETER, SymbolKind.LOCAL))

Way = tuple[float, Mapping[LineChange, Lines | None]]


@dataclass(frozen=True)
class Amendment:
    """A reading that amends, and the lines that it is about."""

    reading: Reading
    situation: Situation
    changes: Sequence[LineChange]


def leaves_nothing(reading: Reading, situation: Situation) -> bool:
    """Whether nothing of an edit stays without the place that a reading names; so it is where it names
    none, nor a piece of what was written."""
    found = changes_of_edit(situation)
    edit = Amendment(reading, situation, found)
    if not spans_of(edit):
        return not (changes_named(edit) or _names_a_piece(edit))
    where = where_of(edit)
    if where or len(found) < 1:
        return bool(found) and all(_is_in(change, where, situation) for change in found)
    unknown = not all(phrases.is_said("pronouns", span.text) for span in spans_of(edit))
    return not (unknown or changes_named(edit))


def _names_a_piece(edit: Amendment) -> bool:
    """Whether a message names a variable that is written among others, and that the edit was not asked for:
    *without owner* behind a `__repr__` that shows all fields."""
    situation = edit.situation
    if situation.before is None or situation.before.index.text(situation.path) is None:
        return False
    known = names_of(situation.before, situation.path).in_file(situation.path)
    old = {word for change in edit.changes for line in change.old for word in _WORD.findall(line)}
    new = {word for change in edit.changes for line in change.new for word in _WORD.findall(line)}
    asked = {token.text for token in tokenize(situation.asked).items}
    said = {token.text for token in tokenize(situation.instruction).items} & (new - old - asked)
    return any(one.name == word and one.kind in _VALUES for word in said for one in known.get(key(word), ()))


def left_alone(order: Order, situation: Situation) -> str:
    """Why an edit stays as it is: it changes nothing of what is to be kept, or has nothing in the places that
    are taken out of it; else empty."""
    sentences, reading = decision_settings()["sentences"], order.readings[0]
    if unchanged := unchanged_aspect(situation.instruction[order.start : order.end], situation):
        return str(sentences["unchanged"]).format(unchanged=unchanged)
    if reading.intent != "amend.except" or not touches_nothing(reading, situation):
        return ""
    named = spans_of(Amendment(reading, situation, ()))
    places = ", ".join(dict.fromkeys(span.text.strip("`'\"") for span in named))
    return str(sentences["untouched"]).format(places=places)


def with_places_said(reading: Reading, situation: Situation) -> Reading:
    """The reading of what is to stay out of an edit, with the places that are said beside its empty slots."""
    if reading.intent in ("amend.place", "amend.only_here") and _is_denied(reading, situation.instruction):
        return replace(reading, intent="amend.except")
    if reading.intent != "amend.except" or any(reading.slots.values()):
        return reading
    tokens = tokenize(situation.instruction).items
    names_told = [one for one in tokens if one.kind == "name"]
    verbs = phrases.words("denying")  # *drop the guard* names no function, whatever is called so
    spans = [
        Span(one.start, one.end, one.text) for one in names_told if one.start or one.text.lower() not in verbs
    ]
    told = replace(situation, repo=situation.behind)
    names = names_of(told.repo, told.path)
    said = tuple(span for span in spans if find_left_out((span,), told, names))
    return replace(reading, slots={"file": said}) if said else reading


def _is_denied(reading: Reading, text: str) -> bool:
    """Whether the only thing that a reading names stands directly after *not in*."""
    spans = reading.spans
    denials = "|".join(re.escape(word) for word in phrases.words("denying") if word != "no")
    before = text[: spans[0].start] if len(spans) == 1 else ""
    return re.search(rf"(?<!\w)(?:{denials})\s+\w+\s+\Z", before, re.IGNORECASE) is not None


def touches_nothing(reading: Reading, situation: Situation) -> bool:
    """Whether a reading names a place in which the edit changed nothing."""
    found = changes_of_edit(situation)
    where = where_of(Amendment(reading, situation, found))
    return bool(where) and bool(found) and not any(_is_in(change, where, situation) for change in found)


def remove_places(edit: Amendment) -> Iterator[Way]:
    """Without what was done in a place."""
    gone = changes_named(edit)
    if gone:
        yield 0.9, with_its_imports(edit.changes, dict.fromkeys(gone), edit.situation)


def keep_only_places(edit: Amendment) -> Iterator[Way]:
    """Nothing but what was done in a place."""
    kept = changes_named(edit)
    if kept:
        rest = (change for change in edit.changes if change not in kept and not only_imports(change))
        yield 0.9, with_its_imports(edit.changes, dict.fromkeys(rest), edit.situation)


def spans_of(edit: Amendment) -> tuple[Span, ...]:
    return tuple(span for slot in (*PLACES, *OTHER_PLACES) for span in edit.reading.slots.get(slot, ()))


def where_of(edit: Amendment) -> list[Place]:
    """The places that are named, in the files with the earlier answer."""
    told = replace(edit.situation, repo=edit.situation.behind)
    return find_left_out(spans_of(edit), told, names_of(told.repo, told.path))


def changes_named(edit: Amendment) -> list[LineChange]:
    """The changes in the places that are named, or with their words."""
    spans = spans_of(edit)
    if not spans:
        return named_by_words(edit, edit.changes) or _numbered(edit)
    if any(span.text.count(" ") >= _CLAUSE for span in spans):
        told = replace(edit.situation, instruction=" ".join(span.text for span in spans))
        return named_by_words(replace(edit, situation=told), edit.changes, beside=False)
    where = where_of(edit)
    inside = [change for change in edit.changes if _is_in(change, where, edit.situation)]
    if inside and len(inside) < len(edit.changes):
        return inside
    plain = {span.text.strip("`'\"()") for span in spans}
    was = [change for change in edit.changes if plain & removed_words(change)]
    if was and len(was) < len(edit.changes):
        return was
    words = {word for span in spans for word in split_name(span.text) if len(word) > 2}
    own = [
        change
        for change in edit.changes
        if words & {word for line in change.new for word in split_name(line)}
    ]
    if own and len(own) < len(edit.changes):
        return own
    return [] if where else named_by_words(edit, edit.changes, beside=False) or _numbered(edit)


def removed_words(change: LineChange) -> set[str]:
    """The words of the old lines that the new ones have not."""
    was, now = (set(re.findall(r"\w+", "\n".join(lines))) for lines in (change.old, change.new))
    return was - now


def _numbered(edit: Amendment) -> list[LineChange]:
    """The change that the instruction names by its place among them: the first one."""
    at = number_said(edit.situation.instruction)
    fits = at is not None and -len(edit.changes) <= at < len(edit.changes) > 1
    return [edit.changes[at]] if fits and at is not None else []


def number_said(instruction: str) -> int | None:
    """The place among several that an instruction names, from 0; None where it names none or more."""
    ordinals = ordinals_in(instruction)
    return ordinals[0] if len(ordinals) == 1 else None


def named_by_words(edit: Amendment, found: Sequence[LineChange], beside: bool = True) -> list[LineChange]:
    """The changes of whose lines and functions the instruction has the most words, where it parts them; by
    default without the words of its slots."""
    text = edit.situation.instruction
    if beside:
        text = Context(edit.reading, edit.situation).beside_slots()
    texts = {word for word in split_name(text) if len(word) >= _LONG}
    capitals = {word for word in re.findall(r"\w{2,}", text) if word.isupper() and len(word) < _LONG}
    kinds = _part_kinds(text)
    counts: dict[LineChange, int] = {}
    for change in found:
        lines = (*change.old, *change.new, *functions_around(change, edit.situation.behind))
        words = {word for line in lines for word in split_name(line) if len(word) > 2}
        spelled = {word for line in lines for word in re.findall(r"\w+", line)}
        counts[change] = len(capitals & spelled) + len(kinds & _kinds_of(change))
        counts[change] += sum(
            any(word.startswith(item) or item.startswith(word) for item in words) for word in texts
        )
    most = max(counts.values(), default=0)
    near = [one for one, count in counts.items() if count == most]
    return near if most and len(near) < len(found) else []


def _part_kinds(text: str) -> frozenset[str]:
    """The kinds of statements, and comments and docstrings, of which a text speaks."""
    low = text.lower()
    known = {kind: phrases.table()["statements"][kind] for kind in _KEYWORDS}
    known |= {kind: phrases.words(kind) for kind in ("comments", "docstrings")}
    return frozenset(kind for kind, words in known.items() if phrases.any_stands_in(words, low))


def _kinds_of(change: LineChange) -> frozenset[str]:
    """The kinds of statements in the lines of a change, and whether these hold a comment or a docstring."""
    lines = [line.strip() for line in (*change.old, *change.new)]
    found = {kind for kind, head in _KEYWORDS.items() if any(re.match(head, line) for line in lines)}
    found |= {"comments"} if any(line.startswith("#") for line in lines) else set()
    found |= {"docstrings"} if any(line.startswith(('"""', "'''")) for line in lines) else set()
    return frozenset(found)


def _is_in(change: LineChange, where: Sequence[Place], situation: Situation) -> bool:
    starts = situation.behind.index.source(change.path).starts
    at = starts[min(change.at, len(starts) - 1)]
    return any(path == change.path and (high < 0 or low <= at < high) for path, low, high in where)
