"""What all endpoints of one server share: access, the session registry, the request parser and metrics."""

from __future__ import annotations

import asyncio
import resource
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from spark_tui.backends.base import Backend, Request, prompt_counter
from spark_tui.codemods.hunks import text_hunks
from spark_tui.errors import SparkError
from spark_tui.events import HunkClosed
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import titles_apart
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.serve.access import Access
from spark_tui.serve.api_errors import ApiError, from_spark_error
from spark_tui.serve.endpoints.known_texts import SharedBound
from spark_tui.serve.endpoints.request_parser import RequestParser
from spark_tui.serve.limits import ServerLimits
from spark_tui.serve.metrics import Metrics
from spark_tui.serve.rendering.output_formats import Translator
from spark_tui.serve.turns.canary import Canary
from spark_tui.serve.turns.followup_requests import shown_chars, texts_of
from spark_tui.serve.turns.session_registry import SessionRegistry
from spark_tui.serve.turns.turn import ServedTurn

MOST_CHARACTERS = 500_000
_LONGEST_TOKEN = 64
"""Characters that no prompt has to each of its tokens."""
_AT_ONCE = 4
"""Readings that share the processor. More would only hold up each other, and the loop."""


class ExactAnswers:
    """Loads the reader with the first request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader: Reader | None = None
        self._threads = ThreadPoolExecutor(_AT_ONCE, "spark-reading")
        self.waiting = 0
        """Requests that are read, or wait for it."""

    async def found(self, request: Request, seconds: float) -> tuple[tuple[HunkClosed, ...] | None, str]:
        """`find` on a thread. Whoever is cancelled ends it there, too, or takes it out of the line."""
        given_up = threading.Event()
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self.find, request, seconds, given_up)
        finally:
            self.waiting -= 1
            given_up.set()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def find(
        self, request: Request, seconds: float, given_up: threading.Event
    ) -> tuple[tuple[HunkClosed, ...] | None, str]:
        """The edit as hunks, and what is said with it or in its place. None where a model has to be asked,
        and what is said if that has no edit. Raises ApiError where it takes longer than so many seconds."""
        texts = {part.path: part.text for part in request.files}
        if sum(map(len, texts.values())) + len(request.instruction) > MOST_CHARACTERS:
            return None, ""
        path = request.files[0].path
        reader, tree, begun = self._loaded(), DictTree(texts), time.monotonic()

        def on_work() -> None:
            if given_up.is_set():
                raise CancelledError
            if time.monotonic() - begun > seconds:
                # A client does not send this again by itself, as it does after a 5xx.
                said = (
                    f"No edit was found within {seconds:g} seconds: show less code, or ask for less at once."
                )
                raise ApiError(422, "reading_too_slow", said, param="input")

        repo = Repository(tree, index=Index(tree, on_work=on_work))
        roles = repository_roles(repo.index, (path,))
        found = answer(request.instruction, reader, Situation(repo, path), roles)
        reason = f"{found.reason.partition('. ')[0].rstrip('.')}." if found.reason else ""
        if found.kind == "choices":
            return (), f"Several edits may be meant. Say which: {'; '.join(titles_apart(found.ways))}."
        if found.kind != "edit":
            return () if found.kind == "nothing" else None, reason
        way = found.ways[0]
        hunks = tuple(hunk.closed() for hunk in text_hunks(way.plan.texts(repo), repo))
        return hunks, "\n".join(filter(None, [*(f"Check this edit: {mark}." for mark in way.marked), reason]))

    def _loaded(self) -> Reader:
        with self._lock:
            if self._reader is None:
                self._reader = Reader.load()
            return self._reader


@dataclass(slots=True)
class ServerContext:
    """One server's parts."""

    registry: SessionRegistry
    parser: RequestParser
    access: Access
    metrics: Metrics
    known_texts: SharedBound
    exact: ExactAnswers = field(default_factory=ExactAnswers)

    @classmethod
    def make(
        cls,
        backends: dict[str, Backend],
        aliases: dict[str, str],
        limits: ServerLimits,
        access: Access,
        canary_share: float = 0.0,
    ) -> ServerContext:
        """Must be called on the running loop. With a share the second backend is the first one's canary."""
        metrics = Metrics()
        registry = SessionRegistry(backends, limits, metrics)
        if canary_share:
            stable, candidate = backends
            registry.canary = Canary(stable, candidate, canary_share, metrics)
        known_texts = SharedBound(limits.known_bytes)
        context = cls(registry, RequestParser(registry, aliases), access, metrics, known_texts)
        metrics.counter("spark_turns_total", "Finished turns, by outcome.")
        metrics.counter("spark_model_turns_total", "Finished turns, by model and outcome.")
        metrics.counter("spark_model_tokens_total", "Tokens that a model generated.")
        metrics.counter("spark_model_first_token_seconds_total", "Seconds to the first token, by model.")
        metrics.counter("spark_model_edits_total", "Edits asked of a model, by whether one was offered.")
        spent = registry.spent
        metrics.counter("spark_tokens_total", "Tokens that models generated.", lambda: spent.output)
        metrics.counter(
            "spark_engine_seconds_total",
            "Seconds that turns waited for a model.",
            lambda: spent.engine_seconds,
        )
        metrics.counter(
            "spark_engine_first_seconds_total",
            "Seconds before the first text of a turn.",
            lambda: spent.engine_first_seconds,
        )
        metrics.counter("spark_refused_total", "Turns refused with 429, by reason.")
        metrics.counter("spark_problems_total", "Requests answered with an error, by code.")
        metrics.counter("spark_connections_total", "WebSocket connections opened.")
        metrics.gauge("spark_turns_running", "Running turns.", lambda: len(registry.running))
        metrics.gauge("spark_turns_queued", "Waiting turns.", lambda: registry.queue.waiting)
        metrics.gauge("spark_responses_kept", "Stored responses.", lambda: len(registry.store))
        metrics.gauge(
            "spark_responses_kept_bytes",
            "Approximate memory of stored responses.",
            lambda: registry.store.bytes,
        )
        metrics.gauge(
            "spark_known_texts_bytes", "Memory of texts that clients sent before.", lambda: known_texts.bytes
        )
        engines = "CPU time of the engines, where known."
        metrics.gauge(
            "spark_engine_cpu_seconds_total", engines, lambda: sum(map(_engine_cpu, backends.values()))
        )
        metrics.gauge("process_cpu_seconds_total", "CPU time of this process.", _cpu_seconds)
        metrics.gauge("process_resident_memory_bytes", "Resident memory.", _resident_bytes)
        metrics.histogram("spark_first_token_seconds", "From a turn's arrival to its first token.")
        return context

    def routed(self, body: Any, session: str) -> Any:
        """The body of a request, asking for the canary where that is the model of its session."""
        if self.registry.canary is None or not isinstance(body, dict):
            return body
        given = body.get("model") or next(iter(self.registry.backends))
        model = self.parser.aliases.get(given, given) if isinstance(given, str) else ""
        chosen = self.registry.canary.model_for(model, session)
        return body if chosen == model else {**body, "model": chosen}

    def names(self) -> list[str]:
        return [*self.registry.backends, *self.parser.aliases]

    def may_be_exact(self, turn: ServedTurn) -> bool:
        """Whether the reader comes first, as in a session: the built-in model would be asked for an edit."""
        built_in = getattr(self.registry.backends[turn.model], "small_window", None) is not None
        request = turn.request
        return bool(
            built_in and isinstance(turn.answer, Translator) and request.kind == "edit" and request.files
        )

    async def answer_exactly(self, turn: ServedTurn) -> None:
        """Have the reader answer where it comes first. Whoever is cancelled meanwhile is not read further."""
        if not self.may_be_exact(turn) or not isinstance(turn.answer, Translator):
            return
        limits = self.registry.limits
        if self.exact.waiting >= limits.active + limits.queued:
            self.metrics.add("spark_refused_total", reason="queue_full")
            said = f"The queue is full: {self.exact.waiting} requests are being read."
            raise ApiError(429, "queue_full", said, retry_after=limits.reading_seconds)
        self.registry.count(turn)
        hunks, said = await self.exact.found(turn.request, limits.reading_seconds)
        turn.answer.take(hunks, said)
        turn.asks_model = hunks is None

    def surely_fits(self, turn: ServedTurn) -> bool:
        """Most prompts need no counting: no token is shorter than a byte. One that no model reads always
        fits."""
        if not turn.asks_model:
            return True
        window = self.registry.limits.prompt_tokens or self.registry.backends[turn.model].window
        return not window or 4 * shown_chars(turn.request) + _emitted(turn) <= window

    async def fits(self, turn: ServedTurn) -> None:
        """A prompt past the window is a clear 400 with both counts, before it waits for anything."""
        if self.surely_fits(turn):
            return
        backend = self.registry.backends[turn.model]
        window = self.registry.limits.prompt_tokens or backend.window
        # Of all but the instruction, a small model reads a part.
        small = getattr(backend, "small_window", None) is not None
        characters = len(turn.request.instruction) if small else shown_chars(turn.request)
        if characters > _LONGEST_TOKEN * window:
            # To count megabytes holds up every client for seconds.
            said = f"The prompt has {characters} characters; this model takes {window} tokens."
            raise ApiError(400, "context_length_exceeded", said, param="input", window=window)
        try:
            tokens = await asyncio.to_thread(_count, backend, turn)
        except SparkError as error:
            raise from_spark_error(error) from error
        if tokens > window:
            raise ApiError(
                400,
                "context_length_exceeded",
                f"The prompt has {tokens} tokens; this model takes {window}.",
                param="input",
                prompt_tokens=tokens,
                window=window,
            )


def _count(backend: Backend, turn: ServedTurn) -> int:
    """What the model would read, as far as the backend knows it; else all that was sent."""
    if (counter := prompt_counter(backend)) is not None:
        return counter(turn.request)
    return backend.count_tokens("\n".join(filter(None, texts_of(turn.request)))) + _emitted(turn)


def _emitted(turn: ServedTurn) -> int:
    return len(turn.request.emitted) + sum(len(splice.ids) for splice in turn.request.spliced)


def _engine_cpu(backend: Backend) -> float:
    return float(getattr(backend, "cpu_seconds", 0.0))


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _resident_bytes() -> float:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - read at every scrape
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
