"""Follow-ups as orders about what was written: moved elsewhere, one more beside it, a type for it."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from textwrap import dedent

from spark_tui.codemods.plan import Plan
from spark_tui.intent.context.situation import Candidate, Done, Situation
from spark_tui.intent.context.written_lines import (
    LineChange,
    calls_to,
    changes_between,
    changes_of_edit,
    definitions_changed,
    functions_around,
    select_written_lines,
    texts_for,
    texts_of_tokens,
    tokens_of,
)
from spark_tui.intent.facts.unset_names import doubts_of_moved
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.left_to_written import (
    definition_before,
    drop_pronoun_slots,
    left_to_written,
    with_known_argument,
    with_written_constant,
)
from spark_tui.intent.followups.orders.moved_lines import moved_lines
from spark_tui.intent.followups.orders.moved_things import moved_things
from spark_tui.intent.followups.parts.fewer_places import number_said
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import docstring, parameters

_NAMES = ("parameter", "variable", "symbol", "function", "class")
"""Slots that the name of what was written may fill."""
_LITERALS = ("value", "old", "expression")
"""Slots that a literal that was written may fill."""
_LEFT = ("call", "old")
"""Slots that need not be named, and mean what was written where they are not."""
_MOST_NAMES = 3
_BINDING = re.compile(
    r"\s*(?:(?:(?:async\s+)?def|class)\s+(?P<defined>\w+)|(?:self\.)?(?P<set>\w+)\s*(?::\s*\w|=(?!=)))"
)
_THERE = 0.8
"""How likely the only way is meant that changes a line that was written."""
WHICH_ORDER = "it is not clear which of the orders is meant"


def find_orders_on_written(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates of an amendment that is an order about what was written."""
    if moved := moved_things(reading, situation):
        return moved
    out: list[Candidate] = []
    for intent in followup_table()["orders"].get(reading.intent, ()):
        if intent.startswith("insert_"):
            out += _moved(replace(reading, intent=intent), situation)
            continue
        if intent == "annotate_parameter" and (reading.text("type") == "None" or out):
            continue
        if intent == "annotate_return" and not _is_of_result(reading, situation):
            continue
        if intent == "move_definition" and not (reading.slots.get("file") and binds_name(situation)):
            continue
        order = replace(reading, intent=intent, slots=_renamed(reading, intent))
        near = select_written_lines(situation)
        for item in complete_from_edit(order, situation):
            out += [found for found in find_candidates(item, near) if found.calls]
    there = [candidate for candidate in out if candidate.from_before or is_written(candidate, situation)]
    if len(there) == 1 and not there[0].from_before:
        doubts = without(there[0].doubts, DoubtKind.PLACES)
        there = [replace(there[0], weight=max(there[0].weight, _THERE), doubts=doubts)]
    elsewhere = out if reading.intent != "amend.further" else []
    return [replace(one, reading=reading) for one in there or elsewhere]


def _is_of_result(reading: Reading, situation: Situation) -> bool:
    """Whether a type has more in common with that of what the written function returns than with the types of
    its parameters, none of which is named."""
    words = set(re.findall(r"\w+", reading.text("type"))) - {"None"}

    def shared(hint: ast.expr | None) -> int:
        return len(words & set(re.findall(r"\w+", ast.unparse(hint)))) if hint is not None else 0

    said = set(re.findall(r"\w+", situation.instruction))
    for change in changes_of_edit(situation):
        source = situation.behind.index.source(change.path)
        home = ".".join(functions_around(change, situation.behind))
        for function in (one for one in source.functions if source.qualname(one) == home):
            own = parameters(function)
            most = max((shared(one.annotation) for one in own), default=0)
            return shared(function.returns) > most and said.isdisjoint(one.arg for one in own)
    return False


def is_written(candidate: Candidate, situation: Situation, partly: bool = False) -> bool:
    """Whether a candidate changes lines that the edit wrote, and, unless `partly`, in their files no others
    of a function."""
    repo = situation.repo
    plan = plan_of(candidate.calls, repo)
    if not isinstance(plan, Plan):
        return False
    lines: set[tuple[str, int]] = set()
    old = {line.strip() for change in changes_of_edit(situation) for line in change.old}
    for one in changes_of_edit(situation):
        new = (one.at + at for at, line in enumerate(one.new) if line.strip() not in old)
        lines |= {(one.path, at + behind) for at in new for behind in (0, 1)}
    made = changes_between(repo, plan.texts(repo))
    inside = [
        change for change in made if functions_around(change, repo.with_changes(plan.texts(repo)))
    ] or made
    on_them = (any((one.path, at) in lines for at in range(one.first, one.last + 1)) for one in inside)
    return any(on_them) if partly else all(on_them)


