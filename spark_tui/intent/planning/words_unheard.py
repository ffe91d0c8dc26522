"""Words that speak against an edit: an order that is denied, asked about or taken back, and words that
limit it, which hardly anybody says for such an edit and which the code does not explain."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from spark_tui.codemods.plan import Edit, Plan
from spark_tui.codemods.registry import Operation, render
from spark_tui.intent.conditions.condition_phrases import alike
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.planning.named_line import is_at
from spark_tui.intent.planning.said_branches import branches_kept
from spark_tui.intent.planning.used_numbers import is_number_used
from spark_tui.intent.reading.word_counts import OFTEN, is_code, word_counts
from spark_tui.intent.values.likely.incomplete_readings import line_named
from spark_tui.intent.words import phrases
from spark_tui.intent.words.reasons import is_reason
from spark_tui.intent.words.tokens import Token, tokenize
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.words import identifier_words
from spark_tui.tables import read_table

_Spans = list[tuple[int, int]]
RARELY = 1
"""How often at most a word was said for an intent that it does not go with."""
_NEAR = 3
"""How many words a preposition may stand in front of one."""
_ADVERB = re.compile(r"\w{3,}ly|twice|once|async")
_COMPOUND = re.compile(r"(?<![\w-])([^\W\d_]{3,})-([^\W\d_]{3,})(?![\w-])")
SCOPES = ("function", "class", "file")
"""Slots that only say where."""
_WHOLE = frozenset(
    ("RemoveDefinition", "RemoveDocstring", "RemoveDecorator", "RemoveParameter", "RemoveBase")
)
"""Operations by which all of what has a name goes: what stands in it does not explain a word that may name a
part."""
TAKES_AWAY = ("remove_", "delete_", "comment_out", "pattern.remove_")
CLAUSE = re.compile(
    r"[,;:.](?=\s|\Z)|\s\(|[\n–—，。；：]|"
    r"(?<!\w)(?=(?:because|since|so that|as it|weil|damit|porque)\b)",
    re.I,
)


@lru_cache(maxsize=16)
def table_words(kind: str) -> tuple[str, ...]:
    """The words of a kind, or regular expressions for them, of all languages."""
    table = read_table(__file__, "words_unheard.toml")
    return tuple(table[kind])


_BEYOND = re.compile(
    r"\s*(?:be(?:come)?|go|get|drop|fall|sink|rise|grow|end up)?\s*"
    r"(?:below|under|less|lower|smaller|above|over|more|larger|higher|beyond|negative|exceed)\b",
    re.IGNORECASE,
)


def find_unheard(found: RankedEdit) -> str:
    """The first words of an order that speak against its edit; empty for none."""
    text, intent = found.situation.instruction, found.executed.candidate.reading.intent
    kept, left = branches_kept(found)
    doubtful = (
        *denials(text, found.start, found.end, intent, _spans(found)),
        *_said("asked_about", found),
        *_said("taken_back", found),
        *left,
    )
    if doubtful:
        start, end = min(doubtful)
        return text[start:end].strip()
    words = (one for one in _unheard(found, kept) if not (is_ordinal(one) and is_number_used(found, one)))
    return next((token.text for token in words), next(_compounds(found), ""))


def _spans(found: RankedEdit) -> _Spans:
    """The characters of the order that slots or places left out hold."""
    reading = found.executed.candidate.reading
    spans = reading.held
    return [(span.start, span.end) for span in spans]


def _said(kind: str, found: RankedEdit) -> _Spans:
    """Where the order says words of a kind, outside of slots and quotes."""
    text = found.situation.instruction
    return _said_in(kind, text, found.start, max(found.end, 1), _spans(found))


def _said_in(kind: str, text: str, start: int, end: int, held: _Spans) -> _Spans:
    quoted = [(piece.start, piece.end) for piece in tokenize(text).quoted]
    places = re.compile("|".join(table_words(kind)), re.IGNORECASE).finditer(text, start, end)
    return [
        one.span()
        for one in places
        if not any(low < one.end() and one.start() < high for low, high in (*held, *quoted))
    ]


def denials(text: str, start: int, end: int, intent: str, held: _Spans) -> _Spans:
    """Where a denying word stands in front of what an intent does: `don't rename`."""
    places = _said_in("denials", text, start, max(end, 1), held)
    return [place for place in places if _denies(place, text, end, intent, held)]


def _denies(place: tuple[int, int], text: str, end: int, intent: str, held: _Spans) -> bool:
    after = [token for token in tokenize(text).items if token.start >= place[1] and token.end <= end]
    if not after or any(low <= after[0].start < high for low, high in held):
        return False
    if re.search("|".join(table_words("contrasts")), text[place[1] : end], re.IGNORECASE):
        return False
    counts = word_counts()
    if intent == "limit_value" and _BEYOND.match(text, place[1]):
        return False  # *never below 2* is the limit itself
    together = counts.often(intent, text[place[0] : place[1]].split()[-1], after[0].text)
    alone = counts.often(intent, after[0].text)
    if together is None or alone is None:
        return not intent.startswith(TAKES_AWAY)
    takes_away = intent.startswith(TAKES_AWAY)
    return alone >= OFTEN and (together <= RARELY or not takes_away)


def _unheard(found: RankedEdit, heard: _Spans) -> Iterator[Token]:
    """The words after a preposition, and adverbs, that are hardly ever said for the intent."""
    reading, text = found.executed.candidate.reading, found.situation.instruction
    tokens = [token for token in tokenize(text).items if found.start <= token.start < max(found.end, 1)]
    held = [*_spans(found), *_said("denials", found), *_line_done(found), *heard]
    clauses, parts, one = list(_clauses(found)), _of_some(found), found.executed
    whole = all(type(call).__name__ in _WHOLE for call in one.calls)
    explained = touched(found.situation.repo.index, Plan() if whole else one.plan, one.calls) - parts
    known, counts = {*table_words("always_said"), *phrases.words("kinds")}, word_counts()
    scoped = frozenset(table_words("scope_words")) if _is_scoped(found) else frozenset[str]()
    no_part = {*table_words("no_part"), *phrases.words("negations")}
    begun = False  # what stands ahead of what is asked for names no part of it
    for at, token in enumerate(tokens):
        low = token.text.lower()
        if token.kind != "name" or token.inside >= 0 or is_code(token) or low in known or low in scoped:
            continue
        often = counts.often(reading.intent, low)
        inner = any(start < token.end and token.start < end for start, end in held)
        begun = begun or inner or (often or 0) >= OFTEN
        if inner:
            continue
        shown = text[token.end :].lstrip()[:1] in ("[", "]", "|")  # in a type
        most = OFTEN - 1 if (low in parts and not shown) or _is_inside(tokens[:at]) else RARELY
        if often is None or often > most or any(alike(low, item) for item in explained):
            continue
        inside = any(start <= token.start < end for start, end in clauses)
        part = whole and begun and low not in no_part
        limits = part or _ADVERB.fullmatch(low) or is_ordinal(token)
        if inside and (limits or _is_limited(tokens[max(at - _NEAR, 0) : at], held)):
            yield token


def _line_done(found: RankedEdit) -> Iterator[tuple[int, int]]:
    """The characters that name the line at which the edit is made."""
    line = line_named(found.situation.instruction)
    if line is not None and is_at(found.executed.candidate, found.situation, line[0]):
        yield line[1:]


def _compounds(found: RankedEdit) -> Iterator[str]:
    """Compounds of words that are often said for the intent, but never together: `positional-only`."""
    intent, counts, held = found.executed.candidate.reading.intent, word_counts(), _spans(found)
    for match in _COMPOUND.finditer(found.situation.instruction, found.start, max(found.end, 1)):
        known = [counts.often(intent, word) or 0 for word in match.groups()]
        together = counts.often(intent, *match.groups())
        outside = not any(low < match.end() and match.start() < high for low, high in held)
        if outside and min(known) >= OFTEN and together is not None and together <= RARELY:
            yield match[0]


def _is_inside(before: Sequence[Token]) -> bool:
    """Whether the words before a word say that something stands in it: *in the help*."""
    said = [token.text.lower() for token in before[-2:]]
    return len(said) > 1 and said[0] in table_words("inside") and phrases.is_said("articles", said[1])


def _is_limited(before: Sequence[Token], held: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the words before a word is a preposition, and what is between is said with it."""
    for token in reversed(before):
        if token.kind != "name" or any(start <= token.start < end for start, end in held):
            return False
        if token.text.lower() in table_words("limiting"):
            return True
    return False


