"""Makes instructions that are answered without an edit: there is nothing to do, or the model cannot do it."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from spark_tui.pysource.words import identifier_words
from spark_tui.train.calls import edits
from spark_tui.train.calls.kind_table import english
from spark_tui.train.cases import Case, reads
from spark_tui.train.kind_cases import NUMBERED, AnyKind, Asked, asked
from spark_tui.train.kinds import Draw
from spark_tui.train.kinds.base import fname
from spark_tui.train.paraphrase import paraphrase_order, word
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, NameSlot, Slot, WordsSlot

_TABLES = table("tables/idle")
_NAME = re.compile(r"[A-Za-z_]\w+")
DONE = 0.5
"""Share of instructions with nothing to do that are asked of what they have led to."""
SPOKEN = 0.4
"""Share of questions and tasks without an edit that voices word."""


def nothing(
    kind: AnyKind, window: SourceWindow, other: SourceWindow, draw: Draw, *, unseen: bool = False
) -> Case | None:
    """An instruction with nothing to do: the edit is already made, or the names do not exist."""
    found = _asked(kind, window, draw, unseen=unseen)
    if found is None:
        return None
    after = found.made.after
    call = found.call if draw.chance(DONE) else None
    if call is not None and edits.has_nothing_to_do(call, window.path, after):
        return _idle(found, SourceWindow(window.path, after), draw, unseen=unseen)
    return _elsewhere(found, other, draw, unseen=unseen)


def nothing_here(
    kind: AnyKind, window: SourceWindow, shown: SourceWindow, draw: Draw, *, unseen: bool = False
) -> Case | None:
    """A further question about a text that is already shown, with nothing to do there."""
    found = _asked(kind, window, draw, unseen=unseen)
    return _elsewhere(found, shown, draw, unseen=unseen) if found is not None else None


def _asked(kind: AnyKind, window: SourceWindow, draw: Draw, *, unseen: bool) -> Asked | None:
    """An edit that is asked for without a line number, an error or a selection."""
    found = asked(kind, window, draw, unseen=unseen)
    if found is None or found.made.error or found.made.here is not None or not reads(found.made.before):
        return None
    return None if NUMBERED.search("".join(text for text, _ in found.pieces)) else found


def _idle(found: Asked, shown: SourceWindow, draw: Draw, *, unseen: bool) -> Case:
    plain = found.call is not None and found.call.voiced
    text = paraphrase_order(found.pieces, draw.rng, unseen=unseen, front=found.front, plain=plain)
    return Case("no-edit", shown.path, shown.text, shown.text, text, answer="no-edit")


def _elsewhere(found: Asked, other: SourceWindow, draw: Draw, *, unseen: bool) -> Case | None:
    """The instruction of an edit asked of another file that has none of its names."""
    here = names_in(found.made.before)
    texts = {name for text in found.said for name in (*_NAME.findall(text), text)}
    said = {name for name in texts if flat(name) in here}
    there, parts = names_in(other.text), parts_in(other.text)
    words = {word for name in said for word in identifier_words(name) if len(word) > 2}
    if not said or any(flat(name) in there for name in said) or words & parts:
        return None
    return _idle(found, other, draw, unseen=unseen)


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


_BEYOND = (
    "[explain|describe] what {f} does",
    "what does {f} do?",
    "why is {f} [so |]slow?",
    "how can I [test|speed up|improve] {f}?",
    "is there a bug in {f}?",
    "rewrite this [file|module|code] in {lang}",
    "port {f} to {lang}",
    "translate this to {lang}",
    "[make|rewrite] {f} [2x|ten times|much] faster",
    "optimise {f}",
    "[write|build|create] [a|an] {thing}",
    "implement [a|an] {thing}",
    "turn this into [a|an] {thing}",
    "add [a|an] {thing}",
    "fix all [the|] bugs",
    "find the bug",
    "make this code better",
    "clean this up",
    "refactor [everything|the whole file|this module]",
    "is this code [safe|correct|thread-safe]?",
    "review this [file|code|function]",
    "add support for {thing}",
    "who wrote this?",
    "what is the [time|space|] complexity of {f}?",
    "how does {f} work?",
    "hi",
    "hello",
    "thanks!",
    "commit [this|the changes]",
    "run the tests",
    "deploy this",
    "open a pull request",
    "install {lang}",
    "parallelise {f}",
    "make {f} [thread-safe|distributed|work on a GPU]",
    "use a better algorithm in {f}",
    "[write|add] tests for [everything|this module]",
    "what would happen if {f} got None?",
    "split this file into modules",
    "where is {f} called?",
    "who calls {f}?",
    "what type does {f} return?",
    "why do we [need|have] {f}?",
    "is {f} used anywhere?",
    "when was {f} added?",
    "which version of {lang} is this?",
    "what [is|are] the [arguments|parameters] of {f} for?",
    "does {f} work [on Windows|with unicode|with None]?",
    "explain [this|the|this] [file|code|class|error]",
    "what is wrong [here|with {f}]?",
    "which functions are slow?",
    "how many lines is this?",
    "show me the [diff|log|history]",
    "[git|] push",
    "undo everything",
    "search the web for [a|] {thing}",
    "find a library for [a|] {thing}",
    "compare {f} with {lang}",
    "benchmark {f}",
    "profile {f}",
    "what do you think of {f}?",
    "could this be written in {lang}?",
    "start the server",
    "create a new project",
    "set up CI",
    "[are you|who are you|you] there?",
    "what happens [in {f} |]if {x} is [0|zero|None|empty|negative|missing]?",
    "what happens [in {f} |]when {x} is [0|zero|None|empty|negative|too large]?",
    "what happens if {f} [fails|raises|gets an empty list|is called twice]?",
    "what would {f} do with [an empty list|a negative {x}|None|a huge {x}]?",
    "why is {x} [used|needed|set|passed] [here|in {f}|there]?",
    "why do we [use|need|set|check] {x} [there|here|in {f}]?",
    "why does {f} [return that|take {x}|not use {x}|do that]?",
    "why is there [a|an] {x} in {f}?",
    "is {f} [thread safe|thread-safe|safe to call twice|ever called|slow|recursive]?",
    "is it [ok|safe|a problem] [that|if] {f} [uses|changes|gets] {x}?",
    "can {x} [ever |]be [None|empty|negative|0] [in {f}|here|there]?",
    "does {f} [ever |][return None|raise|change {x}|modify {x}|close the file|check {x}]?",
    "what is {x} [for|used for|good for]?",
    "what does {x} [mean|stand for|hold|contain] [in {f}|]?",
    "where is {x} [set|used|changed|defined]?",
    "when [is|does] {x} [change|set|None]?",
    "how [often|many times] is {f} called?",
    "what [type|kind of thing] is {x} [in {f}|]?",
    "how [big|long] can {x} get[ in {f}|]?",
    "which [value|type] does {x} have [in {f}|after that]?",
    "who [sets|uses|changes] {x}?",
    "do we [still |]need {x} [in {f}|]?",
    "what's the difference between {f} and {x}?",
    "is there a [reason|point] in {x}?",
    "what will {f} [print|return|do] for {x}?",
    "would it be [faster|better|safer] without {x}?",
    HELD_OUT,
    "design a plugin system",
    "write a README",
    "summarise this file",
    "which line is wrong?",
    "tell me a joke",
    "can you explain the code?",
    "replace {f} with a neural network",
)
_LANGS = ("Rust", "Go", "JavaScript", "TypeScript", "C", "C++", "Java", "Ruby", "Kotlin", "Haskell")
_THINGS: tuple[str, ...] = _TABLES["things"]


def beyond(window: SourceWindow, draw: Draw, *, unseen: bool = False) -> Case | None:
    """A question, or a task that the model cannot do."""
    if not window.functions:
        return None
    text = _spoken(window, draw, unseen=unseen) if draw.chance(SPOKEN) else None
    if text is None:
        function = draw.choice(window.functions)
        names = sorted({n.id for n in ast.walk(function) if isinstance(n, ast.Name)}) or ["self"]
        slots: dict[str, Slot] = {
            "f": fname(function),
            "x": NameSlot(draw.choice(names)),
            "lang": WordsSlot(draw.choice(_LANGS)),
            "thing": WordsSlot(draw.choice(_THINGS)),
        }
        text = word(_BEYOND, slots, draw.rng, unseen=unseen)
    return Case("cannot", window.path, window.text, window.text, text, answer="cannot")


def _spoken(window: SourceWindow, draw: Draw, *, unseen: bool) -> str | None:
    """What a voice asks, says or wants that is no edit."""
    intent = draw.choice(("question", "question", "chat", "impossible"))
    fitting, scene = english(unseen).get(intent, ()), edits.scene_in(window)
    if not fitting or scene is None:
        return None
    voice = draw.choice(fitting)
    return edits.ask(draw.choice(voice.sentences[intent]), voice, scene, draw.rng, {}).text
