"""The generation loop: prefill, draft, verify and emit, for one sequence or several at once.

A pass takes rows of every live generation: the next chunk of a prompt, or the last token with its draft.
Drafted tokens that equal the sampler's choices are accepted, and the choice after the last of them costs
nothing extra; the rest is rolled back by setting a length. State is consistent between passes, so `stop` is
checked there. A pass that only reads can be given up between any two parts, so that it may be long.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.cache.sequence import Sequence as CacheSequence
from spark_tui.engine.draft import DraftSource
from spark_tui.engine.forward.buffers import BLOCK_ROWS
from spark_tui.engine.model import BatchJob, Model
from spark_tui.engine.runtime.helper_threads import HelperThreads
from spark_tui.engine.runtime.pass_stop import NEVER, PassStopped, StopFlag
from spark_tui.engine.sampler import Sampler
from spark_tui.engine.text.constraints import Constraint, lead
from spark_tui.engine.text.detokenizer import TextStream
from spark_tui.errors import MalformedInput
from spark_tui.events import Token
from spark_tui.shapes import Step

F32 = NDArray[np.float32]
OnStep = Callable[[Step], None]
OnPrefill = Callable[[int, int], None]
"""Called with the prompt tokens done and the total."""

CHUNK_SECONDS, LONE_SECONDS = 0.015, 0.08
"""Processor time of a pass that reads: with others, and alone. Short passes cost up to 1.8 times as much."""
CHUNK_BOUNDS = (16, 512)
NEAR = 1e-3
"""Two best logits closer than this are a near-tie: on machines whose kernels round differently for
different row counts, passes of one row decide it."""


@dataclass(slots=True)
class Counts:
    """What a generation did."""

    prompt: int = 0
    reused: int = 0
    emitted: int = 0
    drafted: int = 0
    accepted: int = 0
    passes: int = 0


@dataclass(slots=True)
class Generation:
    """One sequence being read and continued. `sequence` holds a warm prefix of `prompt`, at most all but
    one."""

    sequence: CacheSequence
    prompt: Sequence[int]
    max_tokens: int
    sampler: Sampler = field(default_factory=Sampler)
    drafts: DraftSource | None = None
    constraint: Constraint | None = None
    texts: TextStream = field(default_factory=lambda: TextStream(None))
    ends: frozenset[int] = frozenset()
    logprobs: bool = True
    on_prefill: OnPrefill | None = None
    counts: Counts = field(default_factory=Counts)
    reason: str = ""
    """Empty while running, then `stop`, `length` or `error`."""
    error: Exception | None = None
    """What ended it. Others that shared the pass go on."""
    ready: deque[Token] = field(default_factory=deque)
    """Tokens that were not taken yet."""
    pending: list[int] = field(default_factory=list)
    """The token after the cached ones: chosen, not yet run."""
    state: Any = None
    single: int = 0
    """Up to here keys come from the prompt, or from passes of one row (see `Loop._again`)."""

    def __post_init__(self) -> None:
        if not self.prompt:
            raise MalformedInput("the prompt is empty")
        self.counts.prompt = len(self.prompt)
        self.counts.reused = self.sequence.length
        self.single = len(self.prompt) - 1
        if self.drafts is not None:
            self.drafts.begin(self.prompt)
        if self.constraint is not None:
            self.state = self.constraint.start(self.prompt)
        if self.max_tokens <= 0:
            self.reason = "length"

    @property
    def reading(self) -> bool:
        """Whether the prompt is not yet read."""
        return self.sequence.length < len(self.prompt) and not self.pending


class Loop:
    """Runs passes for a model, and learns how long a prefill chunk may be."""

    def __init__(self, model: Model, *, threads: int = 0) -> None:
        self.model = model
        self.threads = model.threads = HelperThreads(threads)
        self._rows_per_second = 0.0

    @property
    def chunk(self) -> int:
        """The prompt tokens in a pass that other generations share."""
        return self._chunk(CHUNK_SECONDS)

    def _chunk(self, seconds: float) -> int:
        low, high = CHUNK_BOUNDS
        if not self._rows_per_second:
            return 4 * low
        rows = int(min(high, max(low, seconds * self._rows_per_second)))
        whole = rows - rows % (2 * BLOCK_ROWS)  # an even number of blocks, for two threads
        return whole or rows

    def run(
        self, generation: Generation, stop: StopFlag | None = None, on_step: OnStep | None = None
    ) -> Iterator[Token]:
        """The tokens of one generation. Ends when it is done or stopped."""
        stop = stop or NEVER
        while not generation.reason:
            if stop.is_set():
                generation.reason = "interrupted"
                break
            self.step([generation], on_step, stop)
            if generation.error is not None:
                raise generation.error
            while generation.ready:
                yield generation.ready.popleft()

    def step(
        self, generations: Sequence[Generation], on_step: OnStep | None = None, stop: StopFlag | None = None
    ) -> None:
        """One pass over all live generations, which fills their `ready`.

        `stop` is given if nobody else waits for the pass. If it is set while a prompt is read, the pass ends
        and nothing of it is kept. A generation that fails has an `error`, and the others go on.
        """
        live = [generation for generation in generations if not generation.reason]
        if not live:
            return
        jobs, drafts = [], []
        reading = [generation.reading for generation in live]
        chunk = self.chunk if stop is None else self._chunk(LONE_SECONDS)
        share = max(CHUNK_BOUNDS[0], chunk // max(1, sum(reading)))
        for generation, reads in zip(live, reading, strict=True):
            ids, draft = self._next(generation, share)
            wanted = len(ids)
            if reads:
                ends = generation.sequence.length + len(ids) - len(draft) == len(generation.prompt)
                wanted = len(draft) + 1 if ends else 0
            jobs.append(BatchJob(generation.sequence, ids, wanted))
            drafts.append(draft)
        rows = sum(len(job.ids) for job in jobs)
        self.threads.begin(rows)
        try:
            logits = self.model.forward(jobs, stop if stop is not None and any(reading) else NEVER)
        except PassStopped:
            return
        finally:
            seconds, worked = self.threads.end(rows)
        if any(reading) and rows >= CHUNK_BOUNDS[0]:
            rate = rows / (worked or seconds)  # short pieces cost more: other programs must not shorten them
            self._rows_per_second = (
                rate if not self._rows_per_second else 0.5 * (self._rows_per_second + rate)
            )
        context = max(job.sequence.length for job in jobs)
        if len(jobs) > 1 and not self.model.exact:
            logits = logits.copy()  # a near-tie runs another pass, which writes to the same memory
        at = accepted = 0
        for generation, job, draft, reads in zip(live, jobs, drafts, reading, strict=True):
            generation.counts.passes += 1
            if reads and generation.on_prefill is not None:
                read = min(generation.sequence.length, len(generation.prompt))
                generation.on_prefill(read, len(generation.prompt))
            if job.logits:
                try:
                    accepted += self._verify(generation, draft, logits[at : at + job.logits], alone=rows == 1)
                except Exception as error:
                    generation.error, generation.reason = error, "error"
                    generation.sequence.discard()
            at += job.logits
        if on_step is not None:
            drafted = sum(len(draft) for draft in drafts)
            on_step(Step("prefill" if any(reading) else "decode", rows, context, drafted, accepted, seconds))

    def _next(self, generation: Generation, chunk: int) -> tuple[Sequence[int], list[int]]:
        """The ids of the next pass, and how many of them are drafts."""
        ids: Sequence[int] = generation.pending
        if generation.reading:
            done = generation.sequence.length
            ids = generation.prompt[done : done + chunk]
            if done + len(ids) < len(generation.prompt):
                return ids, []
        room = min(
            generation.max_tokens - generation.counts.emitted - 1,
            self.model.arch.window_tokens - generation.sequence.length - len(ids),
        )
        draft = generation.drafts.propose(room) if generation.drafts is not None and room > 0 else []
        return [*ids, *draft], draft

    def _verify(self, generation: Generation, draft: list[int], logits: F32, *, alone: bool) -> int:
        """Choose row by row, keep drafts that equal the choice, roll the others back. Accepted drafts."""
        sequence, plain = generation.sequence, generation.sampler.plain
        first = sequence.length - len(draft)  # the position that the first row chooses for
        alone = alone and generation.single == first - 1
        best = logits.argmax(axis=1).tolist() if plain and generation.constraint is None else None
        chosen: list[int] = []
        rows: list[F32] = []
        state = generation.state
        for row in range(len(draft) + 1):
            scores = logits[row]
            _check(scores, first + row)
            allowed = generation.constraint.allowed(state) if generation.constraint is not None else None
            token = best[row] if best else generation.sampler.choose(scores, first + row, allowed)
            unsure = plain and not self.model.exact and not alone
            decided = unsure and lead(scores, allowed, token) < NEAR
            if decided:
                rows = [held.copy() for held in rows]
                scores = self._again(generation, first + row)
                token = generation.sampler.choose(scores, first + row, allowed)
            chosen.append(token)
            if generation.constraint is not None:
                if isinstance(allowed, np.ndarray):
                    scores = np.where(allowed, scores, np.float32(-np.inf))
                state = generation.constraint.advance(state, token)
            rows.append(scores)
            if decided or row == len(draft) or draft[row] != token or token in generation.ends:
                break
        if alone:
            generation.single = first
        accepted = len(chosen) - 1
        sequence.truncate(first + accepted)
        generation.state = state
        generation.counts.drafted += len(draft)
        generation.counts.accepted += accepted
        if generation.drafts is not None:
            generation.drafts.extend(chosen, len(draft), accepted)
        self._emit(generation, chosen, rows, accepted)
        return accepted

    def _again(self, generation: Generation, position: int) -> F32:
        """The logits for `position` as passes of one row give them, all the way from the prompt's end: what
        writing without drafts would have come to."""
        sequence = generation.sequence
        ids = sequence.ids[:position]
        sequence.truncate(min(generation.single, position - 1))
        logits = np.empty((0, 0), np.float32)
        for token in ids[sequence.length :]:
            logits = self.model.forward([BatchJob(sequence, [token], 1)])
        generation.single = position
        row: F32 = logits[0]
        _check(row, position)
        return row

    def _emit(self, generation: Generation, chosen: list[int], rows: list[F32], accepted: int) -> None:
        logprobs = _logprobs(rows, chosen) if generation.logprobs else [0.0] * len(chosen)
        generation.pending = chosen[-1:]
        for index, token in enumerate(chosen):
            generation.counts.emitted += 1
            if token in generation.ends:
                generation.reason = "stop"
                text = generation.texts.flush()
            else:
                text = generation.texts.push(token)
                if generation.texts.stopped:
                    generation.reason = "stop"
                elif generation.counts.emitted >= generation.max_tokens or self._full(generation):
                    generation.reason = "length"
                    text += generation.texts.flush()
            generation.ready.append(Token(token, text, index < accepted, logprobs[index]))
            if generation.reason:
                return

    def _full(self, generation: Generation) -> bool:
        written = len(generation.prompt) + generation.counts.emitted
        return written >= self.model.arch.window_tokens


def _check(scores: F32, position: int) -> None:
    top = float(scores.max())
    if not math.isfinite(top):
        raise MalformedInput(
            f"the model computed the logit {top} at position {position}",
            hint="The weights are damaged, or the model overflows on this input.",
        )


def _logprobs(rows: list[F32], chosen: list[int]) -> list[float]:
    """Log-probabilities of the chosen tokens under the model's own distribution, among what a mask
    allowed."""
    block = np.stack(rows)  # [n, V]
    top = block.max(axis=1)
    picked = block[np.arange(len(chosen)), chosen] - top
    block -= top[:, None]
    np.exp(block, out=block)
    values: list[float] = (picked - np.log(block.sum(axis=1))).tolist()
    return values
