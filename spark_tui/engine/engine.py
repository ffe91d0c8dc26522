"""A model with its tokenizer and cache: the interface of the engine to the rest of the program.

An engine serves one thread at a time; callers that share one alternate between passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch
from spark_tui.engine.cache.page_store import DEFAULT_BYTES as STORE_BYTES
from spark_tui.engine.cache.page_store import PageStore
from spark_tui.engine.cache.pool import DEFAULT_BYTES, Pool, common_prefix, pages_within
from spark_tui.engine.cache.sequence import Sequence as CacheSequence
from spark_tui.engine.checkpoint import check_tokenizer, load_checkpoint, load_tokenizer
from spark_tui.engine.draft import DraftSource, SuffixDrafter
from spark_tui.engine.forward.layers import Weights
from spark_tui.engine.forward.rope import regime
from spark_tui.engine.generate import Counts, Generation, Loop, OnPrefill, OnStep
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.engine.model import BatchJob, Model
from spark_tui.engine.model_sizes import random_weights, size
from spark_tui.engine.runtime.pass_stop import NEVER, StopFlag
from spark_tui.engine.sampler import Sampler
from spark_tui.engine.text.constraints import Constraint
from spark_tui.engine.text.detokenizer import TextStream
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import Misfit, NoBackend
from spark_tui.events import Token
from spark_tui.shapes import ModelShape

F32 = NDArray[np.float32]
Progress = Callable[[int, int], None]

MODELS = Path(__file__).resolve().parent.parent / "models"
RANDOM = "random:"
LOGITS_CHUNK = 128


class GenerationOptions(TypedDict, total=False):
    """`draft_source` is a drafter, or the ids of the text that is being edited. `ends` replaces the ids that
    end a text; the one that ended it is the last token."""

    draft_source: DraftSource | Sequence[int] | None
    sampler: Sampler | None
    on_prefill: OnPrefill | None
    constraint: Constraint | None
    stop_texts: Sequence[str]
    ends: Sequence[int] | None
    logprobs: bool


class Cache:
    """A conversation's warm past. Give it to `generate` again and only what changed is read."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sequence: CacheSequence | None = None

    @property
    def ids(self) -> list[int]:
        """What is warm."""
        return list(self._sequence.ids) if self._sequence is not None else []

    @property
    def length(self) -> int:
        """How many tokens are warm."""
        return self._sequence.length if self._sequence is not None else 0

    def prepare(self, ids: Sequence[int]) -> CacheSequence:
        """The sequence, rolled back to the prefix that it shares with `ids` (at most all but the last id)."""
        own, planned = self._sequence, self._engine.planned(len(ids))
        same = 0
        if own is not None:
            same = min(common_prefix(own.ids, ids), len(ids) - 1)
            if own.planned != planned and self._engine.regime(own.planned) != self._engine.regime(planned):
                same = 0
        found = 0
        if len(ids) - 1 - same >= PAGE:  # else nothing else can hold a page more
            root = self._engine.root(planned)
            self._engine.pool.recall(root, ids[: len(ids) - 1])
            found = self._engine.pool.find(root, ids)[1]
        if own is None or found > same:
            if own is not None:
                own.publish()
                own.close()
            own = self._engine.open(ids)
        else:
            own.truncate(same)
            own.plan(planned, self._engine.regime(planned))
        self._sequence = own
        return own

    def publish(self) -> None:
        """Make every full page findable by other conversations, and by `persist`."""
        if self._sequence is not None:
            self._sequence.publish()

    def rollback(self, length: int) -> None:
        """Forget everything after the first `length` tokens."""
        if self._sequence is not None:
            self._sequence.truncate(length)

    def fork(self) -> Cache:
        """Another cache with the same past; pages are shared until one of them writes."""
        other = Cache(self._engine)
        other._sequence = self._sequence.fork() if self._sequence is not None else None
        return other

    def close(self) -> None:
        """Give the pages back; full ones stay warm as long as there is room. Safe to call twice."""
        self.publish()
        self.drop()

    def drop(self) -> None:
        """Release the pages; those that no other sequence holds and that are not warm are freed. Safe to call
        twice.
        """
        if self._sequence is not None:
            self._sequence.close()
            self._sequence = None


