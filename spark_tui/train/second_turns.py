"""Makes second messages: a corrected value, another place, the same edit once more."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.train.kinds import KINDS, Draw, Kind, Made
from spark_tui.train.paraphrase import word
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, ExactSlot, NameSlot
from spark_tui.train.worded_edits import Case, PastExchange, apply_hunks, attempt, edit, hunks_between, known

_TABLES = table("tables/turns")

STEERABLE: dict[str, str] = _TABLES["steerable"]
_STEERS = (
    "no, use {new} instead",
    "no, {new}",
    "not {old}, {new}",
    "use {new} instead[ of {old}|]",
    "[actually|no][,|] make [it|that] {new}",
    "I meant {new}",
    "sorry, {new}",
    "{new} instead of {old}[, please|]",
    "no: {new}",
    "wait, [it should be|use] {new}",
    "{new}, not {old}",
    "not {old}. {new}",
    "{new} pls",
    "{new} please",
    "{new}!",
    "call it {new}",
    "[it|that] [should've|should have] been {new}",
    "should be {new}",
    "that should be {new}",
    "[it|that] should read {new}",
    "[no no|nope|nah|wrong], {new}",
    "i said {new}",
    "i wanted {new}[, not {old}|]",
    "make that {new}",
    "let's [go with|use|take] {new}",
    "go with {new}[ instead|]",
    "better[:|] {new}",
    "change {old} to {new}",
    "it's {new}[, not {old}|]",
    "i [meant|mean] {new}[, not {old}|]",
    "[oops|sorry|argh|hm], i meant {new}",
    "{old} is [wrong|not right|bad], [use|take|make it] {new}",
    "why {old}? [use|i want] {new}",
    "[prefer|i prefer|i'd prefer] {new}[ over {old}|]",
    "typo, [it's|i meant] {new}",
    "not quite, {new} instead of {old}",
    "[but|and] with {new}[ instead|]",
    "with {new}[ instead of {old}|][ pls|]",
    "{old} -> {new}",
    "{old} => {new}",
    "s/{old}/{new}/",
    "replace {old} [with|by] {new}",
    "that's not what i asked for, [i want|use] {new}",
    "i changed my mind, {new}",
    "[almost|close|nearly], but {new}",
    "same but [with|use] {new}",
    "{new} rather than {old}",
    "can it be {new}[ instead|]?",
    "could you [make it|use] {new}?",
    "{old}? no, {new}",
    "no {old}, {new}",
    "not {old} but {new}",
    HELD_OUT,
    "rather {new}",
    "[hmm, |]{new} would be better",
)
_TYPES = ("str", "int", "bool", "float", "bytes", "list[str]", "dict[str, int]", "str | None", "Path")
_ERRORS = ("ValueError", "TypeError", "RuntimeError", "KeyError", "OSError", "IndexError", "LookupError")


def _other(kind: str, text: str, window: SourceWindow, draw: Draw) -> str:
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


def steer(kind: Kind, window: SourceWindow, draw: Draw, *, unseen: bool = False) -> Case | None:
    """A second message that corrects one value, within the turn or after its edit was rejected."""
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
    as_slot = (lambda text: ExactSlot(text, quoted=True)) if kind.name == "change_string" else NameSlot
    text = word(_STEERS, {"new": as_slot(new), "old": as_slot(old)}, draw.rng, unseen=unseen)
    if draw.chance(0.5):
        done = tuple(hunks[: draw.rng.randint(0, len(hunks))])
        touched = [h for h in changed if h.new or h in hunks]
        return replace(
            case, kind="steer", after=apply_hunks(case.before, touched), steered=(done, text), slots={}
        )
    past = PastExchange(case.instruction, kept=False, hunks=tuple(hunks))
    return replace(case, kind="steer", after=after, instruction=text, history=(past,), slots={})


_REPEATABLE: tuple[str, ...] = _TABLES["repeatable"]
_AGAIN = (
    "do the same for {f}",
    "same for {f}",
    "[now|and now] [the same for|do that for] {f}",
    "repeat that for {f}",
    "{f} too",
    "and {f}",
    "[also|and] {f}[, please|]",
    "{f} as well",
    "now {f}",
    "also for {f}",
    "also in {f}",
    "do {f} too",
    "and for {f}",
    "{f} needs [that|it|the same] too",
    "{f} too please",
    "same thing [for|in|with] {f}",
    "again for {f}",
    "[now|then] [for|in] {f}",
    "apply [that|it|this] to {f} [too|as well|]",
    "and in {f}",
    "same with {f}",
    "next {f}",
    "what about {f}?",
    "and {f}?",
    "{f} also",
    "same for {f} pls",
    "once more for {f}",
    "can you do [that|it] for {f} too",
    "+ {f}",
    "the same [thing|change] in {f}",
    HELD_OUT,
    "likewise for {f}",
)


_ELSEWHERE: tuple[str, ...] = _TABLES["elsewhere"]
_OTHER_OF_TWO: tuple[str, ...] = _TABLES["other_of_two"]


def elsewhere(window: SourceWindow, draw: Draw) -> Case | None:
    """The edit was rejected, because another function was meant."""
    kind = KINDS[draw.choice(_REPEATABLE)]
    pair = _twice(kind, window, window, draw) if len(window.functions) > 1 else None
    if pair is None:
        return None
    one, two = pair
    first = word(one.phrases or kind.phrases, one.slots, draw.rng)
    table = _OTHER_OF_TWO if len(window.functions) == 2 and draw.chance(0.6) else _ELSEWHERE
    names = known(window, window.text)
    slots = {"f": two.slots["f"], "old": one.slots["f"]}
    text = word((*table, HELD_OUT), names.slots(slots) if names else slots, draw.rng)
    past = PastExchange(first, kept=False, hunks=tuple(hunks_between(one.before, one.after)))
    return Case("steer", window.path, window.text, two.after, text, history=(past,))


def _twice(
    kind: Kind, window: SourceWindow, shown: SourceWindow | None, draw: Draw
) -> tuple[Made, Made] | None:
    """The kind on two functions with the same values; the second on `shown`, or on the result of the
    first."""
    one = attempt(kind, window, draw)
    if (
        one is None
        or one.error
        or "f" not in one.slots
        or parse(one.after) is None
        or one.before != window.text
    ):
        return None
    fixed = {key: slot for key, slot in one.slots.items() if key != "f"}
    later = shown or SourceWindow(window.path, one.after)
    for _ in range(40):
        two = attempt(kind, later, draw)
        if two is None or two.error or two.before != later.text or two.slots.get("f") == one.slots["f"]:
            continue
        if {
            key: slot for key, slot in two.slots.items() if key != "f"
        } == fixed and two.phrases == one.phrases:
            return one, two
    return None


def again(window: SourceWindow, draw: Draw, *, unseen: bool = False) -> Case | None:
    """The kind of the previous turn for another function; the instruction does not say what to do."""
    kind = KINDS[draw.choice(_REPEATABLE)]
    if len(window.functions) < 2:
        return None
    pair = _twice(kind, window, None, draw)
    if pair is None:
        return None
    one, two = pair
    first = word(one.phrases or kind.phrases, one.slots, draw.rng)
    names = known(window, one.after)
    text = word(_AGAIN, names.slots(two.slots) if names else two.slots, draw.rng, unseen=unseen)
    return Case("again", window.path, one.after, two.after, text, history=(PastExchange(first, kept=True),))
