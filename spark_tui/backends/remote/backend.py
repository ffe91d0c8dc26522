"""The remote backend: a model on spark's own server or on any OpenAI-compatible one.

Before the first token a turn is retried, with growing random pauses; after it nothing is asked for twice:
what arrived is kept, and the error offers to resume. Which API the server speaks is read once, from its list
of models or from the table of presets.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from threading import Event as StopFlag
from typing import Literal, cast, get_args

from spark_tui.backends.base import Request
from spark_tui.backends.chat_messages import model_formats
from spark_tui.backends.remote import event_stream, messages, presets
from spark_tui.backends.remote.answer_check import AnswerWatch, broken_off, full_window, no_list, unreachable
from spark_tui.backends.remote.api_keys import find_key
from spark_tui.backends.remote.chat import ChatClient
from spark_tui.backends.remote.endpoint import Endpoint, ServerBusy
from spark_tui.backends.remote.messages import MessagesClient
from spark_tui.backends.remote.model_list import RemoteModel, read_models
from spark_tui.backends.remote.other_bodies import OtherBody
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.prices import Prices, priced
from spark_tui.backends.remote.responses import ResponsesClient
from spark_tui.backends.remote.retries import SHOWN_SECONDS, USUAL_RETRIES, RetryLimits
from spark_tui.backends.remote.spark import SparkClient
from spark_tui.backends.remote.thinking_room import ThinkingRoom
from spark_tui.backends.remote.transport import ConnectionLost, Stalled, StoppedWaiting, parse_address
from spark_tui.errors import ConfigError, MalformedInput, NoBackend
from spark_tui.events import AnswerEnded, Event, Prose, Retrying, Token, Waited

Api = Literal["auto", "spark", "responses", "chat", "messages"]
Client = SparkClient | ChatClient | ResponsesClient | MessagesClient
_CLIENTS: dict[str, type[ChatClient | ResponsesClient | MessagesClient]] = {
    "chat": ChatClient,
    "responses": ResponsesClient,
    "messages": MessagesClient,
}
_SHOWN_MODELS = 8
_LIST_SECONDS = 20.0
_LATELY_SECONDS = 1.0
"""So long a server that gave no list of models is not asked for it again: several ask in one turn."""
_UNNEEDED_LIST_SECONDS = 5.0
"""The longest wait for a list of models where the model was named."""
_DEPLOYMENT = re.compile(r"/deployments/([^/]+)$")
"""The end of a path of Azure's that names the model."""
_TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\s+")


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
        stall_seconds: float = 30.0,
        first_token_seconds: float = 600.0,
        effort: str = "",
        prices: Prices = (),
        retries: RetryLimits = USUAL_RETRIES,
    ) -> None:
        """`key` None looks into the environment and the keyring. `formats`: model pattern = edit format."""
        if api not in get_args(Api):
            raise ConfigError(
                f"cannot be {api!r}", where="the API", hint="Choose one of: " + ", ".join(get_args(Api))
            )
        address = parse_address(url)
        key = find_key(address.host) if key is None else key
        self._endpoint = Endpoint(
            address, key, authority, first_token_seconds=first_token_seconds, stall_seconds=stall_seconds
        )
        self._formats = (*((formats or {}).items()), *model_formats())
        self._retries = retries
        self._effort = effort
        self._prices = prices
        if api == "messages" or (api == "auto" and presets.protocol_of(address.host) == "messages"):
            self._endpoint.key_header, self._endpoint.more_headers = messages.KEY_HEADER, messages.HEADERS
        elif header := presets.key_header_of(address.host, address.query):
            self._endpoint.key_header = header
        self._pieces = PieceIds()
        self._models: tuple[RemoteModel, ...] | None = None
        self._api: Api | None = None if api == "auto" else api
        self._client: Client | None = None
        self._room: ThinkingRoom | None = None
        self._lock = threading.Lock()
        self._stop = StopFlag()
        self._gone: tuple[float, NoBackend] | None = None
        """When the server gave no list, and why."""
        self._session = secrets.token_hex(8)
        deployment = _DEPLOYMENT.search(address.path)
        self.model = model or (deployment[1] if deployment else "")

    @property
    def name(self) -> str:
        netloc = self._endpoint.address.netloc
        return f"{netloc}/{self.model}" if self.model else netloc

    @property
    def window(self) -> int:
        """Known once the server's list was read."""
        return self._described.window

    @property
    def takes_splices(self) -> bool:
        """Known once the server's list was read."""
        return self._api == "spark" and self._described.splices

    @property
    def takes_corrections(self) -> bool:
        """Whether it may be told by itself which of its edits did not fit: a chat model may, the built-in
        model of a spark server would write the same again."""
        return self._api is not None and self._api != "spark"

    @property
    def fills_from(self) -> float | None:
        """Known once the server's list was read. spark's own server says it; a completion of others is shown
        as it comes, and a server without that endpoint is not asked."""
        if self._api == "spark":
            return self._described.fills_from
        openai = self._endpoint.address.host.lower() == "api.openai.com"
        return 0.0 if self._api == "chat" and not openai else None

    @property
    def small_window(self) -> tuple[int, int] | None:
        """Tokens and lines of one file that its model reads at a time. Known once the server's list was
        read."""
        return self._described.reads

    @property
    def _described(self) -> RemoteModel:
        """The model in the server's list; without one nothing is known of it."""
        found = (model for model in self._models or () if model.name == self.model)
        return next(found, RemoteModel(self.model))

    def recall(self, tokens: Sequence[Token]) -> None:
        """What another process was given, so that a turn of its can go on here."""
        self._pieces.learn({token.id: token.text for token in tokens})

    def models(self) -> tuple[RemoteModel, ...]:
        """The server's list of models."""
        if self._models is None:
            self._models = self._listed(needed=True)
        return self._models or ()

    def _listed(self, *, needed: bool, stop: StopFlag | None = None) -> tuple[RemoteModel, ...] | None:
        """The server's list; None where it gives none in time and none is needed. A key that it does not
        take is an error."""
        if self._gone is not None and time.monotonic() < self._gone[0] + _LATELY_SECONDS:
            raise self._gone[1]
        seconds = _LIST_SECONDS if needed else _UNNEEDED_LIST_SECONDS
        try:
            status, body = self._endpoint.get("/models", seconds, stop or StopFlag())
        except ConnectionLost as error:
            if not needed and isinstance(error, Stalled):
                return None
            gone = no_list(seconds, self.name) if isinstance(error, Stalled) else self._unreachable(error)
            self._gone = time.monotonic(), gone
            raise self._gone[1] from error
        if status != 200:
            if not needed and status != 401:
                return None
            problem = self._endpoint.problem_of(status, body)
            raise self._unreachable(problem) if isinstance(problem, ServerBusy) else problem
        if needed and isinstance(body, OtherBody):
            raise event_stream.no_api(self._endpoint, body)
        return read_models(body)

    def stop_with(self, stop: StopFlag) -> None:
        """A turn begins: until it is stopped, `format_for` may wait for the server."""
        self._stop = stop

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
        try:
            client = self._ready(self._stop)
        except StoppedWaiting:
            return "auto"  # nothing will be asked
        if isinstance(client, SparkClient):
            return self._described.format or "auto"
        bare = self.model.lower().rsplit("/", 1)[-1]
        return next(form for pattern, form in self._formats if fnmatchcase(bare, pattern.lower()))

    def count_tokens(self, text: str) -> int:
        """An estimate: words of up to six letters, marks, and runs of white space."""
        return sum(1 for _ in _TOKEN.finditer(text))

    @property
    def takes_tools(self) -> bool:
        """Whether a request may offer tools. False once the server refused them."""
        return not isinstance(self._client, SparkClient) and getattr(self._client, "takes_tools", True)

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        answer = AnswerWatch(self.name)
        lost = Waited()
        for attempt in range(self._retries.attempts):
            begun = time.perf_counter()
            try:
                if attempt:
                    yield lost
                with contextlib.closing(self._events(request, stop)) as events:
                    for event in events:
                        if cut := answer.exceeds(event, request.max_tokens):
                            event = AnswerEnded("length")
                        answer.note(event)
                        if isinstance(event, Waited):
                            event = Waited(lost.queue + event.queue, lost.network + event.network)
                        elif isinstance(event, AnswerEnded):
                            if note := full_window(event, request.max_tokens):
                                yield Prose(f"\n{note}\n")
                            event = priced(self._prices, event, self.model, answer.prompt)
                        yield event
                        if stop.is_set():
                            return
                        if cut:
                            break
                if request.kind == "edit":
                    answer.check(goes_on=bool(request.emitted or request.steps))
                return
            except StoppedWaiting:
                return
            except (ConnectionLost, ServerBusy, MalformedInput) as error:
                if answer.has_begun:
                    raise broken_off(error, self.name) from error
                if isinstance(error, MalformedInput):
                    raise
                pause = self._retries.pause(attempt, error)
                if pause is None:
                    raise self._unreachable(error) from error
                if pause >= SHOWN_SECONDS:
                    yield Retrying(round(pause, 3), str(error), attempt + 1)
                if stop.wait(pause):
                    return
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
        client = self._ready(stop)
        if isinstance(client, SparkClient):
            yield from client.stream(request, stop)
        elif request.kind == "edit" and self._room is not None:
            form, window = self.format_for(request), self._described.window
            yield from self._room.stream(request, lambda asked: client.stream(asked, stop, form), window)
        elif request.kind != "warm":
            # Servers that we did not write keep their prefix caches themselves: there is nothing to warm.
            yield from client.stream(request, stop, self.format_for(request))

    def _ready(self, stop: StopFlag | None = None) -> Client:
        with self._lock:
            return self._client or self._made(stop)

    def _made(self, stop: StopFlag | None) -> Client:
        if self._api in (None, "spark") or not self.model:
            if self._models is None:
                # Not every server has a list; a model that was named is asked without one.
                self._models = self._listed(needed=not self.model, stop=stop)
            models = self._models or ()
            if not self.model:
                if not models:
                    raise NoBackend(
                        "the server lists no models", where=self.name, hint="Choose one: --model NAME"
                    )
                if len(models) > 1 and presets.of_host(self._endpoint.address.host):
                    # The first of a provider's list may be anything.
                    some = ", ".join(sorted(model.name for model in models)[:_SHOWN_MODELS])
                    raise NoBackend(
                        f"the server has {len(models)} models",
                        where=self.name,
                        hint=f"Choose one with --model NAME: {some}, …",
                    )
                self.model = models[0].name
            of_spark = any(model.owner == "spark" for model in models)
            protocol = "spark" if of_spark else presets.protocol_of(self._endpoint.address.host)
            self._api = self._api or cast("Api", protocol)
        if self._api == "spark":
            # Behind a proxy all connections of a session have to reach the process that knows its turns.
            self._endpoint.more_headers = {"X-Session-Id": self._session}
            self._client = SparkClient(self._endpoint, self.model)
        else:
            kind = _CLIENTS.get(self._api, ChatClient)
            # The messages protocol says its budget by itself.
            self._room = self._room or ThinkingRoom("" if kind is MessagesClient else self._effort)
            self._client = kind(self._endpoint, self.model, self._pieces, self._effort)
        return self._client

    def _unreachable(self, error: ConnectionLost | ServerBusy) -> NoBackend:
        return unreachable(error, self.name, self._retries)
