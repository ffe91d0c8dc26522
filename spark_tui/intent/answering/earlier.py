"""The intent of an earlier instruction for which the reader made no edit: another writer did, or nobody yet.

A follow-up amends the reading whose result is nearest to what was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from spark_tui.codemods.hunks import bare_lines
from spark_tui.edits.diff import diff
from spark_tui.intent.answering.try_readings import NO_EDIT, Tried, done, tried
from spark_tui.intent.context.situation import Done, Situation, detached
from spark_tui.intent.context.written_lines import lines_of
from spark_tui.intent.followups.written.kind_of_edit import kind_of_edit
from spark_tui.intent.words.readings import Order, Reads, SymbolRoles
from spark_tui.pysource.repository import Repository

UNREAD = "write"
"""The intent of an edit that no reading fits; it can be amended too."""
_MOST_CHARACTERS = 4_000
_STANDS = 3.0
"""How much more likely an edit that is already there is meant than one about which nothing is known."""
_LEAST = 0.35
"""How much of the lines has to be alike for a reading to be what was done."""
_LIKENESS = 3.0
"""How much an equal result counts against the probability of a reading."""


def earlier_done(
    instruction: str,
    reader: Reads,
    situation: Situation,
    symbols: SymbolRoles,
    written: Mapping[str, str | None],
    *,
    partial: bool = False,
) -> Done | None:
    """The reading of an earlier instruction that fits best to the texts that were written for it, with its
    calls where they write the same. Without texts its likeliest reading. Where it was several orders or none,
    or where no reading writes nearly that, only the kind of what was written; of a `partial` text any may be
    the beginning of it."""
    orders = reader.read(instruction, symbols, "") if len(instruction) <= _MOST_CHARACTERS else ()
    if len(orders) != 1 or not orders[0].readings:
        return _by_syntax(situation.repo, written)
    now = replace(situation, instruction=instruction, earlier=None)
    found = tried(orders[0], now, checks=False)
    if not written:
        return _by_words(orders[0], found, instruction)
    best = _by_result(found, now, written, 0.0 if partial else _LEAST)
    told = _by_words(orders[0], found, instruction) if partial and best is None else None
    return best or told or _by_syntax(situation.repo, written)


def _by_syntax(repo: Repository, written: Mapping[str, str | None]) -> Done | None:
    kind = kind_of_edit(repo, written)
    return Done(kind, {}, (), kind_only=True) if kind else None


def _by_result(found: Tried, now: Situation, written: Mapping[str, str | None], least: float) -> Done | None:
    best: tuple[float, Done] | None = None
    for item in found.outcome.executed:
        made = {path: text for path, text in item.texts.items() if text != now.repo.index.text(path)}
        alike = likeness(made, written, now.repo)
        weight = item.mass * _LIKENESS ** (4 * alike)
        if alike >= least and (best is None or weight > best[0]):
            found_done = done(item, now.instruction)
            best = weight, found_done if made == written else replace(found_done, calls=())
    return best[1] if best is not None else None


def likeness(made: Mapping[str, str | None], written: Mapping[str, str | None], repo: Repository) -> float:
    """How much of the lines that either changes both change alike; 1 where the texts are equal."""
    if made == written:
        return 1.0
    one, other = _changes(made, repo), _changes(written, repo)
    if not one or not other:
        return 0.0
    return 0.9 * SequenceMatcher(None, one, other, autojunk=False).ratio()


def _changes(texts: Mapping[str, str | None], repo: Repository) -> list[str]:
    out = []
    for path, text in sorted(texts.items()):
        old, new = lines_of(path, repo), bare_lines(text)
        for a0, a1, b0, b1 in diff(old, new):
            out += [f"-{line}" for line in old[a0:a1]] + [f"+{line}" for line in new[b0:b1]]
    return out


def _by_words(order: Order, found: Tried, instruction: str) -> Done | None:
    """By the words alone: the most likely reading, preferring one whose edit is already there over one
    that can still be made."""
    weights = {"nothing": _STANDS, "open": 1 / _STANDS}
    state = {item.candidate.reading.intent: "open" for item in found.outcome.executed}
    state |= {one.reading.intent: "nothing" for _, why, one in found.outcome.refused if why.why == "nothing"}
    likely = [reading for reading in order.readings if reading.intent not in NO_EDIT]
    if not likely:
        return None
    best = max(likely, key=lambda item: item.probability * weights.get(state.get(item.intent, ""), 1.0))
    return Done(best.intent, detached(best.slots, instruction), (), best.left_out, best.everywhere)
