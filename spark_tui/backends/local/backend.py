"""The local backend: a model on this machine, one engine thread, and a cache that stays warm between
requests. How the model is prompted, and how its answer becomes text, is its `PromptFormat`'s business."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.answers.messages import without_end
from spark_tui.backends.base import OnStep, Request, StepListener
from spark_tui.backends.ghost_text import least_confidence
from spark_tui.backends.local.chat_format import ChatFormat
from spark_tui.backends.local.engine_thread import Emit, EngineThread
from spark_tui.backends.local.prefix_cache import PrefixCache
from spark_tui.backends.local.prompt_format import EncodedRequest, PromptFormat, draft_source
from spark_tui.backends.local.spark_format import SparkFormat
from spark_tui.engine import Cache, Engine, Sampler, load
from spark_tui.engine.cache.pool import DEFAULT_BYTES, common_prefix
from spark_tui.engine.checkpoint import read_json
from spark_tui.engine.engine import MODELS
from spark_tui.engine.kernels import int8_products
from spark_tui.engine.runtime import machine_files
from spark_tui.engine.runtime.machine import memory_left
from spark_tui.errors import MalformedInput, NoBackend, UsageError, install_command
from spark_tui.events import Event, PrefillProgress, Token
from spark_tui.shapes import ModelShape, Step

_SHARE_OF_CACHE = 4
"""The cache takes this part of a bounded memory: the weights and what is computed need the rest."""
_LEAST_CACHE = 16 << 20


class LocalBackend:
    """One local model. `on_step` is called for every forward pass, on the engine's thread."""

    takes_splices = True

    def __init__(self, engine: Engine, settings: dict[str, Any] | None = None, *, name: str = "") -> None:
        if engine.tokenizer is None:
            raise NoBackend(
                "a model without a tokenizer can only be benchmarked",
                where=engine.name,
                hint=(
                    "Put its tokenizer.json into the folder"
                    " (AutoTokenizer.from_pretrained(…).save_pretrained(…))."
                ),
            )
        self.engine = engine
        self.name = name or engine.name
        self.window = engine.holds_tokens
        self.on_step: OnStep | None = None
        self.notes: tuple[str, ...] = ()
        """What makes it slower on this machine than it is asked to be, to be said once."""
        self.listener: StepListener | None = None
        self.dialect: PromptFormat = (
            SparkFormat(engine.tokenizer, settings)
            if engine.arch.family == "spark"
            else ChatFormat(engine.tokenizer)
        )
        self.fills_from = least_confidence(settings) if self.dialect.fills else None
        """How likely a line of ghost text must be; None for a model that was not taught to fill in."""
        self.caches = PrefixCache(engine)
        self._thread = EngineThread()

    @classmethod
    def open(
        cls,
        path_or_name: str | Path,
        *,
        progress: Callable[[int, int], None] | None = None,
        fast: bool = False,
        cache_bytes: int = DEFAULT_BYTES,
        rest_in: Path | None = None,
        exact_rest: bool = False,
    ) -> LocalBackend:
        """Load a model folder, a GGUF file or a built-in model by name.

        `fast` takes the compiled int8 products where the extra is installed; `rest_in` is a folder where what
        was read outlives this process, rounded to int8 unless `exact_rest`.
        """
        notes = []
        left = memory_left()
        if left is not None and left // _SHARE_OF_CACHE < cache_bytes:
            wanted, cache_bytes = cache_bytes, max(left // _SHARE_OF_CACHE, _LEAST_CACHE)
            notes.append(
                f"memory is limited to {left >> 20} MB more: the cache has {cache_bytes >> 20} MB instead of"
                f" {wanted >> 20} (engine.cache_mb), and less of what was read stays warm"
            )
        if fast and (trouble := int8_products.missing()):
            fast = False
            advice = f" ({install_command('fast')})" if "installed" in trouble else ""
            notes.append(f"engine.fast has no effect: {trouble}{advice}")
        if trouble := machine_files.unwritable():
            again = "files are read anew" + (" and kernels prepared anew" if fast else "")
            notes.append(f"nothing can be kept in the cache folder, so {again} at each start: {trouble}")
        engine = load(path_or_name, progress=progress, fast=fast, cache_bytes=cache_bytes)
        if rest_in is not None:
            try:
                engine.rest_in(rest_in, exact=exact_rest)
            except OSError as error:
                notes.append(f"engine.rest has no effect: {error.strerror} ({rest_in})")
        folders = (Path(path_or_name).expanduser(), MODELS / str(path_or_name))
        config_path = next((path for folder in folders if (path := folder / "config.json").is_file()), None)
        config = read_json(config_path) if config_path else {}
        backend = cls(engine, config.get("spark"), name=engine.name)
        backend.notes = tuple(notes)
        return backend

    @property
    def shape(self) -> ModelShape:
        return self.engine.shape

    @property
    def bound(self) -> str:
        """What keeps the window smaller than that of the model; empty where nothing does."""
        own = self.engine.arch.window_tokens
        return f"engine.cache_mb; the model takes {own}" if self.window < own else ""

    def listen(self, listener: StepListener | None) -> None:
        self.listener = listener

    @property
    def small_window(self) -> tuple[int, int] | None:
        """Tokens and lines of one file that the model reads at a time; None where it reads what fits its
        window."""
        dialect = self.dialect
        return (dialect.window_tokens, dialect.max_lines) if isinstance(dialect, SparkFormat) else None

    def format_for(self, request: Request) -> str:
        if request.format == "auto":
            return self.dialect.formats[0]
        if request.format not in self.dialect.formats:
            raise UsageError(
                f"{self.name} does not write the format {request.format!r}",
                hint=f"It writes: {', '.join(self.dialect.formats)}.",
            )
        return request.format

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """What the engine thread makes of the request; a set `stop` ends it within one pass."""
        self.format_for(request)
        yield from self._thread.submit(_Answering(self, request), request.kind, stop)

    def ask(self, request: Request) -> EncodedRequest:
        """What the model is asked. The built-in family tells by its end whether an answer was whole."""
        self._check_ids(request)
        if not isinstance(self.dialect, SparkFormat):
            request = without_end(request, self.engine.arch.eos_ids)
        return self.dialect.ask(request)

    def _check_ids(self, request: Request) -> None:
        """Token ids of a request may come from elsewhere. One that the vocabulary does not have would fail
        the whole pass, with the turns of others in it."""
        for ids in (request.emitted, *(splice.ids for splice in request.spliced)):
            if ids and not 0 <= min(ids) <= max(ids) < self.engine.arch.vocab_size:
                raise MalformedInput(
                    "the answer so far has token ids that this model does not know", where=self.name
                )

    def count_tokens(self, text: str) -> int:
        return self.dialect.count(text)

    def prompt_tokens(self, request: Request) -> int:
        """How many tokens the model would read. Not all that is sent is shown: the built-in family reads no
        rules."""
        return len(self.ask(request).ids)

    def close(self) -> None:
        self._thread.close()
        self.caches.close()
        self.engine.persist()
        self.engine.close()


class _Answering:
    """One request on the engine thread. After being stopped for more urgent work it resumes at the same
    point.
    """

    def __init__(self, backend: LocalBackend, request: Request) -> None:
        self._backend = backend
        self._request = request
        self._asked: EncodedRequest | None = None
        self._written: list[int] = []
        self._read = 0
        self._reused = -1
        self._listener = backend.listener if request.kind in ("edit", "raw") else None

    def run(self, stop: StopFlag, emit: Emit) -> bool:
        backend, request = self._backend, self._request
        if is_complete(request, backend.engine.arch.eos_ids):
            return True
        if self._asked is None:
            if self._listener is not None:
                self._listener.begin()
            self._asked = backend.ask(request)
        asked = self._asked
        if request.kind == "warm":
            return self._warm(asked.ids, stop, emit)
        engine, ends = backend.engine, backend.engine.arch.eos_ids
        ids = [*asked.ids, *asked.behind, *self._written] if self._written else asked.ids
        cache = backend.caches.pick(ids, keep_others=request.kind != "edit")
        space = engine.holds_tokens - len(asked.ids)
        room = min(request.max_tokens, space - len(asked.behind)) - len(self._written)
        written = room if self._written else min(attempt_limit(request, asked, room), space)
        backend.caches.make_room(cache, len(ids) + max(written, 0))
        tokens = engine.generate(
            ids,
            written,
            stop=stop,
            draft_source=draft_source(asked),
            sampler=sampler_for(request, asked),
            cache=cache,
            on_step=self._stepped,
            on_prefill=lambda done, total: self._progress(done, total, emit),
            constraint=asked.constraint,
        )
        if not self._written:
            offered = asked.gate.offer(tokens, stop.is_set) if asked.gate else tokens
            tokens = self._going_on(offered, asked, cache, stop)
        for token in tokens:
            self._written.append(token.id)
            room -= 1
            last = token.id in ends or room <= 0
            for event in asked.reader.read(token, last):
                emit(event)
            if asked.reader.finished or room <= 0:
                break
        done = asked.reader.finished or room <= 0 or engine.reason != "interrupted"
        if asked.gate and self._written:
            self._read_chosen([*asked.ids, *asked.behind, *self._written], cache)
        return done

    def _read_chosen(self, ids: list[int], cache: Cache) -> None:
        """Where another answer than the first attempt was offered, read it, so that what is said next finds
        it warm. It is short, and everyone has it already."""
        if len(ids) - common_prefix(cache.ids, ids) > 1:
            self._backend.engine.warm(ids, cache, stop=StopFlag(), on_step=self._backend.on_step)

    def _going_on(
        self, tokens: Iterator[Token], asked: EncodedRequest, cache: Cache, stop: StopFlag
    ) -> Iterator[Token]:
        """What comes after the part that was offered before. If another answer is chosen now, as after a
        limit that had cut the first one off, what was offered stands and is continued."""
        for had in asked.behind:
            token = next(tokens, None)
            if token is None and stop.is_set():
                return
            if token is None or token.id != had:
                yield from self._backend.engine.generate(
                    [*asked.ids, *asked.behind],
                    self._request.max_tokens,
                    stop=stop,
                    draft_source=draft_source(asked),
                    cache=cache,
                    on_step=self._stepped,
                    constraint=asked.constraint,
                )
                return
        yield from tokens

    def _warm(self, ids: Sequence[int], stop: StopFlag, emit: Emit) -> bool:
        backend = self._backend
        if not backend.caches.holds(ids):
            cache = backend.caches.pick(ids, keep_others=True)
            backend.caches.make_room(cache, len(ids))
            backend.engine.warm(
                ids,
                cache,
                stop=stop,
                on_step=backend.on_step,
                on_prefill=lambda done, total: self._progress(done, total, emit),
            )
        return backend.caches.holds(ids)

    def _stepped(self, step: Step) -> None:
        if self._listener is not None:
            self._listener.step(step)
        if self._backend.on_step is not None:
            self._backend.on_step(step)

    def _progress(self, done: int, total: int, emit: Emit) -> None:
        """Rising counts of the prompt alone; what was written before a pause is no part of it."""
        assert self._asked is not None
        prompt = len(self._asked.ids)
        if self._reused < 0:
            self._reused = min(self._backend.engine.counts.reused, prompt)
        if total == prompt and done > self._read:
            self._read = done
            emit(PrefillProgress(done, prompt, self._reused))


def is_complete(request: Request, eos_ids: Collection[int]) -> bool:
    """Whether the answer to be continued is complete already."""
    return (
        request.kind == "edit"
        and not request.steer
        and bool(request.emitted)
        and request.emitted[-1] in eos_ids
    )


def attempt_limit(request: Request, asked: EncodedRequest, room: int) -> int:
    """How many tokens the first attempt may have. A limit cuts off what is offered, not what it is chosen
    from: an answer that is held is chosen as if there were none, or a resume could not go on with it."""
    if asked.gate is None or not asked.gate.held_tokens or request.kind != "edit" or room <= 0:
        return room
    return max(room + len(asked.behind), asked.gate.held_tokens + 1)


def sampler_for(request: Request, asked: EncodedRequest) -> Sampler:
    """How the tokens of this request are chosen."""
    return asked.gate.sampler if asked.gate else Sampler(temperature=request.temperature, seed=request.seed)
