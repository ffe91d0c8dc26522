"""A message that takes the last edit back. One that amended another is taken back to that first."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.codemods.hunks import text_hunks
from spark_tui.codemods.plan import Plan
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.exact.kept_hunks import still_kept
from spark_tui.session.reader.read_instruction import ReadInstruction, ReadWay
from spark_tui.session.reader.reader_edit import ReaderEdit, Texts
from spark_tui.session.reader.reader_edits import Base, StandingEdit, merged
from spark_tui.session.tree.exact_edits import ExactEdits

_TAKEN_BACK = "The last edit is taken back."
UNDO = "undo: "
"""Before the instruction of the edit that a turn takes back."""
_NONE_STANDS = "There is no edit to take back."
_WORD = re.compile(r"\w+")


def taken_back(
    standing: Base, edits: ExactEdits, asked: str, seconds: float, *, whole: bool = False
) -> ReadInstruction:
    """The last edit is rejected, or where it is in the files, reversed by another one. An edit that was
    joined with it stays; with `whole`, the one that it amended does not come back."""
    last = standing.last
    again = None if whole or last is None else _amended(last)
    again = None if again is not None and _names_beginning(asked, again) else again
    if last is not None and again is not None:
        before = replace(last, edit=replace(last.edit, before=again.after, kept=again.kept))
        pending = tuple(before if one is last else one for one in standing.pending)
        standing = replace(standing, last=before, pending=pending)
    joined, disk = standing.joined(Plan(), in_place_of_last=True), edits.repo
    hunks = text_hunks(joined.after, disk)
    if not hunks and not joined.replaced:
        return ReadInstruction("no_edit", (), _NONE_STANDS, seconds)
    if not hunks:
        return ReadInstruction("no_edit", (), _TAKEN_BACK, seconds, joined.replaced)
    shown = f"{UNDO}{last.asked[-1]}" if last is not None else "undo"
    marked, was_written = tuple[str, ...](), False
    if last is not None and again is not None:
        shown = f"back to: {last.asked[-2]}" if last.asked[1:] else "back to the edit before"
        was_written = again.after.items() <= last.edit.base.items()
        marked = () if last.written else again.marked
        base = {path: disk.index.text(path) for path in again.after}
        again = replace(again, base=base, instead=last.written and not was_written)
    kept = still_kept(hunks, joined.earlier, (asked,), marked)
    read = edits.as_read(hunks)
    planned = PlannedEdit(asked, shown, Plan(), hunks, read, seconds, guessed=marked, kept=kept)
    way = ReadWay("undo", planned, joined.replaced, again, takes_back=again is None or was_written)
    return ReadInstruction("stop", (way,), "", seconds)


def _amended(last: StandingEdit) -> ReaderEdit | None:
    """The edit that the last one amended, made on the files as they are without both. None where it amended
    none, or where those lines changed since."""
    earlier, without = last.edit.amended, last.edit.before
    if earlier is None or not earlier.after.keys() <= without.keys():
        return None
    after = dict(without)
    for path, text in earlier.after.items():
        was, here = earlier.before[path], without[path]
        if was == here:
            after[path] = text
            continue
        if was is None or here is None or text is None:
            return None
        after[path], line = merged(was, here, text)
        if line:
            return None
    return replace(earlier, before=without, after=after) if after != without else None


def _names_beginning(asked: str, again: ReaderEdit) -> bool:
    """Whether a message names what stood there before all of it: *no, call it* and the first name."""
    old, new = _words_of(again.before, again.after), _words_of(again.after, again.before)
    return not (old - new).isdisjoint(_WORD.findall(asked))


def _words_of(texts: Texts, others: Texts) -> set[str]:
    """The words of the lines that the others do not have."""
    lines = (
        set((text or "").splitlines()) - set((others[path] or "").splitlines())
        for path, text in texts.items()
    )
    return {word for found in lines for line in found for word in _WORD.findall(line)}
