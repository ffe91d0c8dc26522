"""The files that an order names: an edit starts in one of them, or is none of what was asked. What is named
in ones that do not parse cannot be found."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from spark_tui.codemods.registry import render
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import EXTENSIONS, tokenize
from spark_tui.pysource.parse_errors import parse_error

_PATH = re.compile(rf"(?<![\w./-])[\w./-]+\.{EXTENSIONS}(?!\w)")
_MOST_NAMED = 3
_PLACES = frozenset(("file", "function", "class"))


def files_named(order: Order, situation: Situation) -> frozenset[str]:
    """The files that an order names as the place of an edit."""
    others = [
        span
        for reading in order.readings[:1]
        for slot, spans in reading.slots.items()
        for span in spans
        if slot not in _PLACES
    ]
    others += [span for reading in order.readings[:1] for span in reading.left_out]
    out: set[str] = set()
    for token in tokenize(situation.instruction).items:
        inside = order.start <= token.start and token.end <= order.end
        held = any(span.start < token.end and token.start < span.end for span in others)
        if token.kind == "path" and inside and not held:
            out |= {path for path, _ in paths_named(situation.repo, token.text)}
    return frozenset(out)


def in_file(reading: Reading, files: Collection[str]) -> Reading | None:
    """The reading with the one file that is named as its place, where it has none."""
    known = intents().get(reading.intent)
    if len(files) != 1 or known is None or "file" in known.required or reading.slots.get("file"):
        return None
    return replace(reading, slots={**reading.slots, "file": (Span(-1, -1, next(iter(files))),)})


def keep_within_files(found: Sequence[Candidate], files: Collection[str], strict: bool) -> list[Candidate]:
    """The candidates of a reading whose calls are in the files. Where there are none, all of them, unless
    the reading says itself that a file is the place: then why there is none."""
    inside = [candidate for candidate in found if not candidate.calls or is_inside(candidate, files)]
    if len(inside) == len(found) or (not strict and not any(candidate.calls for candidate in inside)):
        return list(found)
    if any(candidate.calls for candidate in inside):
        return inside
    calls = (call for candidate in found for call in candidate.calls)
    others = sorted({path for call in calls for path in _PATH.findall(render(call))} - {*files})
    elsewhere = f", but in {', '.join(others[:_MOST_NAMED])}" if others else ""
    reason = f"nothing like that is in {', '.join(sorted(files))}{elsewhere}"
    return [*inside, Candidate((), found[0].reading, refused=reason)]


def is_inside(candidate: Candidate, files: Collection[str]) -> bool:
    """Whether each call names one of some files, or no file at all."""
    named = [set(_PATH.findall(render(call))) for call in candidate.calls]
    return not files or all(not item or item & set(files) for item in named)


def explain_unparsed(context: Context, reason: str, nothing: bool = False) -> str:
    """Why an order cannot be done, with a file that does not parse: the named or open one, or one that has a
    name of the order. `nothing`: there is nothing to do, which only the named or open file may belie."""
    repo = context.repo
    named = [path for path, _ in paths_named(repo, context.text("file"))] or [context.situation.path]
    for path in named:
        if path in repo.index.paths and repo.index.source(path).tree is None:
            return parse_error(repo.index.source(path))
    if nothing:
        return reason
    spans = context.reading.spans
    words = {plain_name(span.text).rpartition(".")[2] for span in spans}
    for path in repo.index.files_with(*filter(str.isidentifier, words)):
        if not repo.index.parses(path):
            return "; ".join(filter(None, (reason, parse_error(repo.index.source(path)))))
    return reason