def _renamed(reading: Reading, intent: str) -> dict[str, tuple[Span, ...]]:
    """The slots renamed to those of the order."""
    known, fills = intents()[intent].slot_names, followup_table()["fills"].get(intent, {})
    slots = {fills.get(slot, slot): spans for slot, spans in reading.slots.items()}
    return {slot: spans for slot, spans in slots.items() if slot in known}


def complete_from_edit(reading: Reading, situation: Situation) -> list[Reading]:
    """The reading with what the edit was about in the place of what it needs and nobody said: what the order
    before named, or else a name or the only literal that was written."""
    known = intents().get(reading.intent)
    if known is None or situation.earlier is None:
        return [reading]
    reading = with_written_constant(drop_pronoun_slots(reading), situation)
    reading = with_known_argument(reading, situation)
    missing = [item for item in known.required if item not in reading.slots]
    # The value of the order before is none for another argument, and may be a part of what was written.
    held = reading.slots.get("argument") or reading.intent == "extract_constant"
    own = ("code", "value") if held else ("code",)
    known_before = (slot for slot in missing if slot not in own and situation.earlier.slots.get(slot))
    told = {slot: situation.earlier.slots[slot] for slot in known_before}
    about = () if told or binds_name(situation) else definition_before(situation.earlier)
    if "symbol" in missing and about:
        told = {"symbol": about}
    reading = _with_new_name(replace(reading, slots={**told, **reading.slots}), situation)
    lacking = [item for item in missing if item not in told]
    optional = [item for item in _LEFT if item in known.slot_names and item not in reading.slots]
    for slot in lacking if len(lacking) == 1 else optional if not lacking else ():
        if found := left_to_written(reading, situation, slot):
            return [replace(reading, slots={**reading.slots, slot: (span,)}) for span in found]
    if len(lacking) != 1 or lacking[0] not in (*_NAMES, *_LITERALS):
        return [reading]
    # What one of several orders leaves open is rather of those before it than of the last edit.
    literals = written_literals(situation) if lacking[0] in _LITERALS and not situation.several else []
    names = (
        written_names(situation)[:_MOST_NAMES] if lacking[0] in _NAMES else literals * (len(literals) == 1)
    )
    filled = [replace(reading, slots={**reading.slots, lacking[0]: (Span(-1, -1, name),)}) for name in names]
    return filled or [reading]


def _with_new_name(reading: Reading, situation: Situation) -> Reading:
    """The reading with the new name of what the edit renamed, where it has the old one, unless the edit was
    turned down."""
    if situation.written is not None:
        return reading
    pairs = [pair for change in changes_of_edit(situation) for pair in change.exchanged()]
    named = {(was[0].text, now[0].text) for was, now in pairs if len(was) == len(now) == 1}
    if len(named) != 1 or reading.intent == "rename" or any(len(was) != 1 for was, _ in pairs):
        return reading
    old, new = next(iter(named))
    pattern = re.compile(rf"\b{re.escape(old)}\b")
    slots = {
        slot: tuple(span if span.quoted else replace(span, text=pattern.sub(new, span.text)) for span in own)
        for slot, own in reading.slots.items()
    }
    return replace(reading, slots=slots) if old.isidentifier() and new.isidentifier() else reading


def written_literals(situation: Situation) -> list[str]:
    """The numbers and texts that an edit wrote."""
    tokens = (token.text for change in changes_of_edit(situation) for token in change.written())
    return list(dict.fromkeys(token for token in tokens if token[:1].isdigit() or token[-1:] in "'\""))


def written_names(situation: Situation) -> list[str]:
    """The names that an edit brought into its file: those that it sets, or else all, and those that begin the
    lines which it changed."""
    new = _new_names(situation)
    if bound := [name for name in new if name in _bound_names(situation)]:
        return bound
    out = dict.fromkeys(new)
    for change in changes_of_edit(situation):
        begins = (tokens_of(line)[:1] for line in change.new)
        out |= {item.text: None for tokens in begins for item in tokens if item.text.isidentifier()}
    idle = ("self", "cls", *keyword.kwlist, *dir(builtins))
    return [item for item in out if item not in idle]


def binds_name(situation: Situation) -> bool:
    """Whether an edit defines or sets something under a name that its file did not have."""
    bound = _bound_names(situation)
    return bool(bound and _new_names(situation, bound))


