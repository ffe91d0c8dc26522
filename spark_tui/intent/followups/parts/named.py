"""Which parts of an edit a message names, to go or to be all that stays: *leave x*, *only the start*."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import LineChange, Lines, calls_for, changes_of_edit, texts_for
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.parts.aspects import keeps_aspect, parts_of_aspect, unchanged_aspect
from spark_tui.intent.followups.parts.imports import with_its_imports
from spark_tui.intent.followups.parts.of_edits import Part, leave_parts_out, split_edit
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.syntax.parsing import parse

_MEANT = 0.85
_GUESSED = "what was taken back was read from the words around it"
_SHORT, _STEM = 3, 4
_CLAUSES = re.compile(r"[,;.!?:，。；！](?=\s|\Z)|\s[-–—]\s|[，。；！]|\s(?:but|aber|mais|pero|though)\s")
_WORD = re.compile(r"[^\W_]\w*")
_OWN, _LIKE, _BESIDE = 3, 2, 1
_BY_WORDS = frozenset(("amend.except", "amend.only_here", "amend.undo"))


def without_named(reading: Reading, situation: Situation) -> list[Candidate]:
    """The edit without the parts that a message names, or with nothing but those."""
    earlier, before, found = situation.earlier, situation.before, changes_of_edit(situation)
    if earlier is None or before is None or situation.partial or reading.intent not in _BY_WORDS:
        return []
    for apart in (False, True):
        parts = split_edit(found, situation, apart)
        kept = parts_of_aspect(situation.instruction, parts, situation)
        gone = kept or _gone(parts, reading, situation.instruction)
        otherwise = _complete(gone, parts, found, situation) if gone else None
        made = calls_for(found, otherwise, before) if otherwise is not None else ()
        if made:
            doubts = () if kept else _doubts(gone, parts, situation.instruction)
            return [Candidate(made, reading, doubts, _MEANT, from_before=True)]
    return []


def of_aspect(order: Order, situation: Situation) -> Order | None:
    """The order where it says nothing but that something stays as it was: for the edit without the parts that
    changed it, which may be all or none of them; None for other orders."""
    text, found = situation.instruction[order.start : order.end], changes_of_edit(situation)
    if not keeps_aspect(text):
        return None
    part = Reading("amend.except", 1.0, {})
    if unchanged_aspect(text, situation):
        return replace(order, readings=(part,))
    parts = split_edit(found, situation, False)
    kept = parts_of_aspect(text, parts, situation)
    if kept and len(kept) == len(parts):
        return replace(order, readings=(replace(part, intent="amend.undo"),))
    return replace(order, readings=(part,)) if kept and without_named(part, situation) else None


def without_targets(reading: Reading, situation: Situation) -> list[Candidate]:
    """The edit without the calls that are of what a message names, where there are several."""
    earlier = situation.earlier
    calls = dict.fromkeys((*earlier.others, *earlier.calls)) if earlier is not None else {}
    parts: dict[Part, list[Operation]] = {}
    for call in calls:
        target = getattr(call, "target", None)
        if not isinstance(target, Symbol):
            return []
        name = frozenset((target.name.rpartition(".")[2],))
        parts.setdefault(Part((), name, frozenset(), frozenset()), []).append(call)
    gone = [item for part in _gone(list(parts), reading, situation.instruction) for item in parts[part]]
    rest = tuple(call_node for call_node in calls if call_node not in gone)
    return [Candidate(rest, reading, weight=_MEANT, from_before=True)] if gone else []


def _doubts(gone: Sequence[Part], parts: Sequence[Part], instruction: str) -> tuple[str, ...]:
    """What is doubtful about the parts that go: whether they are meant, unless a word stands in each of them,
    or in each of the others."""
    words = set(naming_words(instruction))
    kept = [part for part in parts if part not in gone]
    plain = any(group and all(words & item.own for item in group) for group in (gone, kept))
    return () if plain else (_GUESSED,)


def _gone(parts: Sequence[Part], reading: Reading, instruction: str) -> list[Part]:
    """The parts that are to go: those that are named, or all but those."""
    only, yes, back, part = (followup_table()["stays"][kind] for kind in ("only", "yes", "back", "part"))
    kept: list[Part] = []
    gone: list[Part] = []
    leaving = (*phrases.words("keeping"), *phrases.words("as_before"), *phrases.words("denying"), *back)
    says_only = phrases.any_stands_in((*only, *yes), instruction.lower())
    for clause in filter(None, _CLAUSES.split(instruction)):
        low = clause.lower()
        named = _named(parts, clause)
        leaves = phrases.any_stands_in(leaving, low)
        whole = phrases.any_stands_in(back, low) and not phrases.any_stands_in(part, low)
        if reading.intent == "amend.undo" and whole and not named:
            return []  # *undo that*, whatever is said beside it
        stays = phrases.any_stands_in((*only, *yes), low) or (
            reading.intent == "amend.only_here" and not leaves and not says_only
        )
        if stays:
            kept += named
        elif leaves or says_only or reading.intent != "amend.only_here":
            gone += named
    gone = [item for item in parts if item not in kept] if kept else gone
    return gone if len(gone) < len(parts) else []


def _named(parts: Sequence[Part], clause: str) -> list[Part]:
    """The parts that most words of a clause are about; of several the one that is counted."""
    kinds = {kind for kind, words in _kinds().items() if phrases.any_stands_in(words, clause.lower())}
    texts = naming_words(clause)
    scores = [_score(part, texts, kinds) for part in parts]
    most = max(scores, default=0)
    named = [one for one, score in zip(parts, scores, strict=True) if score == most] if most else [*parts]
    at = ordinal_in(clause)
    if at is not None and -len(named) <= at < len(named):
        return [named[at]] if len({_shape(part) for part in named}) == 1 else []
    return named if most and len(named) < len(parts) else []


def names_kind(text: str) -> bool:
    """Whether a text says of what kind a part is, such as *the log* or *the check*."""
    return any(phrases.any_stands_in(words, text.lower()) for words in _kinds().values())


def naming_words(text: str) -> list[str]:
    """The words of a text that may name something."""
    return [word for word in _WORD.findall(text) if word.lower() not in _idle()]


def drops_added(text: str, situation: Situation) -> str:
    """Whether a message removes names that the edit alone brought to its lines: `part` of those, or `all`:
    *drop SystemExit again*."""
    removing = "|".join(map(re.escape, phrases.table()["config_lists"]["removing"]))
    verb = re.match(rf"\W*(?:{removing})(?=\s)", text, re.IGNORECASE)
    changes = changes_of_edit(situation) if verb is not None else []
    old = {word for change in changes for line in change.old for word in _WORD.findall(line)}
    new = {token.text for change in changes for token in change.written()} - old
    said = naming_words(text[verb.end() :]) if verb is not None else []
    names = {word for word in said if not phrases.is_said("rest", word)}
    words = {word for word in new if word.isidentifier()}
    gone = (token.text for change in changes for was, _ in change.exchanged() for token in was)
    if any(map(str.isidentifier, gone)):
        return ""  # they took the place of others
    return "" if not names or not names <= words else "all" if names == words else "part"


def are_of_parts(text: str, situation: Situation) -> bool:
    """Whether each word of a message that may name something is of a part of the edit."""
    parts = split_edit(changes_of_edit(situation), situation, False)

    def names_one(word: str) -> bool:
        kinds = {
            kind for kind, known in _kinds().items() if {word.lower(), word.lower().rstrip("s")} & {*known}
        }
        return any(_score(part, [word], kinds) for part in parts)

    words = naming_words(text)
    return bool(words) and all(map(names_one, words))


def _shape(part: Part) -> tuple[object, ...]:
    """What parts have in common that can be counted."""
    first = part.pieces[:1]
    return (part.kinds, *((len(piece.old), len(piece.new)) for piece in first))


def _score(part: Part, words: Sequence[str], kinds: set[str]) -> int:
    score = _LIKE * len(part.kinds & kinds)
    for word in words:
        if word in part.own:
            score += _OWN
        elif any(_have_same_stem(word.lower(), item) for item in part.own):
            score += _LIKE
        elif word in part.beside or any(_have_same_stem(word.lower(), item) for item in part.beside):
            score += _BESIDE
    return score


def _have_same_stem(word: str, own: str) -> bool:
    short, long = sorted((word, own.lower()), key=len)
    return word == own.lower() or (len(short) >= _SHORT and len(long) >= _STEM and long.startswith(short))


@lru_cache(maxsize=1)
def _kinds() -> Mapping[str, Sequence[str]]:
    """The kinds of parts and the words for them."""
    statements = phrases.table()["statements"]
    heads = ("If", "For", "While", "With", "Try", "Return", "Raise")
    known = {kind.lower(): statements[kind] for kind in heads}
    told = {
        "comment": phrases.words("comments"),
        "docstring": phrases.words("docstrings"),
        "log": followup_table()["told"]["log"],
    }
    return {**known, **followup_table()["parts"], **told}


@lru_cache(maxsize=1)
def _idle() -> frozenset[str]:
    """Words that name no part."""
    kinds = ("pronouns", "articles", "keeping", "as_before", "denying", "flag_words", "only", "to", "and")
    known = [word for kind in kinds for word in phrases.words(kind)]
    known += [word for words in followup_table()["stays"].values() for word in words]
    return frozenset(part for word in known for part in word.lower().split())


def _complete(
    gone: list[Part], parts: Sequence[Part], found: Sequence[LineChange], situation: Situation
) -> dict[LineChange, Lines | None] | None:
    """The changes without some parts, and without those that need them; None where that is no code."""
    assert situation.before is not None
    for _ in parts:
        otherwise = with_its_imports(found, leave_parts_out(gone, found), situation)
        texts = texts_for(found, otherwise, situation.before)
        if any(path.endswith(".py") and parse(text or "") is None for path, text in texts.items()):
            return None
        lost = _lost(texts, situation)
        rest = [part for part in parts if part not in gone]
        more = [
            part
            for part in rest
            if any(lost & set(piece.new) for piece in part.pieces) or _is_unused(part, texts, situation)
        ]
        if not more and not lost:
            return otherwise
        gone = [*gone, *more]
        if not more or len(gone) == len(parts):
            return None
    return None


def _is_unused(part: Part, texts: Mapping[str, str | None], situation: Situation) -> bool:
    """Whether a part only binds a name at the top of a file, and all that used it goes."""
    piece = part.pieces[0]
    code, path = piece.change.text[piece.low : piece.high], piece.change.path
    bound = re.match(r"\s*(?:import (\w+)|(\w+) = .*)\s*\Z", code)
    if bound is None or len(part.pieces) > 1 or piece.old:
        return False
    name = re.compile(rf"\b{bound[1] or bound[2]}\b")
    written, left, was = (
        len(name.findall(text or "")) for text in (code, texts.get(path), situation.behind.index.text(path))
    )
    return written == left < was


def _lost(texts: Mapping[str, str | None], situation: Situation) -> set[str]:
    """The names that nothing defines in some files, and that something defined after the edit."""
    assert situation.before is not None
    after, paths = situation.before.with_changes(texts), [path for path in texts if path.endswith(".py")]
    lost = {occurrence.name for path in paths for occurrence in undefined(after.index.scopes(path))}
    return lost - {
        occurrence.name for path in paths for occurrence in undefined(situation.behind.index.scopes(path))
    }
