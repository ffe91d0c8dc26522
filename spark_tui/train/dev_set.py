"""Builds the development set, by which thresholds are chosen: edits, pairs, steers, instructions without an
edit, and ghost text. Functions that are also in training code are left out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from spark_tui.engine.text.token_layout import PastExchange, WindowHunk
from spark_tui.train import kind_cases
from spark_tui.train.cases import Case
from spark_tui.train.corpus import HELD_OUT_PACKAGES, Module, collect
from spark_tui.train.dataset import DataStage, cut
from spark_tui.train.examples import Mixer
from spark_tui.train.source_windows import SourceWindow

Record = dict[str, Any]
DEV_STAGE = DataStage((8, 12, 16, 24, 40), 640, strange=0.0)
"""Windows of real code: generated programs and replaced names are left out."""


def fingerprints(windows: Iterable[SourceWindow]) -> set[bytes]:
    """A hash of each function's text without whitespace."""
    out: set[bytes] = set()
    for window in windows:
        for function in window.functions:
            body = "".join(window.source(function).split())
            out.add(hashlib.blake2b(body.encode(), digest_size=8).digest())
    return out


def function_texts(modules: Sequence[Module]) -> set[bytes]:
    """Fingerprints of every function of the modules."""
    out: set[bytes] = set()
    for module in modules:
        try:
            out |= fingerprints([SourceWindow(module.path, module.text)])
        except ValueError:
            continue
    return out


def hunks_as_lists(hunks: Sequence[WindowHunk]) -> list[list[Any]]:
    return [[hunk.first, hunk.last, list(hunk.new)] for hunk in hunks]


def record_of(case: Case, number: int) -> Record:
    """The JSON form of a case. `history` and `steered` keep their hunks as `[first, last, lines]`."""
    names = ("kind", "path", "before", "instruction", "after", "answer")
    record: Record = {"id": f"dev/{case.kind}/{number}", "set": "dev"}
    record |= {name: getattr(case, name) for name in names}
    if case.error:
        record["instruction"] += "\n" + case.error
    if kind_cases.is_exact(case.kind):
        record["exact"] = True
    if case.history:
        record["history"] = [[t.instruction, t.kept, hunks_as_lists(t.hunks)] for t in case.history]
    if case.steered is not None:
        record["steered"] = [hunks_as_lists(case.steered[0]), case.steered[1]]
    if case.begun is not None:
        record["begun"] = [*hunks_as_lists([case.begun[0]]), case.begun[1]]
    if case.answered:
        record["answered"] = case.answered
    return record


LEAST_GHOST_CHARS = 8


def fill_record(window: SourceWindow, number: int, rng: Random) -> Record | None:
    """A cursor inside a line, with the rest of the line as the right answer."""
    lines = window.lines
    at = rng.randrange(len(lines))
    indent = len(lines[at]) - len(lines[at].lstrip())
    if len(lines[at]) - indent < LEAST_GHOST_CHARS + 2:
        return None
    cursor = rng.randint(indent, len(lines[at]) - LEAST_GHOST_CHARS)
    before = "\n".join([*lines[max(0, at - 40) : at], lines[at][:cursor]])
    return {
        "id": f"dev/fill/{number}",
        "set": "dev",
        "kind": "fill",
        "path": window.path,
        "before": before,
        "suffix": "\n" + "\n".join(lines[at + 1 : at + 26]),
        "instruction": "",
        "after": lines[at][cursor:],
        "answer": "fill",
    }


DEV_PER_KIND = 6
DEV_OTHERS = {"composition": 40, "steer": 40, "no-edit": 320, "cannot": 200, "again": 20}
"""Many have no edit: a limit of one in twenty depends on few cases, and thresholds are chosen by it."""
DEV_FILLS = 1000
DEV_MODULES = 500
DEV_BYTES = 1_500_000
"""Bytes of each large package after those that the corpus took."""
_NOT_CAPPED = frozenset({"python"})
_SEED = 71


def unread(modules: Sequence[Module], limit_bytes: int) -> list[Module]:
    """Modules of large packages that the corpus left out because it had enough of them. Neither training nor
    tests read them."""
    taken = Counter[str]()
    for module in modules:
        taken[module.package] += len(module.text)
    large = frozenset(name for name, size in taken.items() if size >= limit_bytes and name not in _NOT_CAPPED)
    known = {(module.package, module.path) for module in modules}
    more = collect(limit_bytes + DEV_BYTES, large - HELD_OUT_PACKAGES) if large else []
    return [module for module in more if (module.package, module.path) not in known]


def build_dev(
    modules: Sequence[Module],
    unread_modules: Sequence[Module] = (),
    *,
    per_kind: int = DEV_PER_KIND,
    others: dict[str, int] | None = None,
) -> list[Record]:
    """Cases for choosing decoding rules and thresholds: code that training did not read (or did, if there is
    no other), training phrasings, and a seed of its own. Nothing of the held-out modules, packages or
    phrasings is included."""
    rng = Random(_SEED)
    own = [module for module in unread_modules or modules if unread_modules or module.split == "train"]
    pieces = cut(rng.sample(own, min(len(own), DEV_MODULES)), DEV_STAGE, rng, per_module=6)
    if unread_modules:
        packages = {module.package for module in unread_modules}
        known = function_texts([module for module in modules if module.package in packages])
        pieces = [window for window in pieces if not fingerprints([window]) & known]
    mixer = Mixer(pieces, rng)
    records: list[Record] = []
    for kind in kind_cases.all_kinds():
        cases = (mixer.edit(kind, tries=60) for _ in range(per_kind))
        records += [record_of(case, number) for number, case in enumerate(cases) if case is not None]
    for group, count in (others or DEV_OTHERS).items():
        found = 0
        for _ in range(count * 60):
            case = mixer.case(group) if found < count else None
            if case is not None:
                records.append(record_of(case, found))
                found += 1
    fills = (
        fill_record(rng.choice(pieces), number, rng) for number in range(DEV_FILLS if others is None else 2)
    )
    return unique([*records, *(record for record in fills if record is not None)])


def unique(records: Iterable[Record]) -> list[Record]:
    seen: set[tuple[str, str]] = set()
    out = []
    for record in records:
        key = (record["before"], record["instruction"])
        if key not in seen:
            seen.add(key)
            out.append(record)
    return out


def case_of(record: Record) -> Case:
    """The inverse of `record_of`, except that the error message stays in the instruction."""
    history = tuple(
        PastExchange(text, kept, hunks_of(hunks)) for text, kept, hunks in record.get("history", [])
    )
    steered, begun = record.get("steered"), record.get("begun")
    return Case(
        record["kind"],
        record["path"],
        record["before"],
        record["after"],
        record["instruction"],
        record["answer"],
        history=history,
        steered=(hunks_of(steered[0]), steered[1]) if steered else None,
        begun=(hunks_of(begun[:1])[0], begun[1]) if begun else None,
        answered=record.get("answered", ""),
    )


def hunks_of(items: Sequence[Sequence[Any]]) -> tuple[WindowHunk, ...]:
    return tuple(WindowHunk(first, last, tuple(new)) for first, last, new in items)