class Engine:
    """A loaded model."""

    def __init__(
        self,
        arch: Arch,
        weights: Weights,
        tokenizer: Tokenizer | None = None,
        *,
        cache_bytes: int = DEFAULT_BYTES,
        threads: int = 0,
        fast: bool = False,
    ) -> None:
        """`weights` is emptied, and the arrays in it may be written to. See `load` for the others."""
        self.arch = arch
        self.model = Model(arch, weights, fold=not fast)
        if fast:
            self.accelerate()
        self.tokenizer = tokenizer
        self.loop = Loop(self.model, threads=threads)
        self.counts = Counts()
        """What the latest `generate` did."""
        self.reason = ""
        """How the latest `generate` ended: `stop`, `length` or `interrupted`."""
        self._cache_bytes = cache_bytes
        self._pool: Pool | None = None

    @property
    def shape(self) -> ModelShape:
        """The sizes that decide what a pass costs."""
        return self.arch.shape

    @property
    def name(self) -> str:
        """The model's name."""
        return self.arch.name or self.arch.family

    @property
    def holds_tokens(self) -> int:
        """The longest conversation: as the model's window takes it, or as the bound of the cache has room for
        it, with a page to copy into."""
        return min(self.arch.window_tokens, (pages_within(self.arch, self._cache_bytes) - 1) * PAGE)

    @property
    def pool(self) -> Pool:
        """The cache of all sequences, made when it is first needed."""
        if self._pool is None:
            self._pool = self.model.new_pool(self._cache_bytes)
        return self._pool

    def accelerate(self, *, wait: bool = False) -> bool:
        """Use the compiled int8 products of the extra `[fast]` as soon as they are ready. Weights are rounded
        to int8 now. False where the extra is not installed."""
        return self.model.accelerate(wait=wait)

    def close(self) -> None:
        """Give back threads and files. Safe to call twice."""
        self.loop.threads.close()
        self.close_store()

    # -- sequences ----------------------------------------------------------------------------

    def planned(self, length: int) -> int:
        """The length to pass to RoPE for the kinds that depend on it; else 0."""
        return length if any(rope.depends_on_length for rope in self.arch.ropes) else 0

    def regime(self, length: int) -> int:
        """Equal for lengths whose angles are equal."""
        return sum(regime(rope, length) << (24 * index) for index, rope in enumerate(self.arch.ropes))

    def root(self, planned: int) -> bytes:
        """The name that warm prefixes of such sequences hang from."""
        return CacheSequence.root_of(self.regime(planned))

    def open(self, ids: Sequence[int] = ()) -> CacheSequence:
        """A sequence that holds the longest warm prefix of `ids`, at most all but the last."""
        planned = self.planned(len(ids))
        sequence = CacheSequence(self.pool, planned=planned, regime=self.regime(planned))
        if len(ids) > 1:
            sequence.adopt(ids[: len(ids) - 1])
        return sequence

    def new_cache(self) -> Cache:
        return Cache(self)

    # -- what it is for -----------------------------------------------------------------------

    def logits(self, ids: Sequence[int]) -> F32:
        """`[T, V]`: the logits after every id."""
        ids = _plain(ids)
        self._check_length(len(ids))
        out = np.empty((len(ids), self.arch.vocab_size), np.float32)
        sequence = CacheSequence(self.pool, planned=self.planned(len(ids)))
        try:
            for low in range(0, len(ids), LOGITS_CHUNK):
                part = ids[low : low + LOGITS_CHUNK]
                out[low : low + len(part)] = self.model.forward([BatchJob(sequence, part, len(part))])
        finally:
            sequence.close()
        return out

    def generate(
        self,
        ids: Sequence[int],
        max_tokens: int,
        *,
        stop: StopFlag | None = None,
        cache: Cache | None = None,
        on_step: OnStep | None = None,
        **options: Unpack[GenerationOptions],
    ) -> Iterator[Token]:
        """Continue `ids`. Afterwards `counts` and `reason` describe the result. A cache holds everything that
        was emitted except the last token.
        """
        own = cache is None
        held = self.new_cache() if cache is None else cache
        try:
            generation = self.generation(ids, max_tokens, cache=held, **options)
            self.counts, self.reason = generation.counts, ""
            try:
                yield from self.loop.run(generation, stop, on_step)
            finally:
                self.reason = generation.reason or "interrupted"
        finally:
            if own:
                held.close()

    def generation(
        self, ids: Sequence[int], max_tokens: int, *, cache: Cache, **options: Unpack[GenerationOptions]
    ) -> Generation:
        """A generation to be run by `loop.step`, alone or together with others (each with its own cache)."""
        ids = _plain(ids)
        self._check_length(len(ids) + 1)
        draft_source, ends = options.get("draft_source"), options.get("ends")
        texts = self.tokenizer.stream() if self.tokenizer is not None else None
        if draft_source is not None and not isinstance(draft_source, DraftSource):
            draft_source = SuffixDrafter(_plain(draft_source))
        return Generation(
            sequence=cache.prepare(ids),
            prompt=ids,
            max_tokens=max_tokens,
            sampler=options.get("sampler") or Sampler(),
            drafts=draft_source,
            constraint=options.get("constraint"),
            texts=TextStream(texts, options.get("stop_texts", ())),
            ends=frozenset(self.arch.eos_ids if ends is None else ends),
            logprobs=options.get("logprobs", True),
            on_prefill=options.get("on_prefill"),
        )

    def warm(
        self,
        ids: Sequence[int],
        cache: Cache,
        *,
        stop: StopFlag | None = None,
        on_step: OnStep | None = None,
        on_prefill: OnPrefill | None = None,
    ) -> int:
        """Read `ids` into a cache without generating. Returns how many tokens are warm afterwards."""
        if not ids:
            return 0
        generation = self.generation(ids, 1, cache=cache, on_prefill=on_prefill, ends=(), logprobs=False)
        self.counts = generation.counts
        stop = stop or NEVER
        while generation.reading and not stop.is_set():
            self.loop.step([generation], on_step, stop)
            if generation.error is not None:
                raise generation.error
        return cache.length

    def rest_in(self, folder: Path, *, max_bytes: int = STORE_BYTES, exact: bool = False) -> None:
        """Keep warm pages in a folder, so that they outlive this process. See `cache/page_store.py`."""
        self.close_store()
        self.pool.store = PageStore(
            folder, self.arch, self.pool.head, self.model.fingerprint(), max_bytes=max_bytes, exact=exact
        )

    def persist(self) -> int:
        """Write what is warm to the folder of `rest_in`. Pages written."""
        return self.pool.persist() if self._pool is not None else 0

    def close_store(self) -> None:
        """Let go of the folder. Safe to call twice."""
        if self._pool is not None and self._pool.store is not None:
            self._pool.store.close()
            self._pool.store = None

    def _check_length(self, tokens: int) -> None:
        if self.holds_tokens < tokens <= self.arch.window_tokens:
            raise Misfit(
                f"the prompt of {tokens - 1} tokens does not fit the cache of {self.holds_tokens} tokens",
                where=self.name,
                hint="Raise engine.cache_mb, or show fewer files.",
            )
        if tokens > self.arch.window_tokens:
            raise Misfit(
                f"the prompt of {tokens - 1} tokens does not fit the window of {self.arch.window_tokens}",
                where=self.name,
                hint="Show fewer files, or a range of lines: @path:10-200.",
            )


