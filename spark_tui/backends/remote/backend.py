"""The remote backend: a model on spark's own server or on any OpenAI-compatible one.

Before the first token a turn is retried, with growing random pauses; after it nothing is asked for twice:
what arrived is kept, and the error offers to resume. Which API the server speaks is read once, from its list
of models.
"""

from __future__ import annotations

import contextlib
import random
import re
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from threading import Event as StopFlag
from typing import Any, Literal, get_args

from spark_tui.backends.base import Request
from spark_tui.backends.model_formats import model_formats
from spark_tui.backends.remote.api_keys import find_key
from spark_tui.backends.remote.chat import ChatClient
from spark_tui.backends.remote.endpoint import Endpoint, ServerBusy
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.responses import ResponsesClient
from spark_tui.backends.remote.spark import SparkClient
from spark_tui.backends.remote.transport import ConnectionLost, StoppedWaiting, parse_address
from spark_tui.errors import ConfigError, NoBackend
from spark_tui.events import Event, Token, Waited

Api = Literal["auto", "spark", "responses", "chat"]
_ATTEMPTS = 5
_LONGEST_PAUSE_SECONDS = 20.0
_TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\s+")


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model of the server's list. `window` is 0 and `format` empty where the server does not say."""

    name: str
    window: int = 0
    format: str = ""
    owner: str = ""
    splices: bool = False
    """Whether it may be told several messages inside one answer."""
    reads: tuple[int, int] | None = None
    """Tokens and lines of one file that it reads at a time; None: what fits its window."""
    fills_from: float | None = None
    """The least likelihood with which a line that it fills in is worth showing; None: it does not say, or
    cannot."""


