"""One edit of the reader, and how it is stored next to the journal of its session."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from spark_tui.codemods import registry
from spark_tui.intent.context.situation import Done
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import Span
from spark_tui.session.exact import kept_hunks
from spark_tui.session.exact.kept_hunks import KeptHunk

Texts = Mapping[str, str | None]
"""Texts of files by path; None is a file that is not there."""


@dataclass(frozen=True)
class ReaderEdit:
    """One edit, as texts of the files that it touches: on the disk when it was made, before its last order
    (orders before it may have been joined to it), and with it."""

    done: Done
    base: Texts
    before: Texts
    after: Texts
    marked: tuple[str, ...] = ()
    earlier: Done | None = None
    """What was done before, where the words were a follow-up."""
    kept: tuple[KeptHunk, ...] = ()
    """Its hunks that have other marks than `marked`."""
    asked: tuple[str, ...] = ()
    """The instructions that made it: the one that was amended first, the last one last."""
    whole: Texts | None = None
    """Before the edit that it came to, where both can be changed as one."""
    amended: ReaderEdit | None = None
    """The edit in whose place it came."""
    instead: bool = False
    """Whether it came back in the place of a written one that amended it, and was not written before that."""


def to_json(edit: ReaderEdit, most: int) -> str:
    """The edit, the ones that it amended, and each text of their files once, in so many characters: the
    oldest edits are left out. Empty where not even the edit alone fits."""
    edits = [edit]
    while (amended := edits[-1].amended) is not None:
        edits.append(amended)
    while edits:
        texts: dict[str | None, int] = {}
        rows = [_row(one, texts) for one in edits]
        text = json.dumps({"texts": list(texts), "edits": rows})
        if len(text) <= most:
            return text
        edits = edits[: len(edits) // 2]
    return ""


def from_json(text: bytes) -> ReaderEdit:
    stored = json.loads(text)
    edit: ReaderEdit | None = None
    for row in reversed(stored["edits"]):
        edit = _edit(row, stored["texts"], edit)
    if edit is None:
        raise ValueError("no edit is stored")
    return edit


def _row(edit: ReaderEdit, texts: dict[str | None, int]) -> dict[str, Any]:
    """The edit as a row; of a text stands its place in `texts`."""

    def places(of: Texts) -> dict[str, int]:
        return {path: texts.setdefault(text, len(texts)) for path, text in of.items()}

    marks = [*edit.marked, *(mark for item in edit.kept for mark in item.marked)]
    return {
        "done": _done_to_json(edit.done),
        "earlier": _done_to_json(edit.earlier) if edit.earlier is not None else None,
        "base": places(edit.base),
        "before": places(edit.before),
        "after": places(edit.after),
        "marked": list(edit.marked),
        "kinds": {mark: mark.kind.value for mark in marks if isinstance(mark, Doubt)},
        "kept": [kept_hunks.to_json(item) for item in edit.kept],
        "asked": list(edit.asked),
        "whole": places(edit.whole) if edit.whole is not None else None,
        "instead": edit.instead,
    }


def _edit(row: dict[str, Any], texts: list[str | None], amended: ReaderEdit | None) -> ReaderEdit:
    def of(places: dict[str, int]) -> Texts:
        return {path: texts[place] for path, place in places.items()}

    earlier = _done_from_json(row["earlier"]) if row["earlier"] else None
    doubts = {mark: Doubt(mark, DoubtKind(kind)) for mark, kind in row["kinds"].items()}
    return ReaderEdit(
        _done_from_json(row["done"]),
        of(row["base"]),
        of(row["before"]),
        of(row["after"]),
        tuple(doubts.get(mark, mark) for mark in row["marked"]),
        earlier,
        tuple(kept_hunks.from_json(item, doubts) for item in row["kept"]),
        tuple(row["asked"]),
        of(row["whole"]) if row["whole"] is not None else None,
        amended,
        bool(row["instead"]),
    )


def _done_to_json(done: Done) -> dict[str, Any]:
    return {
        "intent": done.intent,
        "slots": {slot: [astuple(span) for span in spans] for slot, spans in done.slots.items()},
        "calls": [registry.to_json(call) for call in done.calls],
        "left_out": [astuple(item) for item in done.left_out],
        "everywhere": done.everywhere,
        "turned_down": list(done.turned_down),
        "others": [registry.to_json(call) for call in done.others],
        "kind_only": done.kind_only,
    }


def _done_from_json(row: dict[str, Any]) -> Done:
    slots = {slot: tuple(Span(*span) for span in spans) for slot, spans in row["slots"].items()}
    calls = tuple(registry.from_json(item) for item in row["calls"])
    left_out = tuple(Span(*item) for item in row["left_out"])
    others = tuple(registry.from_json(item) for item in row["others"])
    turned_down, kind_only = tuple(row["turned_down"]), bool(row.get("kind_only"))
    return Done(row["intent"], slots, calls, left_out, row["everywhere"], turned_down, others, kind_only)
