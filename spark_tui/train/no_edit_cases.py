"""Makes instructions that are answered without an edit: there is nothing to do, or the model cannot do it."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.train.kinds import Draw, Kind
from spark_tui.train.kinds.base import fname
from spark_tui.train.kinds.value_locations import canonical
from spark_tui.train.paraphrase import word
from spark_tui.train.referring_phrases import WindowNames, words_of
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, NameSlot, Slot, WordsSlot
from spark_tui.train.worded_edits import NUMBERED, Case, edit, known, text_of

_TABLES = table("tables/idle")

_DONE_ONCE: frozenset[str] = frozenset(_TABLES["done_once"])
"""Kinds that have nothing left to do when they are asked again of their own result."""


def nothing(
    kind: Kind, window: SourceWindow, other: SourceWindow, draw: Draw, *, unseen: bool = False
) -> Case | None:
    """An instruction with nothing to do: the edit is already made, or the names do not exist."""
    case = edit(kind, window, draw, unseen=unseen)
    if (
        case is None
        or case.error
        or case.here is not None
        or parse(case.after) is None
        or NUMBERED.search(case.instruction)
    ):
        return None
    if kind.name in _DONE_ONCE and draw.chance(0.5):
        return replace(case, kind="no-edit", before=case.after, answer="no-edit", slots={})
    return _elsewhere(case, window, other)


def _elsewhere(case: Case, window: SourceWindow, other: SourceWindow) -> Case | None:
    """The instruction of a case asked of another file that has none of its names."""
    here, there = known(window, window.text), known(other, other.text)
    if here is None or there is None:
        return None
    said = " ".join([case.instruction, *map(text_of, case.slots.values())])
    names = {name for name in re.findall(r"[A-Za-z_]\w+", said) if name in here.roles}
    if any(name.replace("_", "").lower() in there.flat for name in names):
        return None
    loose = {word for name in names if "_" not in name for word in words_of(name)}
    role = case.slots.get("r")
    if role is not None:
        loose |= {
            word
            for slot in ("r", "r2", "t", "b")
            if slot in case.slots
            for word in words_of(text_of(case.slots[slot]))
        }
    if not (names or role) or may_mean(loose, there):
        return None
    return replace(
        case, kind="no-edit", path=other.path, before=other.text, after=other.text, answer="no-edit", slots={}
    )


def nothing_here(
    kind: Kind, window: SourceWindow, shown: SourceWindow, draw: Draw, *, unseen: bool = False
) -> Case | None:
    """A further question about a text that is already shown, with nothing to do there."""
    case = edit(kind, window, draw, unseen=unseen)
    if (
        case is None
        or case.error
        or case.here is not None
        or parse(case.before) is None
        or NUMBERED.search(case.instruction)
    ):
        return None
    return _elsewhere(case, window, shown)


def may_mean(said: set[str], there: WindowNames) -> bool:
    """Whether a word or one of its synonyms is a part of a name in the other file, and so could be meant."""
    stems = canonical(word for word in said if len(word) > 2)
    return bool(stems & canonical(there.parts))


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
    slots: dict[str, Slot] = {
        "f": fname(function := draw.choice(window.functions)),
        "x": NameSlot(
            draw.choice(sorted({n.id for n in ast.walk(function) if isinstance(n, ast.Name)}) or ["self"])
        ),
        "lang": WordsSlot(draw.choice(_LANGS)),
        "thing": WordsSlot(draw.choice(_THINGS)),
    }
    text = word(_BEYOND, slots, draw.rng, unseen=unseen)
    return Case("cannot", window.path, window.text, window.text, text, answer="cannot")