def _clauses(found: RankedEdit) -> Iterator[tuple[int, int]]:
    """The clauses of the order that name something, or stand in front of one that does; no reasons."""
    text, start, spans = found.situation.instruction, found.start, _spans(found)
    ends = [*(match.start() for match in CLAUSE.finditer(text, found.start, found.end)), found.end]
    for end in (end for end in ends if end > found.start):
        said, sign = any(start <= low < end for low, _ in spans), text[end : end + 1]
        first = start == found.start
        if first and said and sign == ":" and end < found.end:
            continue  # `load: return early` is one clause
        if (said or (first and sign in (",", ":")) or not spans) and (
            first or not is_reason(text[start:end])
        ):
            yield start, end
        start = end


def _is_scoped(found: RankedEdit) -> bool:
    """Whether the reading says where the edit is made: that explains `only`, `everywhere` and `except`."""
    reading = found.executed.candidate.reading
    return bool(reading.left_out) or reading.everywhere or bool(reading.slots.get("function"))


def _of_some(found: RankedEdit) -> frozenset[str]:
    """The words that some of the places have that one call rewrites, and others do not."""
    index, one = found.situation.repo.index, found.executed
    edits = [edit for edit in one.plan.edits if edit.end > edit.start] if len(one.calls) == 1 else []
    apart = {(*_line(index, edit), edit.new): edit for edit in edits}
    every = [touched(index, Plan((edit,)), ()) for edit in apart.values()]
    return frozenset[str]().union(*every) - frozenset.intersection(*every) if every else frozenset()