class RemoteBackend:
    """One server and the model of it that is in use. Safe to use from several threads."""

    def __init__(
        self,
        url: str,
        model: str = "",
        *,
        key: str | None = None,
        api: Api = "auto",
        formats: Mapping[str, str] | None = None,
        authority: str = "",
        silence_seconds: float = 120.0,
        attempts: int = _ATTEMPTS,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """`key` None looks into the environment and the keyring. `formats`: model pattern = edit format."""
        if api not in get_args(Api):
            raise ConfigError(
                f"cannot be {api!r}", where="the API", hint="Choose one of: " + ", ".join(get_args(Api))
            )
        address = parse_address(url)
        key = find_key(address.host) if key is None else key
        self._endpoint = Endpoint(address, key, authority, silence_seconds=silence_seconds)
        self._wanted_api: Api = api
        self._formats = (*((formats or {}).items()), *model_formats())
        self._attempts = attempts
        self._jitter = jitter
        self._pieces = PieceIds()
        self._models: tuple[RemoteModel, ...] | None = None
        self._api: Api | None = None if api == "auto" else api
        self._client: SparkClient | ChatClient | ResponsesClient | None = None
        self._lock = threading.Lock()
        self.model = model

    @property
    def name(self) -> str:
        netloc = self._endpoint.address.netloc
        return f"{netloc}/{self.model}" if self.model else netloc

    @property
    def window(self) -> int:
        """Known once the server's list was read."""
        return next((m.window for m in self._models or () if m.name == self.model), 0)

    @property
    def takes_splices(self) -> bool:
        """Known once the server's list was read."""
        return self._api == "spark" and any(m.splices for m in self._models or () if m.name == self.model)

    @property
    def takes_corrections(self) -> bool:
        """Whether it may be told by itself which of its edits did not fit: a chat model may, the built-in
        model of a spark server would write the same again."""
        return self._api is not None and self._api != "spark"

    @property
    def fills_from(self) -> float | None:
        """Known once the server's list was read. spark's own server says it; a completion of others is shown
        as it comes, and who has no door for it is not asked."""
        if self._api == "spark":
            return next((m.fills_from for m in self._models or () if m.name == self.model), None)
        return (
            0.0 if self._api == "chat" and self._endpoint.address.host.lower() != "api.openai.com" else None
        )

    @property
    def small_window(self) -> tuple[int, int] | None:
        """Tokens and lines of one file that its model reads at a time. Known once the server's list was
        read."""
        return next((m.reads for m in self._models or () if m.name == self.model), None)

    def recall(self, tokens: Sequence[Token]) -> None:
        """What another process was given, so that a turn of its can go on here."""
        self._pieces.learn({token.id: token.text for token in tokens})

    def models(self, *, fresh: bool = False) -> tuple[RemoteModel, ...]:
        """The server's list of models."""
        if self._models is None or fresh:
            self._models = self._listed(needed=True)
        return self._models or ()

    def _listed(self, *, needed: bool) -> tuple[RemoteModel, ...] | None:
        """The server's list; None where it gives none and none is needed. A key that it does not take is an
        error."""
        try:
            status, body = self._endpoint.get("/models")
        except ConnectionLost as error:
            raise self._unreachable(error) from error
        if status != 200:
            if not needed and status != 401:
                return None
            raise self._error(self._endpoint.problem(status, body))
        rows = body.get("data") if isinstance(body, dict) else body
        listed = rows if isinstance(rows, list) else []
        return tuple(_model(row) for row in listed if isinstance(row, dict) and row.get("id"))

    def use(self, model: str) -> None:
        """Switch to another model of the same server; the turn that runs keeps its own."""
        with self._lock:
            self.model, old, self._client = model, self._client, None
        if old is not None:
            old.close()

    def warm_up(self) -> None:
        """Find out what the server is and open a connection, before the first turn needs it."""
        client = self._ready()
        if isinstance(client, SparkClient):
            try:
                client.warm_up()
            except (ConnectionLost, ServerBusy) as error:
                raise self._unreachable(error) from error

    def format_for(self, request: Request) -> str:
        if request.format != "auto":
            return request.format
        if isinstance(self._ready(), SparkClient):
            return next((m.format for m in self._models or () if m.name == self.model), "") or "auto"
        bare = self.model.lower().rsplit("/", 1)[-1]
        return next(form for pattern, form in self._formats if fnmatchcase(bare, pattern.lower()))

    def count_tokens(self, text: str) -> int:
        """An estimate: words of up to six letters, marks, and runs of white space."""
        return sum(1 for _ in _TOKEN.finditer(text))

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        got, lost = 0, Waited()
        for attempt in range(self._attempts):
            begun = time.perf_counter()
            try:
                if attempt:
                    yield lost
                with contextlib.closing(self._events(request, stop)) as events:
                    for event in events:
                        got += isinstance(event, Token)
                        if isinstance(event, Waited):
                            event = Waited(lost.queue + event.queue, lost.network + event.network)
                        yield event
                        if stop.is_set():
                            return
                return
            except StoppedWaiting:
                return
            except (ConnectionLost, ServerBusy) as error:
                if got:
                    raise NoBackend(
                        f"connection lost mid-answer: {error}",
                        where=self.name,
                        hint=(
                            "What arrived is kept. Resume continues from there: Ctrl+R, or spark exec"
                            " --resume last."
                        ),
                    ) from error
                last = attempt == self._attempts - 1
                if last or stop.wait(self._pause(attempt, error)):
                    if stop.is_set():
                        return
                    raise self._unreachable(error) from error
                took = time.perf_counter() - begun
                if isinstance(error, ServerBusy):
                    lost = Waited(lost.queue + took, lost.network)
                else:
                    lost = Waited(lost.queue, lost.network + took)

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
        self._endpoint.close()

    def _events(self, request: Request, stop: StopFlag) -> Generator[Event, None, None]:
        client = self._ready()
        if isinstance(client, SparkClient):
            return client.stream(request, stop)
        # Servers that we did not write keep their prefix caches themselves: there is nothing to warm.
        return (
            _nothing() if request.kind == "warm" else client.stream(request, stop, self.format_for(request))
        )

    def _ready(self) -> SparkClient | ChatClient | ResponsesClient:
        with self._lock:
            return self._client or self._made()

    def _made(self) -> SparkClient | ChatClient | ResponsesClient:
        if self._api in (None, "spark") or not self.model:
            if self._models is None:
                # Not every server has a list; a model that was named is asked without one.
                self._models = self._listed(needed=not self.model)
            models = self._models or ()
            if not self.model:
                if not models:
                    raise NoBackend(
                        "the server lists no models", where=self.name, hint="Name one with --model."
                    )
                self.model = models[0].name
            self._api = self._api or self._guess(models)
        if self._api == "spark":
            self._client = SparkClient(self._endpoint, self.model)
        elif self._api == "responses":
            self._client = ResponsesClient(self._endpoint, self.model, self._pieces)
        else:
            self._client = ChatClient(self._endpoint, self.model, self._pieces)
        return self._client

    def _guess(self, models: Sequence[RemoteModel]) -> Api:
        if any(model.owner == "spark" for model in models):
            return "spark"
        return "responses" if self._endpoint.address.host.lower() == "api.openai.com" else "chat"

    def _pause(self, attempt: int, error: Exception) -> float:
        """A random pause up to a bound that doubles. It respects the server's retry-after and adds a little,
        so that clients that got the same value do not return together.
        """
        bound = min(0.2 * 2.0**attempt, _LONGEST_PAUSE_SECONDS)
        asked = min(error.after, _LONGEST_PAUSE_SECONDS) if isinstance(error, ServerBusy) else 0.0
        return asked + bound * float(self._jitter())

    def _unreachable(self, error: Exception) -> NoBackend:
        hint = (
            error.hint
            if isinstance(error, ServerBusy)
            else "Is the server running, and is the address right?"
        )
        return NoBackend(str(error), where=self.name, hint=hint)

    def _error(self, error: Exception) -> Exception:
        return self._unreachable(error) if isinstance(error, (ServerBusy, ConnectionLost)) else error


def _nothing() -> Generator[Event, None, None]:
    yield from ()


def _model(row: dict[str, Any]) -> RemoteModel:
    window = next(
        (
            row[name]
            for name in ("context_window", "max_model_len", "context_length")
            if isinstance(row.get(name), int)
        ),
        0,
    )
    form = row.get("edit_format")
    return RemoteModel(
        str(row["id"]),
        window,
        form if isinstance(form, str) else "",
        str(row.get("owned_by") or ""),
        row.get("splices") is True,
        _pair(row.get("reads")),
        _share(row.get("fills_from")),
    )


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and 0 <= value <= 1 else None


def _pair(value: Any) -> tuple[int, int] | None:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) and one > 0 for one in value):
        return value[0], value[1]
    return None
