"""Places that an instruction excepts: "not in the tests", "but leave Cart alone"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.places.comment_blocks import comment_blocks
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place as LinePlace
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.lookup import Names, key
from spark_tui.intent.context.matches import Match
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of
from spark_tui.intent.words.phrases import table, words
from spark_tui.intent.words.readings import PLACES, Reading, Span
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.source import Definition

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[`'\"]([^`'\"]+)[`'\"]")
_TAKING_AWAY = ("delete_", "remove_")
"""How the intents begin by which something goes."""
Place = tuple[str, int, int]
"""Characters of a file; a whole file has -1 as its end."""


def with_exceptions(reading: Reading, instruction: str) -> Reading:
    """The reading without places that stand directly behind words such as *everywhere but in* or *, but leave
    those in*: they are left out."""
    slots, left = dict(reading.slots), [*reading.left_out]
    for slot in PLACES:
        for span in reading.slots.get(slot, ()):
            if span.start > 0 and _excepting().search(instruction, 0, span.start):
                left.append(span)
    if reading.intent.startswith(_TAKING_AWAY) and (but := _all_but().search(instruction)) is not None:
        low, high = but.span("left")
        inside = [span for own in slots.values() for span in own if low <= span.start and span.end <= high]
        held = any(span.start < high and low < span.end for span in (*inside, *left))
        left += inside if held else [Span(low, high, but["left"])]
    slots = {slot: tuple(span for span in spans if span not in left) for slot, spans in slots.items()}
    if len(left) == len(reading.left_out):
        return reading
    kept = {slot: spans for slot, spans in slots.items() if spans}
    everywhere = reading.everywhere or kept.keys().isdisjoint(PLACES)
    return replace(reading, slots=kept, left_out=tuple(left), everywhere=everywhere)


def is_excepted(name: str, instruction: str) -> bool:
    """Whether a name follows words like *all but* or *except*."""
    but = "|".join(map(re.escape, ("but", "except", *words("excepting"))))
    form = rf"(?<!\w)(?:{but})\s+(?:the\s+)?[`'\"]?{re.escape(name)}(?!\w)"
    return re.search(form, instruction, re.IGNORECASE) is not None


@lru_cache(maxsize=1)
def _excepting() -> re.Pattern[str]:
    """What stands in front of an exception. *Except* alone may be the branch of a `try`, unless it begins a
    clause or follows what all is about."""
    kinds = ("excepting", "everywhere", "articles", "places_in", "but", "leaving_alone", "those")
    but, every, articles, inside, joining, leave, those = (
        "|".join(map(re.escape, words(kind))) for kind in kinds
    )
    everywhere = rf"(?<!\w)(?:{every})\s+(?:but|except)|(?<!\w)(?:all|every|each|any)\s+\w+\s+except"
    leaving = rf"(?:[,;.(]|(?<!\w)(?:{joining}))\s*(?:{leave})(?:\s+(?:{those}))?"
    front = rf"(?<!\w)(?:{but})|(?:\A|[,;(])\s*except|{everywhere}|{leaving}"
    return re.compile(rf"(?:{front})\s+(?:(?:{inside}|{articles})\s+)*[`'\"]?\Z", re.IGNORECASE)


@lru_cache(maxsize=1)
def _all_but() -> re.Pattern[str]:
    """All of a kind but some, which stand behind it up to the end of the clause."""
    kinds = ("every", "articles", "excepting", "but", "leaving_alone", "those")
    every, articles, excepting, joining, leave, those = (
        "|".join(map(re.escape, words(kind))) for kind in kinds
    )
    but = rf"(?:{joining})\s+(?:{leave})(?:\s+(?:{those})(?!\w))?|(?:but|except|{excepting})"
    every = rf"(?<!\w)(?:{every})\s+(?:(?:of|{articles})\s+)*\w+(?:\s+\w+)?"
    return re.compile(rf"{every},?\s+(?:{but})\s+(?P<left>[^\s,;.][^,;.\n]*)", re.IGNORECASE)


def find_left_out(
    spans: Iterable[Span], situation: Situation, names: Names, by_words: bool = False
) -> list[Place]:
    """The files, folders and definitions that are left out. With `by_words` also parts of the open file: a
    definition that the words end with (*those in load*), or the statements and comments that have them."""
    out: list[Place] = []
    repo = situation.repo
    for span in spans:
        text = span.text.strip("`'\"./ ")
        files = [path for path, _ in paths_named(repo, text)]
        if not files:
            folder = key(text)
            tests = folder in {key(item) for item in table()["words"]["tests"]}
            files = [
                path
                for path in repo.index.all_paths
                if folder in map(key, path.split("/")[:-1]) or (tests and is_test_file(path))
            ]
        # A package is all of its folder, not only the `__init__.py` that its name is a module of.
        folders = tuple(one.removesuffix("__init__.py") for one in files if one.endswith("/__init__.py"))
        files += [one for one in repo.index.all_paths if folders and one.startswith(folders)]
        if files:
            out += [(path, 0, -1) for path in files]
            continue
        if by_words and (here := _said_of_file(span, situation)):
            out += here
            continue
        for match in names.find(text, near=())[:1]:
            node = match.target.node
            if isinstance(node, Definition):
                source = repo.index.source(match.target.path)
                low, high = source.line_span(source.first_line(node), source.last_line(node))
                out.append((match.target.path, low, high))
    return out


def _said_of_file(span: Span, situation: Situation) -> list[Place]:
    """The definitions of the open file that a span ends with, or else what has its words."""
    if situation.path not in situation.repo.index.paths:
        return []
    source, named = situation.repo.index.source(situation.path), _ending_in_name().search(span.text)
    found = [one for one in source.definitions if named is not None and one.name == named[1]]
    lines = ((source.first_line(one), source.last_line(one)) for one in found)
    return [(situation.path, *source.line_span(*own)) for own in lines] or _with_words(span, situation)


@lru_cache(maxsize=1)
def _ending_in_name() -> re.Pattern[str]:
    inside, articles = ("|".join(map(re.escape, words(kind))) for kind in ("places_in", "articles"))
    within = rf"\A|(?<!\w)(?:{inside})\s+(?:(?:{articles})\s+)?"
    return re.compile(rf"(?:{within})[`'\"]?(\w+)(?:\(\))?[`'\"]?\s*\Z", re.IGNORECASE)


def _with_words(span: Span, situation: Situation) -> list[Place]:
    """The statements and comments of the open file with all words of a span, but those of the instruction in
    front of it, as for the kind of thing of which all others are meant."""
    path, index = situation.path, situation.repo.index
    shown = " ".join(_QUOTED.findall(span.text)) or (span.text if span.quoted else "")
    said = _WORD.findall(shown.lower()) or content_words(span.text)
    front = _WORD.findall(situation.instruction[: max(span.start, 0)].lower())
    wanted = [word for word in said if not any(is_form_of(word, item) for item in front)]
    if not wanted:
        return []
    source = index.source(path)
    pieces = [(block.first, block.last) for block in comment_blocks(source)]
    plain = (one for one in source.statements if not hasattr(one, "body"))
    pieces += [(one.lineno - 1, source.last_line(one)) for one in plain]
    spans = sorted({source.line_span(low, high) for low, high in pieces})
    return [(path, *span) for span in spans if _has_words(source.text[slice(*span)], wanted)]


def _has_words(text: str, wanted: Sequence[str]) -> bool:
    own = set(_WORD.findall(text.lower()))
    return all(any(is_form_of(word, item) for item in own) for word in wanted)


def places_left_out(reading: Reading, situation: Situation, names: Names) -> list[Place]:
    return find_left_out(reading.left_out, situation, names, reading.intent.startswith(_TAKING_AWAY))


def not_found(reading: Reading, situation: Situation, names: Names) -> list[str]:
    """What is to be left out, and names nothing."""
    every = [replace(reading, left_out=(span,)) for span in reading.left_out]
    return [one.left_out[0].text for one in every if not places_left_out(one, situation, names)]


def _known(candidate: Candidate, names: Names) -> dict[Span, list[Match]]:
    """What the places that are left out name."""
    return {span: names.find(span.text.strip("`'\"./ "))[:1] for span in candidate.reading.left_out}


def _is_of(call: Operation, known: Mapping[Span, Sequence[Match]]) -> bool:
    """Whether a call is for what is inside of something that is left out."""
    at = getattr(call, "target", None)
    outer = [(item.target.path, f"{item.target.qualname}.") for found in known.values() for item in found]
    return isinstance(at, Symbol) and any(
        at.path == path and f"{at.name}.".startswith(name) for path, name in outer
    )


def _is_at(call: Operation, places: Sequence[Place], situation: Situation) -> bool:
    """Whether a call is for lines of a place that is left out."""
    at = getattr(call, "place", None)
    if not isinstance(at, LinePlace) or at.path not in situation.repo.index.paths or at.first < 1:
        return False
    start = situation.repo.index.source(at.path).line_span(at.first - 1, at.first)[0]
    return any(at.path == path and (low <= start < high or high < 0) for path, low, high in places)


def without_left_out(candidates: Sequence[Candidate], names: Names) -> list[Candidate]:
    """The candidates without those that are for nothing but what is left out, where there are others."""
    kept = [
        one
        for one in candidates
        if not one.calls or not all(_is_of(call, _known(one, names)) for call in one.calls)
    ]
    return kept if any(one.calls for one in kept) else [*candidates]


def leave_out(candidate: Candidate, situation: Situation, names: Names) -> Candidate:
    """The candidate without calls for what is left out, and with a doubt about what names nothing."""
    known = _known(candidate, names)
    missing = not_found(candidate.reading, situation, names)
    by_words = candidate.reading.intent.startswith(_TAKING_AWAY)
    lost = [
        span.text
        for span, found in known.items()
        if span.text in missing
        or (
            any(is_of(why, DoubtKind.READ_AS) for item in found for why in item.doubts)
            and not (by_words and _said_of_file(span, situation))
        )
    ]
    places = places_left_out(candidate.reading, situation, names)
    left = (one for one in candidate.calls if not _is_of(one, known) and not _is_at(one, places, situation))
    calls = tuple(left) or candidate.calls
    return replace(
        candidate,
        calls=calls,
        doubts=(
            *candidate.doubts,
            *(Doubt(f"not left out: {text}", DoubtKind.NOT_LEFT_OUT) for text in lost),
        ),
    )


def goes_over(plan: Plan, left: Sequence[Place]) -> bool:
    """Whether an edit goes over places that are left out."""
    return any(
        edit.path == path and edit.start < high and low < edit.end
        for edit in plan.edits
        for path, low, high in left
    )


def remove_places_left_out(plan: Plan, left: list[Place]) -> Plan:
    """The plan without what it does in the places that are left out."""
    if not left:
        return plan
    whole = {path for path, _, high in left if high < 0}

    def kept(path: str, start: int) -> bool:
        inside = any(path == one and low <= start < high for one, low, high in left)
        return path not in whole and not inside

    return replace(
        plan,
        edits=tuple(edit for edit in plan.edits if kept(edit.path, edit.start)),
        created={path: text for path, text in plan.created.items() if path not in whole},
        removed=tuple(path for path in plan.removed if path not in whole),
        unfollowed=tuple(unfollowed for unfollowed in plan.unfollowed if unfollowed.path not in whole),
    )