def is_ordinal(token: Token) -> bool:
    return token.text.lower() in ordinal_words()


@lru_cache(maxsize=1)
def ordinal_words() -> frozenset[str]:
    return frozenset(word for words in phrases.table()["ordinals"].values() for word in words)


def _line(index: Index, edit: Edit) -> tuple[str, int, int]:
    """The file of an edit, and the characters of the lines that it changes."""
    text = index.text(edit.path) or ""
    low, high = text.rfind("\n", 0, edit.start) + 1, text.find("\n", edit.end)
    return edit.path, low, high if high >= 0 else len(text)


def touched(index: Index, plan: Plan, calls: Sequence[Operation]) -> frozenset[str]:
    """The words of the lines that an edit changes, before and after, and of its calls."""
    lines = {_line(index, edit) for edit in plan.edits}
    said = [*{edit.new for edit in plan.edits}]
    said += [(index.text(path) or "")[low:high] for path, low, high in lines]
    said += map(render, calls)
    said += plan.paths if calls else ()
    names = re.findall(r"[^\W\d]\w*", " ".join(said))
    return frozenset(word for name in names for word in (*identifier_words(name), name.lower()))


def is_idle(word: str) -> bool:
    """Whether a word says nothing of what an edit does."""
    return word in table_words("always_said") or phrases.is_said("articles", word)


def limit_unheard(text: str, known: Container[str], used: frozenset[str]) -> str:
    """The first words of a text that limit its edit, and are none of those that the edit uses."""
    for kind in ("asked_about", "taken_back"):
        if found := re.search("|".join(table_words(kind)), text, re.IGNORECASE):
            return str(found[0]).strip()
    idle, prepositions = table_words("always_said"), (*table_words("limiting"), *table_words("belonging"))
    for clause in CLAUSE.split(text):
        before = ""
        for word in re.findall(r"[^\W\d_]\w*", "" if is_reason(clause) else clause):
            low = word.lower()
            if low in prepositions:
                before = low
            elif low not in idle and not phrases.is_said("articles", low):
                if before and low not in known and not any(alike(low, item) for item in used):
                    return str(word)
                before = ""
    return ""
