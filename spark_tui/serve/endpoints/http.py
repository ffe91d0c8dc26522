"""HTTP endpoints: responses, chat completions, messages, completions, models, health and metrics."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from spark_tui.backends.base import Request as Ask
from spark_tui.backends.base import supports_splices
from spark_tui.errors import SparkError
from spark_tui.serve.api_errors import ApiError, from_exception, invalid
from spark_tui.serve.endpoints.request_parser import TurnRequest
from spark_tui.serve.endpoints.server_context import ServerContext
from spark_tui.serve.prompts.messages_body import as_chat
from spark_tui.serve.rendering.messages_renderer import MessagesRenderer
from spark_tui.serve.rendering.renderer import new_id
from spark_tui.serve.turns.turn import ServedTurn

MESSAGES = "/v1/messages"
Handler = Callable[[Request, str], Awaitable[Response]]
_HEADER_CHARS = 2000
SESSION_HEADER = "x-session-id"
"""Names a client's session, for proxies and canaries; without it the client's key or address does."""
_DEEPEST = 64
"""Levels of lists and objects in a body."""


def routes(context: ServerContext) -> list[Route]:
    endpoints = HttpEndpoints(context)
    table: list[tuple[str, str, Handler]] = [
        ("POST", "/v1/responses", endpoints.create),
        ("GET", "/v1/responses/{id}", endpoints.retrieve),
        ("DELETE", "/v1/responses/{id}", endpoints.delete),
        ("POST", "/v1/responses/{id}/cancel", endpoints.cancel),
        ("POST", "/v1/chat/completions", endpoints.chat),
        ("POST", MESSAGES, endpoints.messages),
        ("POST", "/v1/completions", endpoints.texts),
        ("GET", "/v1/models", endpoints.models),
        ("GET", "/v1/models/{id:path}", endpoints.model),
        ("GET", "/metrics", endpoints.metrics),
    ]
    made = [Route(path, endpoints.guarded(handler), methods=[method]) for method, path, handler in table]
    return [*made, Route("/healthz", endpoints.health, methods=["GET"])]


class HttpEndpoints:
    """Every handler takes the request and the client's key; `guarded` checks access and turns problems into
    answers."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._registry = context.registry

    def guarded(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                key = self._context.access.check(
                    request.headers, request.client.host if request.client else ""
                )
                return await handler(request, key)
            except ClientDisconnect:
                return Response(status_code=499)
            except Exception as error:
                problem = from_exception(error)
                self._context.metrics.add("spark_problems_total", code=problem.code)
                return problem_response(problem, typed=request.url.path == MESSAGES)

        return endpoint

    async def create(self, request: Request, key: str) -> Response:
        body = await self._body(request, key)
        if (stopping := self._context.parser.stopping(body, key)) is not None:
            await stopping.stopped()
        return await self._answer(request, self._context.parser.responses(body, key, {}), named=True)

    async def chat(self, request: Request, key: str) -> Response:
        return await self._answer(
            request, self._context.parser.chat(await self._body(request, key), key), named=False
        )

    async def messages(self, request: Request, key: str) -> Response:
        """Anthropic's API; a turn like one of chat completions, in other words."""
        body = await self._body(request, key)
        wanted = self._context.parser.chat(as_chat(body), key)
        wanted.turn.renderer = MessagesRenderer(new_id("msg_"), str(body.get("model") or wanted.turn.model))
        return await self._answer(request, wanted, named=True)

    async def texts(self, request: Request, key: str) -> Response:
        return await self._answer(
            request, self._context.parser.texts(await self._body(request, key), key), named=False
        )

    async def retrieve(self, request: Request, key: str) -> Response:
        """A response as it stands; with `stream=true` its events after `starting_after`, going on if it
        can."""
        turn = self._registry.store.get(request.path_params["id"], key)
        if request.query_params.get("stream") != "true":
            return AsciiJSON(turn_as_object(turn))
        after = _whole_number(request.query_params.get("starting_after", "-1"))
        await self._registry.resume(turn, after)
        return EventStream(self._context, turn, named=True, after=after + 1)

    async def delete(self, request: Request, key: str) -> Response:
        turn = self._registry.store.get(request.path_params["id"], key)
        self._registry.stop(turn)
        self._registry.store.drop(turn.id)
        return AsciiJSON({"id": turn.id, "object": "response", "deleted": True})

    async def cancel(self, request: Request, key: str) -> Response:
        turn = self._registry.store.get(request.path_params["id"], key)
        self._registry.stop(turn)
        await turn.ended()
        return AsciiJSON(turn_as_object(turn))

    async def models(self, request: Request, key: str) -> Response:
        del request, key
        return AsciiJSON({"object": "list", "data": [self._model(name) for name in self._context.names()]})

    async def model(self, request: Request, key: str) -> Response:
        del key
        name = request.path_params["id"]
        if name not in self._context.names():
            raise ApiError(404, "model_not_found", f"There is no model {name[:80]!r}.", param="model")
        return AsciiJSON(self._model(name))

    def _model(self, name: str) -> dict[str, Any]:
        backend = self._registry.backends[self._context.parser.aliases.get(name, name)]
        try:
            edit_format = backend.format_for(Ask(""))
        except SparkError:
            # A folder of recordings has the format of the one that is asked for.
            edit_format = "auto"
        return {
            "id": name,
            "object": "model",
            "created": 0,
            "owned_by": "spark",
            "context_window": backend.window,
            "edit_format": edit_format,
            "splices": supports_splices(backend),
            "fills_from": getattr(backend, "fills_from", None),
            "reads": getattr(backend, "small_window", None),
        }

    async def metrics(self, request: Request, key: str) -> Response:
        del request, key
        return PlainTextResponse(self._context.metrics.text(), media_type="text/plain; version=0.0.4")

    async def health(self, request: Request) -> Response:
        """Open to everyone who reaches the address: it says nothing but that the server answers."""
        del request
        return AsciiJSON({"status": "ok"})

    async def _body(self, request: Request, key: str) -> Any:
        """The JSON of the body, within its bounds of size and time, for the model of its session."""
        most, parts, size = self._registry.limits.message_bytes, [], 0
        too_large = ApiError(413, "body_too_large", f"The body is larger than {most} bytes.")
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > most:
            raise too_large
        coding = request.headers.get("content-encoding", "identity")
        if coding.lower() != "identity":
            raise ApiError(415, "unsupported_encoding", f"Send the body as it is, without {coding[:40]!r}.")
        try:
            async with asyncio.timeout(self._registry.limits.body_seconds):
                async for part in request.stream():
                    size += len(part)
                    if size > most:
                        raise too_large
                    parts.append(part)
        except TimeoutError as error:
            raise ApiError(408, "body_too_slow", "The body did not arrive in time.") from error
        return self._context.routed(parsed(b"".join(parts)), request.headers.get(SESSION_HEADER) or key)

    async def _answer(self, request: Request, wanted: TurnRequest, *, named: bool) -> Response:
        turn = wanted.turn
        await _while_there(request, self._context.answer_exactly(turn))
        await self._context.fits(turn)
        self._registry.submit(turn)
        headers = {"x-request-id": turn.id, "x-spark-model": _header([turn.model])}
        if wanted.ignored:
            headers["x-spark-ignored"] = _header(wanted.ignored)
        if wanted.stream:
            return EventStream(self._context, turn, named=named, headers=headers)
        if turn.background:
            return AsciiJSON(turn_as_object(turn), headers=headers)
        await self._wait(request, turn)
        outcome = turn.outcome
        if outcome is not None and outcome.problem is not None:
            raise outcome.problem
        return AsciiJSON(turn_as_object(turn), headers=headers)

    async def _wait(self, request: Request, turn: ServedTurn) -> None:
        """Until the turn has ended; a client that goes away meanwhile stops it."""
        turn.readers.append(cut_off := _cut_off(request.scope))
        try:
            await _while_there(request, turn.ended())
        finally:
            turn.readers.remove(cut_off)
            self._registry.vanished(turn)


class EventStream(StreamingResponse):
    """Server-sent events of a turn and of what follows it. The client that leaves stops it within one
    step."""

    def __init__(
        self,
        context: ServerContext,
        turn: ServedTurn,
        *,
        named: bool,
        after: int = 0,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(
            self._events(turn, after, named),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no", **(headers or {})},
        )
        self._context = context
        self._turn = turn
        self._cut_off = _nothing

    async def _events(self, turn: ServedTurn, after: int, named: bool) -> AsyncIterator[bytes]:
        while True:
            self._turn = turn
            async for messages in turn.read(after):
                yield "".join(map(_named, messages) if named else map(_data, messages)).encode()
            if turn.successor is None:
                break
            turn.readers.remove(self._cut_off)
            turn, after = turn.successor, 0
            turn.readers.append(self._cut_off)
        if not named and turn.state == "over":
            yield b"data: [DONE]\n\n"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._cut_off = _cut_off(scope)
        self._turn.readers.append(self._cut_off)
        gone = asyncio.ensure_future(_disconnected(receive))
        sent = asyncio.ensure_future(self.stream_response(send))
        try:
            await asyncio.wait({gone, sent}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not sent.done():
                sent.cancel()
            self._turn.readers.remove(self._cut_off)
            self._context.registry.vanished(self._turn)
            gone.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sent


def _cut_off(scope: Scope) -> Callable[[], None]:
    """What ends the connection of this request at once."""
    cut_off: Callable[[], None] = scope.get("extensions", {}).get("spark.abort", {}).get("call", _nothing)
    return cut_off


def _nothing() -> None:
    pass


def _header(names: Sequence[str]) -> str:
    """Names as a header can hold them; in the response they are as they came."""
    text = ", ".join(names)[:_HEADER_CHARS]
    return "".join(ch if " " <= ch <= "~" else "?" for ch in text).strip()


def turn_as_object(turn: ServedTurn) -> dict[str, Any]:
    """The answer as one object; for a turn that has not ended, the text so far."""
    if turn.outcome is not None:
        return turn.renderer.whole(turn.outcome)
    return turn.renderer.standing(turn.state)


def problem_response(problem: ApiError, *, typed: bool = False) -> Response:
    """`typed`: for clients that expect an object which says that it is an error."""
    body = {"type": "error", "error": problem.body()} if typed else {"error": problem.body()}
    return AsciiJSON(body, problem.status, headers=problem.headers())


class AsciiJSON(Response):
    """JSON that can hold any text of a client, also half of a surrogate pair."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


_NO_JSON: dict[type[Exception], str] = {
    UnicodeDecodeError: "not UTF-8",
    RecursionError: "nested too deep",
    ValueError: "a number is too long",
}


def parsed(data: bytes | str) -> Any:
    """Decoded JSON; duplicate and non-finite values are as lax as Python's, depth is not."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        what = _NO_JSON.get(type(error), error)
        raise invalid(f"the body is not JSON: {what}", None, "invalid_json") from error
    if isinstance(data, str):
        brackets = data.count("{") + data.count("[")
    else:
        brackets = data.count(b"{") + data.count(b"[")
    if brackets > _DEEPEST and _deeper(value, _DEEPEST):
        # What is echoed is nested deeper still, and must be written again.
        raise invalid(f"the body is nested deeper than {_DEEPEST} levels", None, "invalid_json")
    return value


def _deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested deeper than this many levels."""
    level = [value]
    for _ in range(levels):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        level = [item for item in inner if isinstance(item, (dict, list))]
        if not level:
            return False
    return True


def _named(message: str) -> str:
    # Every message of the Responses API begins {"type":"NAME", so its name needs no second parse.
    return f"event: {message[9 : message.index(chr(34), 9)]}\ndata: {message}\n\n"


def _data(message: str) -> str:
    return f"data: {message}\n\n"


async def _while_there(request: Request, work: Coroutine[Any, Any, object]) -> None:
    """Until the work is done; it is cancelled where its client goes away. Raises what it raises, and
    ClientDisconnect."""
    gone = asyncio.ensure_future(_disconnected(request.receive))
    done = asyncio.ensure_future(work)
    try:
        await asyncio.wait({gone, done}, return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            raise ClientDisconnect
        done.result()
    finally:
        gone.cancel()
        done.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _whole_number(text: str) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise invalid("`starting_after` must be a whole number", "starting_after", "invalid_type") from error
    if number < -1:
        raise invalid("`starting_after` must be a sequence number", "starting_after")
    return number
