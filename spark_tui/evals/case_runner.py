"""Run one case through the same turn as every command, and record the result."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Event as StopFlag
from threading import Timer

from spark_tui import events
from spark_tui.backends import ghost_text
from spark_tui.backends.base import Backend, FilePart, Request
from spark_tui.backends.local.spark_format import told_exchange
from spark_tui.edits.parser import Parser, answer_parser
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.token_layout import PastExchange, WindowHunk
from spark_tui.errors import SparkError
from spark_tui.evals.cases import EvalCase, apply, split_lines
from spark_tui.evals.reader_runner import CaseReader
from spark_tui.session.turn import Turn

GENERATION_LIMIT_S = 120.0
_READER_VERDICTS = {
    "edit": "edit",
    "choices": "choices",
    "nothing": "no-edit",
    "cannot": "cannot",
    "question": "cannot",
    "chat": "cannot",
    "undo": "no-edit",
}


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """What came back. `verdict`: `edit`, `no-edit`, `cannot`, `nothing` or `failed`."""

    after: str
    verdict: str
    hunks: int
    marked: int
    """Hunks that carry a doubt; of ghost text 1 where it is not shown."""
    misfits: int
    """Edits that had no place or were malformed."""
    confidence: float
    prefill_s: float
    generation_s: float
    error: str = ""
    by: str = "model"
    """`reader` or `model`: who answered."""
    choices: tuple[str, ...] = ()
    """The results that were offered to choose from; `verdict` is `choices`."""
    calls: str = ""
    """What the reader did."""


def ask_reader(reader: CaseReader, case: EvalCase) -> CaseAnswer | None:
    """What the learned reader answers; None where it leaves the case to a language model."""
    written = apply(case.before, case.written) if case.steer else case.before
    found = reader.ask(case, written)
    if found.kind == "write":
        return None
    verdict = _READER_VERDICTS[found.kind]
    after = found.texts[0] if verdict == "edit" else case.before
    if case.steer and verdict == "edit" and after == case.before:
        verdict = "no-edit"
    return CaseAnswer(
        after,
        verdict,
        int(verdict == "edit"),
        int(found.marked),
        0,
        found.confidence,
        found.seconds,
        0.0,
        by="reader",
        choices=found.texts if verdict == "choices" else (),
        calls=found.calls,
    )


def with_offers(reader: CaseReader, case: EvalCase, answer: CaseAnswer) -> CaseAnswer:
    """The answer of a language model that the reader left a case to; without an edit, what is offered."""
    if case.steer or answer.verdict in ("edit", "failed"):
        return answer
    doubt = 1.0 - answer.confidence if answer.verdict == "no-edit" else 1.0
    texts = reader.offers(case, doubt)
    return replace(answer, verdict="choices", choices=texts) if texts else answer


def ask_case(
    backend: Backend, case: EvalCase, max_tokens: int = 1024, least_confidence: float = 0.0
) -> CaseAnswer:
    """One turn; a turn that outlasts the limit of time is stopped and keeps its closed hunks."""
    lines = tuple(split_lines(case.before))
    request = replace(request_for(backend, case, max_tokens), least_confidence=least_confidence)
    stop = StopFlag()
    timer = Timer(GENERATION_LIMIT_S, stop.set)
    timer.daemon = True
    timer.start()
    begun = time.perf_counter()
    read = last = 0.0
    logprob, marked, error, reason = 0.0, set[int](), "", ""
    closed: list[events.HunkClosed] = []
    misfits = 0

    def make(name: str) -> Parser:
        return answer_parser(name, lambda path: lines if _same(path, case.path) else None, shown=(case.path,))

    try:
        for event in Turn("eval", (request,), backend, make).start(stop):
            if isinstance(event, events.PrefillProgress):
                read = time.perf_counter()
            elif isinstance(event, events.Token):
                last = time.perf_counter()
                read = read or last
                logprob += event.logprob
            elif isinstance(event, events.HunkClosed) and event.old_lines != event.new_lines:
                closed.append(event)
            elif isinstance(event, events.HunkFailed):
                misfits += 1
            elif isinstance(event, events.Doubt):
                marked.add(event.hunk_id)
            elif isinstance(event, events.Failed):
                error = event.what
            elif isinstance(event, events.Finished):
                reason = event.reason
    finally:
        timer.cancel()
    after = apply_answer(case, closed)
    verdict = "edit" if closed else {"no_edit": "no-edit", "cannot": "cannot"}.get(reason, "nothing")
    read = read or time.perf_counter()
    return CaseAnswer(
        after,
        "failed" if error else verdict,
        len(closed),
        len(marked.intersection(hunk.hunk_id for hunk in closed)),
        misfits,
        math.exp(min(logprob, 0.0)),
        read - begun,
        max(0.0, last - read),
        error,
    )


def ask_fill(backend: Backend, case: EvalCase) -> CaseAnswer:
    """Ghost text: the rest of the cursor's line, as the workbench asks for it. `verdict` is `fill` where
    something was proposed; it is `marked` where the workbench would not show it."""
    try:
        filled = ghost_text.fill(backend, case.before, case.suffix, StopFlag())
    except SparkError as error:
        return CaseAnswer("", "failed", 0, 0, 0, 0.0, 0.0, 0.0, error.what)
    least = ghost_text.fill_threshold(backend)
    hidden = least is None or not ghost_text.is_shown(filled, least)
    after = filled.seconds - filled.first_seconds
    verdict = "fill" if filled.text else "nothing"
    return CaseAnswer(filled.text, verdict, 0, int(hidden), 0, filled.confidence, filled.first_seconds, after)


def request_for(backend: Backend, case: EvalCase, max_tokens: int) -> Request:
    """A steer continues from what was written where the backend has ids for it; else it is told as an
    exchange."""
    history = [told_exchange(case.path, past) for past in case.history]
    emitted: tuple[int, ...] = ()
    instruction, steer = case.instruction, case.steer
    if steer:
        encode = getattr(getattr(backend, "dialect", None), "encode", None)
        if encode is not None:
            emitted = tuple(
                token for hunk in case.written for token in token_layout.encode_hunk(encode, hunk)
            )
        else:
            history.append(told_exchange(case.path, PastExchange(instruction, False, case.written)))
            instruction, steer = steer, ""
    return Request(
        instruction,
        files=(FilePart(case.path, case.before),),
        history=tuple(history),
        emitted=emitted,
        steer=steer,
        max_tokens=max_tokens,
    )


def apply_answer(case: EvalCase, closed: Sequence[events.HunkClosed]) -> str:
    """The text with the hunks applied. Edits from before a steer are kept unless a later hunk
    touches them.
    """
    new = [WindowHunk(h.old_start - 1, h.old_start - 1 + len(h.old_lines), h.new_lines) for h in closed]
    written = case.written if case.steer else ()
    old = [hunk for hunk in written if not any(hunk.touches(other) for other in new)]
    return apply(case.before, [*old, *new])


def _same(path: str, wanted: str) -> bool:
    return path == wanted or wanted.endswith("/" + path) or path.endswith("/" + wanted)
