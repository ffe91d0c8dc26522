"""The WebSocket endpoint: client events in, server events out, over one persistent connection.

    response.create  {…body of POST /v1/responses}       response.cancel {response_id}
    response.steer   {previous_response_id, input}       response.resume {response_id, starting_after}

What cannot be done is answered by an `error` event (with the client's `event_id`); the connection stays open.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from spark_tui.serve.api_errors import ApiError, from_exception, invalid
from spark_tui.serve.endpoints.http import SESSION_HEADER, parsed, problem_response
from spark_tui.serve.endpoints.known_texts import KnownTexts
from spark_tui.serve.endpoints.server_context import ServerContext
from spark_tui.serve.endpoints.ws_writer import MessageSocket, TurnWriter
from spark_tui.serve.prompts.prompt_parser import from_responses
from spark_tui.serve.rendering.renderer import new_id
from spark_tui.serve.turns.turn import ServedTurn

_PATIENCE_SECONDS = 0.02
"""After so long a turn that has said nothing says that it exists. Most have said something by then."""


class Connection:
    """One WebSocket. Each open turn has a writer for its events; reading continues meanwhile."""

    def __init__(self, context: ServerContext, socket: WebSocket, key: str) -> None:
        self._context = context
        self._registry = context.registry
        self._socket = socket
        self._key = key
        self._known = KnownTexts(context.known_texts)
        self._session = socket.headers.get(SESSION_HEADER) or new_id("session_")
        self._writers: set[TurnWriter] = set()
        self._wire: MessageSocket = socket.scope["extensions"]["spark.wire"]["wire"]
        self._wire.on_writable = self._pump
        self._wire.on_text = self.on_text
        self._wire.on_shutdown = self._leaves
        self._leaving = False
        """The server stops, and waits for the turns that are open here."""
        self._slow: asyncio.Task[None] | None = None
        self._holds = False
        """Some response was not to be stored: it is remembered for as long as the connection lasts."""
        self._readings: set[asyncio.Task[None]] = set()
        """Turns for which the reader looks for an exact edit."""
        self._later: deque[str] = deque()
        """Messages that came while one is being waited for."""

    async def serve(self) -> None:
        """Until the client leaves. Then what it was reading stops within one step, and can be resumed."""
        try:
            while True:
                # Text comes through `on_text`; what is left to receive is binary, or the end.
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                self._refuse(invalid("binary messages are not supported", None, "binary_message"), None)
        except WebSocketDisconnect:
            return
        finally:
            self._wire.on_text = self._wire.on_shutdown = None
            self._known.close()
            if self._slow is not None:
                self._slow.cancel()
            for reading in self._readings:
                reading.cancel()
            for writer in self._writers:
                writer.close()
                self._registry.vanished(writer.turn)
            if self._holds:
                self._registry.store.release(self)

    def on_text(self, text: str) -> None:
        """One message, handled before the next is looked at; where that takes waiting, reading pauses."""
        if self._slow is not None:
            self._later.append(text)
            return
        event_id: str | None = None
        try:
            event = parsed(text)
            if not isinstance(event, dict):
                raise invalid("an event must be a JSON object", None, "invalid_type")
            given = event.pop("event_id", None)
            if given is not None and not isinstance(given, str):
                raise invalid("`event_id` must be a string", "event_id", "invalid_type")
            event_id = given
            waiting = self._handle(event, event_id)
        except Exception as error:
            self._refuse(from_exception(error), event_id)
            return
        if waiting is not None:
            self._wire.pause_reading()
            self._slow = self._registry.loop.create_task(self._wait(waiting, event_id))
            # A client that leaves at once ends the task before it has begun.
            self._slow.add_done_callback(lambda _: waiting.close())

    async def _wait(self, waiting: Coroutine[Any, Any, None], event_id: str | None) -> None:
        try:
            await waiting
        except Exception as error:
            # Whatever it was: the connection goes on, for it would not be read again otherwise.
            self._refuse(from_exception(error), event_id)
        finally:
            self._slow = None
            self._close_when_left()
        self._wire.resume_reading()
        while self._later and self._slow is None:
            self.on_text(self._later.popleft())

    def _handle(self, event: dict[str, Any], event_id: str | None) -> Coroutine[Any, Any, None] | None:
        """Do it now, or give back what has to be waited for."""
        kind = event.pop("type", None)
        if kind == "response.create":
            return self._create(event, event_id)
        if kind == "response.resume":
            return self._resume(event)
        if kind == "response.cancel":
            self._registry.stop(self._named(event, "response_id"))
        elif kind == "response.steer":
            self._steer(event)
        else:
            raise invalid(f"unknown event {str(kind)[:80]!r}", "type", "unknown_event")
        return None

    def _create(self, event: dict[str, Any], event_id: str | None) -> Coroutine[Any, Any, None] | None:
        self._check_room()
        if (stopping := self._context.parser.stopping(event, self._key)) is not None:
            return self._create_behind(stopping, event, event_id)
        body = event.pop("response", None)
        body = {**body, **event} if isinstance(body, dict) else event
        parser, body = self._context.parser, self._context.routed(body, self._session)
        if body.get("spark") is not None:
            turn = parser.lean(body, self._key, self._known)
        else:
            turn = parser.responses(body, self._key, self._known, self).turn
            self._holds = self._holds or turn.holder is not None
        if self._context.may_be_exact(turn):
            # Other messages are taken meanwhile, and whether the client leaves.
            self._readings.add(self._registry.loop.create_task(self._read_and_submit(turn, event_id)))
            return None
        if self._context.surely_fits(turn):
            self._submit(turn)
            return None
        return self._count_and_submit(turn)

    async def _create_behind(self, stopping: ServedTurn, event: dict[str, Any], event_id: str | None) -> None:
        await stopping.stopped()
        if (waiting := self._create(event, event_id)) is not None:
            await waiting

    async def _read_and_submit(self, turn: ServedTurn, event_id: str | None) -> None:
        try:
            await self._context.answer_exactly(turn)
            await self._count_and_submit(turn)
        except Exception as error:
            self._refuse(from_exception(error), event_id)
        finally:
            self._readings.discard(asyncio.current_task())
            self._close_when_left()

    async def _count_and_submit(self, turn: ServedTurn) -> None:
        await self._context.fits(turn)
        self._submit(turn)

    def _submit(self, turn: ServedTurn) -> None:
        self._registry.submit(turn)
        self._follow(turn, 0)

    async def _resume(self, event: dict[str, Any]) -> None:
        self._check_room()
        turn = self._named(event, "response_id")
        after = event.get("starting_after", -1)
        if not isinstance(after, int) or isinstance(after, bool) or after < -1:
            raise invalid("`starting_after` must be a sequence number", "starting_after", "invalid_type")
        await self._registry.resume(turn, after)
        self._follow(turn, after + 1)

    def _steer(self, event: dict[str, Any]) -> None:
        """Accepted is not applied: the successor's `response.created` is. A failed steer gives its text
        back."""
        steer_id, given, before = new_id("steer_"), event.get("input"), event.get("previous_response_id")
        facts = {"steer_id": steer_id, "previous_response_id": before if isinstance(before, str) else None}
        try:
            turn = self._named(event, "previous_response_id")
            state = self._registry.steer(turn, from_responses(given, "").instruction)
        except ApiError as problem:
            self._send({"type": "response.steer.failed", **facts, "input": given, "error": problem.body()})
            return
        self._send({"type": f"response.steer.{state}", **facts})

    def _named(self, event: dict[str, Any], member: str) -> ServedTurn:
        given = event.get(member)
        if not isinstance(given, str):
            raise invalid(f"`{member}` must be a string", member, "invalid_type")
        return self._registry.store.get(given, self._key, self)

    def _leaves(self) -> bool:
        """The server stops: open turns are finished, and no other begins."""
        self._leaving = bool(self._writers or self._slow or self._readings)
        return not self._leaving

    def _done(self, writer: TurnWriter) -> None:
        self._writers.discard(writer)
        self._close_when_left()

    def _close_when_left(self) -> None:
        if self._leaving and not self._writers and not self._readings and self._slow is None:
            self._wire.shutdown()

    def _check_room(self) -> None:
        if self._leaving:
            raise ApiError(503, "shutting_down", "The server is shutting down.", retry_after=1.0)
        most = self._registry.limits.turns_per_connection
        if len(self._writers) + len(self._readings) >= most:
            raise ApiError(
                429, "too_many_turns", f"This connection already has {most} open turns.", retry_after=1.0
            )

    def _follow(self, turn: ServedTurn, after: int) -> None:
        writer = TurnWriter(self._wire, self._registry.loop, turn, after, self._done)
        self._writers.add(writer)
        if turn.log:
            writer.pump()
        elif turn.lean:
            self._registry.loop.call_later(_PATIENCE_SECONDS, turn.open_late)

    def _pump(self) -> None:
        """The client has caught up."""
        for writer in tuple(self._writers):
            writer.pump()

    def _refuse(self, problem: ApiError, event_id: str | None) -> None:
        self._context.metrics.add("spark_problems_total", code=problem.code)
        self._send({"type": "error", "status": problem.status, "event_id": event_id, "error": problem.body()})

    def _send(self, event: dict[str, Any]) -> None:
        self._wire.send_texts([json.dumps(event)])


async def endpoint(context: ServerContext, socket: WebSocket) -> None:
    """Access is checked before the upgrade, so that a refusal is a plain HTTP status."""
    try:
        key = context.access.check(socket.headers, socket.client.host if socket.client else "")
    except ApiError as problem:
        context.metrics.add("spark_problems_total", code=problem.code)
        await socket.send_denial_response(problem_response(problem))
        return
    await socket.accept()
    context.metrics.add("spark_connections_total")
    await Connection(context, socket, key).serve()
