"""A model server of chat completions that says what a bench scripts, at a given speed, over a real socket."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_PIECE_CHARACTERS = 4
"""About a token."""


@dataclass(frozen=True)
class ScriptedCall:
    """A tool call in an answer."""

    name: str
    arguments: Mapping[str, Any]


class Stall:
    """Nothing more is sent, and the connection stays open."""


class Drop:
    """The connection is closed in the middle of the answer."""


Part = str | ScriptedCall | type[Stall] | type[Drop]


@dataclass
class ScriptedServer:
    """`answer` gives the parts of the next answer for a request's body. `prompt_tokens` has the size of each
    request, four characters a token; `written_tokens` counts what was sent."""

    answer: Callable[[dict[str, Any]], list[Part]]
    tokens_per_second: float = 0.0
    """0: as fast as the socket takes it."""
    window: int = 0
    url: str = ""
    prompt_tokens: list[int] = field(default_factory=list)
    written_tokens: int = 0
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def models(self) -> dict[str, Any]:
        return {"object": "list", "data": [{"id": "scripted", "max_model_len": self.window}]}

    def pieces(self, parts: list[Part]) -> Iterator[dict[str, Any]]:
        """What each event adds to the message."""
        calls = 0
        for part in parts:
            if isinstance(part, str):
                yield from ({"content": item} for item in _cut(part))
            elif isinstance(part, ScriptedCall):
                head = {"index": calls, "id": f"call-{time.monotonic_ns()}", "type": "function"}
                yield {"tool_calls": [{**head, "function": {"name": part.name, "arguments": ""}}]}
                for one in _cut(json.dumps(part.arguments)):
                    yield {"tool_calls": [{"index": calls, "function": {"arguments": one}}]}
                calls += 1
            elif part is Stall:
                self.closing.wait(120)
                raise BrokenPipeError
            else:
                raise BrokenPipeError


def _cut(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE_CHARACTERS] for at in range(0, len(text), _PIECE_CHARACTERS))


@contextmanager
def scripted_server(server: ScriptedServer) -> Iterator[ScriptedServer]:
    """Serve until the block ends; `server.url` is the address."""

    class Handler(_Handler):
        owner = server

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: ScriptedServer

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        data = json.dumps(self.owner.models).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        server, body = self.owner, json.loads(raw)
        told = json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False)
        server.prompt_tokens.append(len(told) // _PIECE_CHARACTERS)
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        parts = server.answer(body)
        called = any(isinstance(part, ScriptedCall) for part in parts)
        with contextlib.suppress(OSError):
            due = time.monotonic()
            for delta in server.pieces(parts):
                if server.tokens_per_second:
                    due += 1 / server.tokens_per_second
                    time.sleep(max(due - time.monotonic(), 0.0))
                self._event({"delta": delta, "finish_reason": None})
                server.written_tokens += 1
            self._event({"delta": {}, "finish_reason": "tool_calls" if called else "stop"})
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, choice: dict[str, Any]) -> None:
        event = {"object": "chat.completion.chunk", "choices": [{"index": 0, **choice}]}
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()