def _plain(ids: Sequence[int]) -> list[int]:
    """A list of ints, of whatever held them (an array, a tuple)."""
    return ids if isinstance(ids, list) else [int(token) for token in ids]


def load(
    path_or_name: str | Path,
    *,
    progress: Progress | None = None,
    cache_bytes: int = DEFAULT_BYTES,
    threads: int = 0,
    fast: bool = False,
) -> Engine:
    """A model from a folder, a `.gguf` file, a name of a built-in model, or `random:SIZE` (for benchmarks).

    `threads` are the most that share a long prefill where it pays, 0 takes what the machine has. With `fast`
    the compiled products of the extra `[fast]` are used once they are ready, if it is installed.
    """
    text = str(path_or_name)
    if text.startswith(RANDOM):
        arch = size(text.removeprefix(RANDOM))
        return Engine(arch, random_weights(arch), cache_bytes=cache_bytes, threads=threads, fast=fast)
    path = Path(path_or_name).expanduser()
    if not path.exists() and path.parent == Path():
        path = MODELS / text
        if not path.is_dir():
            names = sorted(entry.name for entry in MODELS.glob("*") if (entry / "config.json").is_file())
            raise NoBackend(
                f"no model {text!r}", hint=f"Built in: {', '.join(names) or 'none'}. Or name a model folder."
            )
    checkpoint = load_checkpoint(path, progress)
    tokenizer = None
    # Ids alone are enough to measure a model; whoever needs text says what is missing.
    with suppress(NoBackend):
        tokenizer = load_tokenizer(path)
    if tokenizer is not None:
        check_tokenizer(checkpoint.arch, tokenizer)
    return Engine(
        checkpoint.arch, checkpoint.weights, tokenizer, cache_bytes=cache_bytes, threads=threads, fast=fast
    )
