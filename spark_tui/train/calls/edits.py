"""Edits by calls: a sentence is filled with the code of a window, and what it asks for is planned there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from spark_tui.intent.answering.try_readings import Tried, tried
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.executing import Executed
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.train.calls.fillers import WindowFiller
from spark_tui.train.calls.kind_table import CallKind
from spark_tui.train.calls.planting import planted
from spark_tui.train.cases import sound
from spark_tui.train.sentences.code_facts import Scene, scene_of
from spark_tui.train.sentences.examples import least_invented
from spark_tui.train.sentences.rendering import Writing
from spark_tui.train.sentences.wordings import Sentence, Voice
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.templates.grammar import Piece

FILLED = 2
"""Functions that a sentence is filled with before one is taken whose code has no words for it."""
CLEAR = 0.7
"""A second result as likely as this share of the first makes an instruction ambiguous."""
_USUAL = (DoubtKind.DRAFTED, DoubtKind.COMPLETED, DoubtKind.MESSAGE)
"""Guesses that an edit may contain: what an instruction need not say is written in one way."""
PLANTED = 0.65
"""Share of the edits of a kind that is rare in real code for which the window gets code of that kind."""


@dataclass(frozen=True, slots=True)
class WordedOrder:
    """One order as it was said, and what it means."""

    writing: Writing
    reading: Reading
    voiced: bool = False
    """Whether a voice says it, in its own manner."""

    @property
    def text(self) -> str:
        return self.writing.text

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(span.text for spans in self.reading.slots.values() for span in spans)

    def pieces(self) -> list[Piece]:
        """The text in pieces, each with whether it may be misspelled."""
        out: list[Piece] = []
        at = 0
        for mention in self.writing.mentions:
            out += [(self.text[at : mention.start], True), (self.text[mention.start : mention.end], False)]
            at = mention.end
        return [piece for piece in (*out, (self.text[at:], True)) if piece[0]]


@lru_cache(maxsize=1024)
def scene_in(window: SourceWindow) -> Scene | None:
    return scene_of(window.path, window.text)


@lru_cache(maxsize=1024)
def repository(path: str, text: str) -> Repository:
    return Repository(DictTree({path: text}))


def say(kind: CallKind, window: SourceWindow, rng: Random) -> WordedOrder | None:
    """An order of the kind about this window; None if there is nothing that it could be about."""
    scene = scene_in(window)
    if scene is None or (kind.needs is not None and not kind.needs.search(window.text)):
        return None
    if kind.needs is not None:
        fitting = [
            function
            for function in scene.functions
            if kind.needs.search("\n".join(window.lines[function.first - 1 : function.last]) + "\n")
        ]
        scene = replace(scene, functions=fitting) if fitting else scene
    drawn = kind.sentence(rng)
    if drawn is None:
        return None
    order = ask(*drawn, scene, rng, kind.sources)
    implied = {slot: (Span(-1, -1, text),) for slot, text in kind.said.items()}
    return replace(order, reading=replace(order.reading, slots={**implied, **order.reading.slots}))


def ask(
    sentence: Sentence,
    voice: Voice | None,
    scene: Scene,
    rng: Random,
    sources: Mapping[str, str],
    earlier: Sequence[str] = (),
) -> WordedOrder:
    """A sentence filled with what stands in one function. `earlier` was said before."""
    conditions = voice.conditions if voice is not None else None

    def filler() -> WindowFiller:
        made = WindowFiller(scene, rng.choice(scene.functions), rng, "en", conditions)
        made.earlier = earlier
        return made

    writing = least_invented(sentence, filler, FILLED, sources)
    return WordedOrder(writing, Reading(sentence.intent, 1.0, slots_of(writing)), voice is not None)


def slots_of(writing: Writing) -> dict[str, tuple[Span, ...]]:
    """What a text says for each of its slots, with the quotes around it as the reader has them."""
    pieces = {(piece.inner_start, piece.inner_end): piece for piece in tokenize(writing.text).quoted}
    out: dict[str, tuple[Span, ...]] = {}
    for mention in writing.mentions:
        piece = pieces.get((mention.start, mention.end))
        start, end = (piece.start, piece.end) if piece is not None else (mention.start, mention.end)
        span = Span(start, end, writing.text[mention.start : mention.end], piece is not None)
        out[mention.slot] = (*out.get(mention.slot, ()), span)
    return out


def plan(worded: WordedOrder, situation: Situation) -> Tried:
    order = Order(0, len(worded.text), (worded.reading,))
    return tried(order, replace(situation, instruction=worded.text))


def only_result(found: Tried, path: str) -> Executed | None:
    """The one clear and harmless result, if there is one, which changes only this file."""
    results = found.outcome.executed
    if not results or set(results[0].texts) != {path}:
        return None
    if len(results) > 1 and results[1].mass > CLEAR * results[0].mass:
        return None
    first = results[0]
    guessed = without(first.candidate.doubts, *_USUAL)
    return None if guessed or any(finding.sure for finding in first.plan.findings) else first


@dataclass(frozen=True, slots=True)
class CallEdit:
    """An order, its result, and the text that it leads to."""

    said: WordedOrder
    result: Executed
    before: str
    after: str


def edit(kind: CallKind, window: SourceWindow, rng: Random, *, plant: bool = True) -> CallEdit | None:
    """A sound edit of the kind in the window, which may get code that the kind needs."""
    if plant and rng.random() < PLANTED:
        window = planted(kind.name, window, rng) or window
    order = say(kind, window, rng)
    return carry_out(order, window.path, window.text) if order is not None else None


def carry_out(order: WordedOrder, path: str, text: str) -> CallEdit | None:
    """The edit that an order makes of a text."""
    result = only_result(plan(order, Situation(repository(path, text), path)), path)
    after = result.texts[path] if result is not None else None
    if result is None or after is None or not sound(text, after):
        return None
    return CallEdit(order, result, text, after)


def has_nothing_to_do(order: WordedOrder, path: str, text: str) -> bool:
    """Whether all is as asked for already."""
    found = plan(order, Situation(repository(path, text), path)).outcome
    return not found.executed and found.nothing > 0