def _bound_names(situation: Situation) -> set[str]:
    lines = [line for change in changes_of_edit(situation) for line in change.new]
    return {found["defined"] or found["set"] for line in lines if (found := _BINDING.match(line))}


def _new_names(situation: Situation, only: set[str] | None = None) -> list[str]:
    """The names that an edit brought into its file, or those of some."""
    out: dict[str, None] = {}
    for path, changes in groupby(changes_of_edit(situation), key=attrgetter("path")):
        text = situation.before.index.text(path) if situation.before is not None else ""
        tokens = (token.text for change in changes for token in change.written())
        new = (one for one in tokens if one.isidentifier() and (only is None or one in only))
        was = text or ""
        out |= {name: None for name in new if name not in was or name not in texts_of_tokens(was)}
    return list(out)


def _moved(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """What was inserted, inserted elsewhere into the files before it: in the function where it is, unless
    another one is named. What came with it, such as an import, stays."""
    before, found = situation.before, changes_of_edit(situation)
    blocks = [change for change in found if not change.old and _code(change)]
    if len(blocks) > 1:
        blocks = [item for item in blocks if functions_around(item, situation.behind)]
    if before is None or len(blocks) != 1:
        return
    block = blocks[0]
    if _is_docstring(block, situation.behind):
        yield Candidate((), reading, refused="a docstring stays at the start of what it describes")
        return
    if near := moved_lines(reading, situation, block, found):
        yield from (_doubted(candidate, block, before) for candidate in near)
        return
    rest = before.with_changes(texts_for(found, {block: None}, before))
    slots = {slot: spans for slot, spans in reading.slots.items() if slot in ("anchor", "function")}
    home = functions_around(block, situation.behind)
    if home and "function" not in slots:
        slots["function"] = (Span(-1, -1, ".".join(home)),)
    slots["code"] = (Span(-1, -1, _code(block)),)
    there = replace(situation, repo=rest, path=block.path, earlier=None, selection=None)
    for one in find_candidates(replace(reading, slots=slots), there):
        plan = plan_of(one.calls, rest) if one.calls else None
        if not isinstance(plan, Plan):
            continue
        texts = plan.texts(rest)
        if "function" not in reading.slots and set(definitions_changed(rest, texts)) != {(block.path, *home)}:
            continue
        kept = {change.path: rest.index.text(change.path) for change in found}
        calls = calls_to({**kept, **texts}, before)
        if all(situation.behind.index.text(path) == text for path, text in texts.items()):
            yield Candidate((), reading, refused="it is already there", nothing=True)
        elif calls:
            yield _doubted(replace(one, calls=calls, from_before=True), block, before)


def _is_docstring(block: LineChange, after: Repository) -> bool:
    """Whether lines are the docstring of what stands around them."""
    source, lines = after.index.source(block.path), range(block.at, block.at + len(block.new))
    holders = (one for one in (source.tree, *source.definitions) if one is not None)
    outer = (one for one in holders if isinstance(one, ast.Module) or source.first_line(one) not in lines)
    found = (docstring(one) for one in outer)
    return any(one is not None and source.first_line(one) in lines for one in found)


def _doubted(candidate: Candidate, block: LineChange, before: Repository) -> Candidate:
    """The candidate with what is doubtful about the new place of a block."""
    plan = plan_of(candidate.calls, before)
    texts = plan.texts(before) if isinstance(plan, Plan) else {}
    source = before.with_changes(texts).index.source(block.path) if texts.get(block.path) else None
    doubts = doubts_of_moved(source, block.new) if source is not None else ()
    return replace(candidate, doubts=(*candidate.doubts, *doubts))


def _code(block: LineChange) -> str:
    return dedent("\n".join(block.new)).strip()


def one_of_orders(reading: Reading, earlier: Done, instruction: str) -> Candidate | None:
    """Only the order that is named by its place among several in one instruction, or all but that."""
    at = number_said(instruction)
    if reading.intent not in ("amend.only_here", "amend.except") or any(reading.slots.values()):
        return None
    if at is None or not earlier.others or not earlier.calls:
        return None
    if at >= 0 and len(earlier.others) > 1:
        # Some of the calls may be of one order.
        return Candidate((), reading, refused=WHICH_ORDER)
    if at not in (-1, 0, 1):
        return Candidate((), reading, refused=f"the last answer did {len(earlier.others) + 1} things")
    last = (at != 0) == (reading.intent == "amend.only_here")
    told = replace(reading, slots={"orders": (Span(0, len(instruction), instruction),)})
    calls, meant = (earlier.calls, earlier.reading) if last else (earlier.others, told)
    return Candidate(calls, meant, from_before=True)
