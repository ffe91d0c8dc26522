"""Makes instructions that are answered without an edit: there is nothing to do, or the model cannot do it."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from random import Random

from spark_tui.pysource.words import identifier_words
from spark_tui.train.calls import edits
from spark_tui.train.calls.kind_table import english
from spark_tui.train.cases import Case, reads
from spark_tui.train.kind_cases import NUMBERED, AnyKind, WordedEdit, asked
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.templates.grammar import NameSlot, Slot, WordsSlot
from spark_tui.train.templates.paraphrase import paraphrase_order, word
from spark_tui.train.templates.place_phrases import fname
from spark_tui.train.templates.tables import table

_TABLES = table("tables/idle")
_NAME = re.compile(r"[A-Za-z_]\w+")
DONE = 0.5
"""Share of instructions with nothing to do that are asked of what they have led to."""
SPOKEN = 0.4
"""Share of questions and tasks without an edit that voices word."""


def nothing(kind: AnyKind, window: SourceWindow, other: SourceWindow, rng: Random) -> Case | None:
    """An instruction with nothing to do: the edit is already made, or the names do not exist."""
    found = _asked(kind, window, rng)
    if found is None:
        return None
    after = found.made.after
    call = found.call if rng.random() < DONE else None
    if call is not None and edits.has_nothing_to_do(call, window.path, after):
        return _idle(found, SourceWindow(window.path, after), rng)
    return _elsewhere(found, other, rng)


def nothing_here(kind: AnyKind, window: SourceWindow, shown: SourceWindow, rng: Random) -> Case | None:
    """A further question about a text that is already shown, with nothing to do there."""
    found = _asked(kind, window, rng)
    return _elsewhere(found, shown, rng) if found is not None else None


def _asked(kind: AnyKind, window: SourceWindow, rng: Random) -> WordedEdit | None:
    """An edit that is asked for without a line number or an error."""
    found = asked(kind, window, rng)
    if found is None or found.made.error or not reads(found.made.before):
        return None
    return None if NUMBERED.search("".join(text for text, _ in found.pieces)) else found


def _idle(found: WordedEdit, shown: SourceWindow, rng: Random) -> Case:
    plain = found.call is not None and found.call.voiced
    text = paraphrase_order(found.pieces, rng, plain=plain)
    return Case("no-edit", shown.path, shown.text, shown.text, text, answer="no-edit")


def _elsewhere(found: WordedEdit, other: SourceWindow, rng: Random) -> Case | None:
    """The instruction of an edit asked of another file that has none of its names."""
    here = names_in(found.made.before)
    texts = {name for text in found.said for name in (*_NAME.findall(text), text)}
    names = {name for name in texts if flat(name) in here}
    there, parts = names_in(other.text), parts_in(other.text)
    words = {word for name in names for word in identifier_words(name) if len(word) > 2}
    if not names or any(flat(name) in there for name in names) or words & parts:
        return None
    return _idle(found, other, rng)


def flat(name: str) -> str:
    """A name as it may be said: without case, underscores and spaces."""
    return re.sub(r"[\W_]", "", name).lower()


@lru_cache(maxsize=256)
def names_in(text: str) -> frozenset[str]:
    """All words of a text that may be names, flat."""
    return frozenset(map(flat, _NAME.findall(text)))


@lru_cache(maxsize=256)
def parts_in(text: str) -> frozenset[str]:
    """The words of which the names of a text are made."""
    return frozenset(word for name in set(_NAME.findall(text)) for word in identifier_words(name))


_BEYOND: tuple[str, ...] = _TABLES["beyond"]
_LANGS = ("Rust", "Go", "JavaScript", "TypeScript", "C", "C++", "Java", "Ruby", "Kotlin", "Haskell")
_THINGS: tuple[str, ...] = _TABLES["things"]


def beyond(window: SourceWindow, rng: Random) -> Case | None:
    """A question, or a task that the model cannot do."""
    if not window.functions:
        return None
    text = _spoken(window, rng) if rng.random() < SPOKEN else None
    if text is None:
        function = rng.choice(window.functions)
        names = sorted({n.id for n in ast.walk(function) if isinstance(n, ast.Name)}) or ["self"]
        slots: dict[str, Slot] = {
            "f": fname(function),
            "x": NameSlot(rng.choice(names)),
            "lang": WordsSlot(rng.choice(_LANGS)),
            "thing": WordsSlot(rng.choice(_THINGS)),
        }
        text = word(_BEYOND, slots, rng)
    return Case("cannot", window.path, window.text, window.text, text, answer="cannot")


def _spoken(window: SourceWindow, rng: Random) -> str | None:
    """What a voice asks, says or wants that is no edit."""
    intent = rng.choice(("question", "question", "chat", "impossible"))
    fitting, scene = english().get(intent, ()), edits.scene_in(window)
    if not fitting or scene is None:
        return None
    voice = rng.choice(fitting)
    return edits.ask(rng.choice(voice.sentences[intent]), voice, scene, rng, {}).text
