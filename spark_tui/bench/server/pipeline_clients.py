"""The two clients that `spark bench pipeline` compares, each as a conversation of turns.

*Plain*: a new TLS 1.3 connection a turn, the whole history, server-sent events, one event a token, standard
JSON, over the standard library's HTTP client and decoder, which do less work than a common SDK. *Lasting*:
`backends.remote.backend` as the workbench uses it: one connection, opened and with the file read before the
first prompt is sent.
"""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from typing import Any

from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.http_client import sse_data
from spark_tui.backends.remote.transport import tls_context
from spark_tui.errors import NoBackend
from spark_tui.events import Token

_READ_BYTES = 1 << 16


TurnResult = tuple[float, str]
"""Of one turn, as the client sees it: seconds to the first text (0 where none came), and the text."""


class RequestPerTurn:
    """One HTTP request a turn."""

    name = "plain"

    def __init__(self, port: int, authority: str, file: FilePart) -> None:
        self._port = port
        # Clients keep their trust store; loading it at each turn would be an unfair handicap.
        self._context = tls_context(authority)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_3
        shown = f"{file.path}\n```\n{file.text}```\n"
        self._items: list[dict[str, Any]] = [{"role": "user", "content": shown}]

    def prepare(self) -> None:
        """A plain client has nothing to do before its first turn."""

    def turn(self, instruction: str, max_tokens: int) -> TurnResult:
        if len(self._items) == 1:
            self._items[0]["content"] += "\n" + instruction
        else:
            self._items.append({"role": "user", "content": instruction})
        body = {
            "model": "bench",
            "input": self._items,
            "stream": True,
            "max_output_tokens": max_tokens,
            "stream_options": {"spark_split": True},
        }
        began, first, parts = time.perf_counter(), 0.0, list[str]()
        link = http.client.HTTPSConnection("127.0.0.1", self._port, timeout=30.0, context=self._context)
        try:
            data = json.dumps(body, separators=(",", ":"))
            link.request("POST", "/v1/responses", data, {"Content-Type": "application/json"})
            answer = link.getresponse()
            if answer.status != 200:
                raise NoBackend(f"the server answered {answer.status}")
            for text in sse_data(iter(lambda: answer.read1(_READ_BYTES), b"")):
                event = json.loads(text)
                if event["type"] == "response.output_text.delta":
                    first = first or time.perf_counter()
                    parts.append(event["delta"])
        finally:
            link.close()
        self._items.append({"role": "assistant", "content": "".join(parts)})
        return first - began if first else 0.0, "".join(parts)

    def close(self) -> None:
        """Every connection is closed already."""


class LastingConnection:
    """One connection for the whole conversation."""

    name = "lasting"

    def __init__(self, port: int, authority: str, file: FilePart) -> None:
        self._backend = RemoteBackend(f"https://127.0.0.1:{port}/v1", key="", authority=authority)
        self._file = file
        self._history: tuple[Exchange, ...] = ()
        self._stop = threading.Event()

    def prepare(self) -> None:
        """What happens while a person still types."""
        self._backend.warm_up()
        list(self._backend.stream(Request("", files=(self._file,), kind="warm"), self._stop))

    def turn(self, instruction: str, max_tokens: int) -> TurnResult:
        request = Request(instruction, files=(self._file,), history=self._history, max_tokens=max_tokens)
        began, first, parts = time.perf_counter(), 0.0, list[str]()
        for event in self._backend.stream(request, self._stop):
            if isinstance(event, Token) and event.text:
                # A piece of half a character is no text yet; a plain client does not see it either.
                first = first or time.perf_counter()
                parts.append(event.text)
        text = "".join(parts)
        self._history = (*self._history, Exchange(instruction, text))
        return first - began if first else 0.0, text

    def close(self) -> None:
        self._backend.close()


Arm = type[RequestPerTurn] | type[LastingConnection]
ARMS: tuple[Arm, ...] = (RequestPerTurn, LastingConnection)
