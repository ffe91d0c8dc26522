"""Changes a value that an edit wrote, with the message that asks for it: a name, a number, a text, a type,
an error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.train.kinds import Draw
from spark_tui.train.line_rewrites import ERRORS
from spark_tui.train.source_windows import SourceWindow, is_name
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, CodeSlot, ExactSlot, NameSlot, Slot
from spark_tui.train.worded_edits import Case, apply_hunks

say = table("wording/steers")

TYPES = (
    "str",
    "int",
    "bool",
    "float",
    "bytes",
    "list[str]",
    "dict[str, int]",
    "str | None",
    "Path",
    "list[int]",
    "set[str]",
    "tuple[int, int]",
    "dict",
    "list",
)
_NUMBERS = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    10,
    12,
    15,
    20,
    24,
    25,
    30,
    32,
    40,
    50,
    60,
    64,
    80,
    90,
    99,
    100,
    120,
    128,
    200,
    256,
    300,
    500,
    512,
    1000,
    1024,
    3600,
)
_AFFIXES = (
    "new",
    "old",
    "raw",
    "user",
    "my",
    "max",
    "min",
    "last",
    "first",
    "default",
    "item",
    "total",
    "current",
    "tmp",
    "data",
)
KEPT_FOR_THE_TEST = (HELD_OUT, "rather {new}", "[hmm, |]{new} would be better")
Valued = tuple[str, tuple[str, ...], dict[str, Slot]]


def other_value(case: Case, hunks: Sequence[WindowHunk], draw: Draw) -> Valued | None:
    """The wanted text, templates and slots; None if the edit added nothing that can be changed."""
    lines = case.before.split("\n")
    new_text = "\n".join(line for hunk in hunks for line in hunk.new)
    old_text = "\n".join(line for hunk in hunks for line in lines[hunk.first : hunk.last])
    for key, slot in draw.shuffled(sorted(case.slots.items(), key=lambda item: item[0])):
        old = slot.text if isinstance(slot, NameSlot | ExactSlot | CodeSlot) else ""
        pattern = word_of(old)
        if not old or not pattern.search(new_text) or pattern.search(old_text):
            continue
        found = _other(case, key, slot, old, draw)
        if found is None:
            continue
        new, table, slots = found
        if re.search(rf"import .*{re.escape(old)}", new_text):
            continue
        if is_name(old) and not old[:1].isupper() and pattern.search(case.before):
            continue
        changed = [
            WindowHunk(h.first, h.last, tuple(_put(new, pattern, line) for line in h.new)) for h in hunks
        ]
        after = apply_hunks(case.before, changed)
        if after not in (case.before, case.after):
            return after, table, slots
    return None


def _put(new: str, pattern: re.Pattern[str], line: str) -> str:
    return pattern.sub(lambda _: new, line)


def word_of(text: str) -> re.Pattern[str]:
    """The text as a whole word."""
    left = r"(?<!\w)" if re.match(r"\w", text) else ""
    right = r"(?!\w)" if re.search(r"\w$", text) else ""
    return re.compile(left + re.escape(text) + right)


def _other(case: Case, key: str, slot: Slot, old: str, draw: Draw) -> Valued | None:
    table: tuple[str, ...]
    if isinstance(slot, ExactSlot) and slot.quoted:
        new = draw.choice(draw.pools.strings)
        if old == new or '"' in new or "'" in new or "\\" in new:
            return None
        table = (*say["text"], *say["text"], *say["value"])
        return (
            new,
            (*table, *KEPT_FOR_THE_TEST),
            {"new": ExactSlot(new, quoted=True), "old": ExactSlot(old, quoted=True)},
        )
    if re.fullmatch(r"\d+", old):
        new, table = str(draw.choice(_NUMBERS)), (*say["number"], *say["number"], *say["value"])
        slots: dict[str, Slot] = {"new": ExactSlot(new), "old": ExactSlot(old)}
    elif old in ERRORS or re.fullmatch(r"[A-Z]\w*(?:Error|Exception)", old):
        if any(pattern in case.after for pattern in (f"class {old}", f"def {old}")):
            return None
        caught = re.search(rf"except \(?{old}", case.after)
        new, table = draw.choice(ERRORS), (*(say["catch"] if caught else say["error"]), *say["value"][:20])
        slots = {"new": NameSlot(new), "old": NameSlot(old)}
    elif key in ("t", "type") or old in TYPES:
        new, table = draw.choice(TYPES), (*say["type"], *say["value"][:20])
        slots = {"new": CodeSlot(new), "old": CodeSlot(old)}
    elif old in ("True", "False", "None"):
        new, table = draw.choice(("True", "False", "None", "0", "[]")), say["value"]
        slots = {"new": CodeSlot(new), "old": CodeSlot(old)}
    elif is_name(old):
        return _other_name(case, old, draw)
    else:
        return None
    return (new, (*table, *KEPT_FOR_THE_TEST), slots) if new != old else None


def _other_name(case: Case, old: str, draw: Draw) -> Valued | None:
    """A new text, or the same one in another case."""
    taken = SourceWindow(case.path, case.before).names | {old}
    bare = old.lstrip("_")
    if draw.chance(0.25) and old.islower():
        affix = draw.choice(_AFFIXES)
        ways: list[Valued] = [
            (old.upper(), say["upper"], {}),
            (f"_{bare}", say["underscore"], {}),
            (f"{bare}s", say["plural"], {}),
            (f"{affix}_{bare}", say["prefix"], {"x": NameSlot(affix)}),
            (f"{bare}_{affix}", say["suffix"], {"x": NameSlot(affix)}),
        ]
        new, table, slots = draw.choice(ways)
        if new in taken or (table is say["plural"] and old.endswith("s")) or len(new) > 30:
            return None
        return new, table, slots
    if old.isupper():
        new = draw.name(taken).upper().strip("_")
    elif old[:1].isupper():
        new = draw.class_name(taken)
    else:
        new = draw.variant(old, taken) if draw.chance(0.3) else draw.name(taken)
    if new in taken:
        return None
    table = (
        (*say["name"], *say["name"], *say["value"])
        if f" {old}" in case.after or f".{old}" in case.after
        else say["value"]
    )
    return new, (*table, *KEPT_FOR_THE_TEST), {"new": NameSlot(new), "old": NameSlot(old)}
