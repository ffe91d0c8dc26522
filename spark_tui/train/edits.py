# ruff: noqa: E501 - phrase tables read better unbroken
"""Makes worded edits: a kind, a window, an instruction; checked; alone, in pairs, refused, or out of reach.

Comes in: windows and a `Draw`. Goes out: `Case`s with before, after and what the person says.
Must not know: tokens, the model.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from spark_tui.engine.layout import WindowHunk
from spark_tui.train.kinds import KINDS, Draw, Kind, Made
from spark_tui.train.kinds.base import fname
from spark_tui.train.phrasing import Exact, Name, Slot, Words, dress, expand, pick, word
from spark_tui.train.windows import Window, parse


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier exchange of a case."""

    instruction: str
    kept: bool
    hunks: tuple[WindowHunk, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """What the model is shown and what is right. `answer` is `edit`, `no-edit` or `cannot`."""

    kind: str
    path: str
    before: str
    after: str
    instruction: str
    answer: str = "edit"
    error: str = ""
    here: tuple[int, int] | None = None
    history: tuple[Turn, ...] = ()
    steered: tuple[tuple[WindowHunk, ...], str] | None = None
    """Hunks already written in this turn, and the message that was spliced in behind them."""
    slots: dict[str, Slot] = field(default_factory=dict)


def hunks_between(before: str, after: str) -> list[WindowHunk]:
    """The minimal line hunks from one text to the other, both ending in a newline."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [WindowHunk(a, b, tuple(new[c:d])) for code, a, b, c, d in matcher.get_opcodes() if code != "equal"]


def apply_hunks(before: str, hunks: Sequence[WindowHunk]) -> str:
    """The text with the hunks done. Raises ValueError where they overlap, fall back or leave the file."""
    lines = before.split("\n")[:-1]
    out: list[str] = []
    done = 0
    for hunk in hunks:
        if not done <= hunk.first <= hunk.last <= len(lines):
            raise ValueError("hunks overlap or leave the file")
        out += [*lines[done : hunk.first], *hunk.new]
        done = hunk.last
    return "".join(line + "\n" for line in [*out, *lines[done:]])


def sound(made: Made) -> bool:
    """Something changes, both sides parse (before may be broken on purpose), and the edit is small."""
    if made.before == made.after or not made.after.endswith("\n") or not made.before.endswith("\n"):
        return False
    if parse(made.after) is None or (parse(made.before) is None) != made.broken_before:
        return False
    if not made.after.isascii() or max(map(len, made.after.split("\n"))) > 200:
        return False
    hunks = hunks_between(made.before, made.after)
    return len(hunks) <= 12 and sum(len(hunk.new) for hunk in hunks) <= 24


def attempt(kind: Kind, window: Window, draw: Draw) -> Made | None:
    """The kind on this window, or None where it finds nothing to do."""
    if kind.needs is not None and not kind.needs.search(window.text):
        return None
    made = kind.make(window, draw)
    return made if made is not None and sound(made) else None


def edit(kind: Kind, window: Window, draw: Draw, *, unseen: bool = False) -> Case | None:
    """A case of one kind; `unseen` words it in templates that training never sees."""
    made = attempt(kind, window, draw)
    if made is None:
        return None
    text = word(made.phrases or kind.phrases, made.slots, draw.rng, unseen=unseen)
    if made.error and draw.chance(0.6):
        text = text.rstrip(".") + draw.choice([":\n", "\n", "\n\n", ": "]) + made.error
        made = replace(made, error="")
    return Case(
        kind.name, window.path, made.before, made.after, text, error=made.error, here=made.here, slots=made.slots
    )


_JOINTS = (
    "{a} and {b}", "{a} and {b}", "{a}, then {b}", "{a}. {b}", "{a}; {b}", "{a}. Also {b}", "first {a}, then {b}", "{a} and also {b}",
    "{a}. Then {b}", "{a}, and {b}", "{a}, also {b}", "two things: {a}, {b}",
)  # fmt: skip
_NUMBERED = re.compile(r"\b(?:lines?|ln)\b|\bL\d|\bthis\b|\bhere\b", re.IGNORECASE)


def pair(first: Kind, second: Kind, window: Window, draw: Draw, *, unseen: bool = False) -> Case | None:
    """Two edits in one instruction. Neither names a line, since the first may move what the second names."""
    one = attempt(first, window, draw)
    if one is None or one.error or parse(one.after) is None or parse(one.before) is None:
        return None
    two = attempt(second, Window(window.path, one.after), draw)
    if two is None or two.error or two.before != one.after:
        return None
    texts = []
    for kind, made in ((first, one), (second, two)):
        pieces = expand(pick(made.phrases or kind.phrases, draw.rng, unseen=unseen), made.slots, draw.rng)
        texts.append("".join(text for text, _ in pieces).strip())
    if any(_NUMBERED.search(text) or "\n" in text for text in texts) or len(hunks_between(one.before, two.after)) < 2:
        return None
    names = {getattr(slot, "text", "") for slot in one.slots.values()} & {
        getattr(slot, "text", "") for slot in two.slots.values()
    }
    if "old" in one.slots and names:
        return None
    pieces = expand(draw.choice(_JOINTS), {"a": Words(texts[0]), "b": Words(texts[1])}, draw.rng)
    made = Made(one.before, two.after)
    if not sound(made):
        return None
    return Case(
        "composition",
        window.path,
        one.before,
        two.after,
        dress([(t, False) for t, _ in pieces], draw.rng, unseen=unseen),
    )


STEERABLE = {
    "rename_variable": "new", "rename_parameter": "new", "rename_function": "new", "rename_class": "new", "rename_attribute": "new",
    "add_parameter": "p", "extract_constant": "c", "extract_variable": "v", "change_number": "new", "change_string": "new",
    "change_call": "new", "change_default": "new", "annotate_parameter": "t", "annotate_return": "t", "add_guard": "err", "wrap_try": "err",
    "change_exception": "new", "change_raise": "new", "add_attribute": "a", "add_base_class": "b",
}  # fmt: skip
_STEERS = (
    "no, use {new} instead", "no, {new}", "not {old}, {new}", "use {new} instead[ of {old}|]", "[actually|no][,|] make [it|that] {new}",
    "I meant {new}", "sorry, {new}", "{new} instead of {old}[, please|]", "no: {new}", "wait, [it should be|use] {new}", "{new}, not {old}",
    "rather {new}", "[hmm, |]{new} would be better",
)  # fmt: skip
_TYPES = ("str", "int", "bool", "float", "bytes", "list[str]", "dict[str, int]", "str | None", "Path")
_ERRORS = ("ValueError", "TypeError", "RuntimeError", "KeyError", "OSError", "IndexError", "LookupError")


def _other(kind: str, text: str, window: Window, draw: Draw) -> str:
    if kind in ("annotate_parameter", "annotate_return"):
        return draw.choice(_TYPES)
    if text in _ERRORS or kind in ("change_exception", "wrap_try", "add_guard"):
        return draw.choice(_ERRORS)
    if re.fullmatch(r"[\d.]+", text):
        return str(draw.choice([0, 1, 2, 3, 5, 7, 12, 15, 50, 99, 128, 512]))
    if kind == "change_string":
        return draw.choice(draw.pools.strings)
    if text.isupper():
        return draw.name(window.names).upper().strip("_")
    if text[:1].isupper() and text.isidentifier():
        return draw.class_name(window.names)
    return draw.name(window.names)


def steer(kind: Kind, window: Window, draw: Draw, *, unseen: bool = False) -> Case | None:
    """A second message that corrects one value: within the turn, or after its edit was turned down."""
    case = edit(kind, window, draw)
    key = STEERABLE.get(kind.name)
    if case is None or key is None or key not in case.slots or parse(case.before) is None:
        return None
    old = getattr(case.slots[key], "text", "")
    new = _other(kind.name, old, window, draw)
    hunks = hunks_between(case.before, case.after)
    word_of = re.compile(rf"(?<![\w.]){re.escape(old)}(?![\w])" if re.match(r"\w", old) else re.escape(old))
    if kind.name == "rename_attribute":
        word_of = re.compile(rf"\b{re.escape(old)}\b")
    if not old or old == new or word_of.search(case.before) or '"' in new or "'" in new:
        return None
    changed = tuple(
        WindowHunk(h.first, h.last, tuple(word_of.sub(lambda _: new, line) for line in h.new)) for h in hunks
    )
    after = apply_hunks(case.before, changed)
    if after in (case.after, case.before) or parse(after) is None:
        return None
    as_slot = (lambda text: Exact(text, quoted=True)) if kind.name == "change_string" else Name
    text = word(_STEERS, {"new": as_slot(new), "old": as_slot(old)}, draw.rng, unseen=unseen)
    if draw.chance(0.5):
        done = tuple(hunks[: draw.rng.randint(0, len(hunks))])
        touched = [h for h in changed if h.new or h in hunks]
        return replace(case, kind="steer", after=apply_hunks(case.before, touched), steered=(done, text), slots={})
    past = Turn(case.instruction, kept=False, hunks=tuple(hunks))
    return replace(case, kind="steer", after=after, instruction=text, history=(past,), slots={})


_REPEATABLE = (
    "add_plain_docstring", "add_styled_docstring", "to_async", "remove_docstring", "remove_annotations", "make_private", "annotate_return",
    "add_decorator", "delete_function", "make_static", "replace_body", "fix_missing_self",
)  # fmt: skip
_AGAIN = (
    "do the same for {f}", "same for {f}", "[now|and now] [the same for|do that for] {f}", "repeat that for {f}", "{f} too", "and {f}",
    "[also|and] {f}[, please|]", "{f} as well", "now {f}", "the same [thing|change] in {f}", "likewise for {f}",
)  # fmt: skip


def again(window: Window, draw: Draw, *, unseen: bool = False) -> Case | None:
    """The kind of the turn before, for another function: the instruction does not say what to do."""
    kind = KINDS[draw.choice(_REPEATABLE)]
    if len(window.functions) < 2:
        return None
    one = attempt(kind, window, draw)
    if one is None or one.error or "f" not in one.slots or parse(one.after) is None or parse(one.before) is None:
        return None
    fixed = {key: slot for key, slot in one.slots.items() if key != "f"}
    shown = Window(window.path, one.after)
    for _ in range(40):
        two = attempt(kind, shown, draw)
        if two is None or two.error or two.before != shown.text or two.slots.get("f") == one.slots["f"]:
            continue
        if {key: slot for key, slot in two.slots.items() if key != "f"} != fixed or two.phrases != one.phrases:
            continue
        first = word(one.phrases or kind.phrases, one.slots, draw.rng)
        text = word(_AGAIN, two.slots, draw.rng, unseen=unseen)
        return Case("again", window.path, shown.text, two.after, text, history=(Turn(first, kept=True),))
    return None


_DONE_FOR_NAMED = (
    "rename_variable", "rename_parameter", "rename_function", "rename_class", "rename_attribute", "change_default", "annotate_parameter",
    "add_decorator", "remove_decorator", "make_static", "add_base_class", "delete_function", "add_import", "extract_constant", "add_dunder",
    "add_docstring",
)  # fmt: skip


def nothing(kind: Kind, window: Window, other: Window, draw: Draw, *, unseen: bool = False) -> Case | None:
    """An instruction with nothing to do: done already, or about names that are not there."""
    case = edit(kind, window, draw, unseen=unseen)
    if case is None or case.error or parse(case.after) is None or _NUMBERED.search(case.instruction):
        return None
    if kind.name in _DONE_FOR_NAMED and draw.chance(0.4):
        if kind.name.startswith("rename") and draw.chance(0.3):
            return None
        return replace(case, kind="no-edit", before=case.after, answer="no-edit", slots={})
    names = {word for word in re.findall(r"[A-Za-z_]\w+", case.instruction) if word in window.names}
    if not names or any(re.search(rf"\b{name}\b", other.text) for name in names):
        return None
    return replace(
        case, kind="no-edit", path=other.path, before=other.text, after=other.text, answer="no-edit", slots={}
    )


_BEYOND = (
    "[explain|describe] what {f} does", "what does {f} do?", "why is {f} [so |]slow?", "how can I [test|speed up|improve] {f}?",
    "is there a bug in {f}?", "rewrite this [file|module|code] in {lang}", "port {f} to {lang}", "translate this to {lang}",
    "[make|rewrite] {f} [2x|ten times|much] faster", "optimise {f}", "[write|build|create] [a|an] {thing}", "implement [a|an] {thing}",
    "turn this into [a|an] {thing}", "add [a|an] {thing}", "fix all [the|] bugs", "find the bug", "make this code better", "clean this up",
    "refactor [everything|the whole file|this module]", "is this code [safe|correct|thread-safe]?", "review this [file|code|function]",
    "add support for {thing}", "who wrote this?", "what is the [time|space|] complexity of {f}?", "how does {f} work?", "hi", "hello",
    "thanks!", "commit [this|the changes]", "run the tests", "deploy this", "open a pull request", "install {lang}", "parallelise {f}",
    "make {f} [thread-safe|distributed|work on a GPU]", "use a better algorithm in {f}", "[write|add] tests for [everything|this module]",
    "what would happen if {f} got None?", "split this file into modules", "design a plugin system", "write a README",
    "summarise this file", "which line is wrong?", "tell me a joke", "can you explain the code?", "replace {f} with a neural network",
)  # fmt: skip
_LANGS = ("Rust", "Go", "JavaScript", "TypeScript", "C", "C++", "Java", "Ruby", "Kotlin", "Haskell")
_THINGS = (
    "web server", "REST API", "command line interface", "GUI", "database layer", "login page", "caching layer with redis", "parser for JSON",
    "chat bot", "scheduler", "plugin system", "progress bar with ETA", "websocket client", "binary search tree", "LRU cache from scratch",
    "undo stack", "rate limiter", "spell checker", "thread pool", "state machine", "Docker setup", "authentication", "pagination",
    "internationalisation", "GraphQL endpoint", "machine learning model", "B-tree", "regex engine", "garbage collector", "game of life",
)  # fmt: skip


def beyond(window: Window, draw: Draw, *, unseen: bool = False) -> Case | None:
    """A question, or work out of this model's league."""
    if not window.functions:
        return None
    slots: dict[str, Slot] = {
        "f": fname(draw.choice(window.functions)),
        "lang": Words(draw.choice(_LANGS)),
        "thing": Words(draw.choice(_THINGS)),
    }
    text = word(_BEYOND, slots, draw.rng, unseen=unseen)
    return Case("cannot", window.path, window.text, window.text, text, answer="cannot")


def all_kinds() -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.weight > 0]
