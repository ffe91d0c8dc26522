"""A model server that answers by script, over real sockets, in the protocol of the path that it is asked at.

    with ScriptedModel(Answer("hello"), Answer(Call("read_file", '{"path": "a.py"}'))) as server:
        RemoteBackend(server.url, "m", key="", api="messages")

Chat completions, Responses (server-sent events and WebSocket) and Messages say one script, each in its own
words. The stalls, drops and broken pieces of a script are the socket's.
"""

import contextlib
import json
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from support.wire_words import ENCODERS
from websockets.frames import Frame, Opcode
from websockets.utils import accept_key


@dataclass(frozen=True)
class Think:
    """A piece of reasoning."""

    text: str


@dataclass(frozen=True)
class Call:
    """A tool call; its arguments arrive in pieces of so many characters. Calls side by side are parallel."""

    name: str
    arguments: str = "{}"
    id: str = ""
    piece: int = 7
    whole: bool = True
    """Whether the call is ended; a cut one is followed by a drop or a stall."""
    namespace: str = ""
    """Codex CLI keeps the tools of a server apart from its own by one."""


@dataclass(frozen=True)
class Raw:
    """Bytes as they are, in place of an event."""

    data: bytes


STALL, DROP = object(), object()
"""Send nothing more and keep the connection; close it in the middle."""


@dataclass
class Answer:
    """One answer: texts, `Think`, `Call`, `Raw`, `STALL`, `DROP`. A status other than 200 is a refusal."""

    steps: tuple
    status: int = 200
    headers: dict = field(default_factory=dict)
    body: object = None
    reason: str = "stop"
    whole: bool = False
    """Whether it is one JSON object, though a stream was asked for."""
    usage: tuple = (20, 5, 7, 3)
    """Tokens of the prompt, of it cached, of the answer, of it reasoning."""

    def __init__(self, *steps, **members):
        self.steps, self.headers, self.body = steps, {}, None
        for name, value in members.items():
            setattr(self, name, value)

    @property
    def said(self):
        return "".join(step for step in self.steps if isinstance(step, str))


def refuse(status, body=None, **headers):
    """A refusal, with headers such as `retry_after="7"`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, body=body if body is not None else {}, headers=named)


class ScriptedModel:
    """Answers with the next of its script, in the end always the last. `asked`: path, headers and body."""

    def __init__(self, *answers, models=("m",), websocket=False):
        self.answers, self.asked, self.closing = list(answers), [], threading.Event()
        self.models, self.websocket = models, websocket
        self._lock = threading.Lock()
        outer = self

        class Handler(_Handler):
            owner = outer

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def bodies(self):
        return [body for _, _, body in self.asked if body is not None]

    def next_answer(self, body):
        """For a request with this body; an agent's own questions (a title) may come in between."""
        with self._lock:
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        if "websocket" in (self.headers.get("upgrade") or ""):
            self._upgraded()
            return
        self.owner.asked.append((self.path, dict(self.headers), None))
        if self.owner.models is None:
            self._send(404, {}, {"detail": "Not Found"})
        elif self.owner.models == "hang":
            self.owner.closing.wait(30)
            self.close_connection = True
        else:
            self._send(
                200,
                {},
                {
                    "object": "list",
                    "data": [name if isinstance(name, dict) else {"id": name} for name in self.owner.models],
                },
            )

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        self.owner.asked.append((self.path, dict(self.headers), body))
        answer = self.owner.next_answer(body)
        place = urlsplit(self.path).path
        encoder = next(made for end, made in ENCODERS.items() if place.endswith(end))(body, answer)
        if answer.status != 200:
            self._send(answer.status, answer.headers, answer.body)
        elif answer.whole or not body.get("stream"):
            self._send(200, {}, encoder.whole())
        else:
            self.close_connection = True
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            with contextlib.suppress(OSError):
                self._stream(answer, encoder, lambda event: self.wfile.write(encoder.line(event)))
                self.wfile.write(encoder.last_line)

    def _send(self, status, headers, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer, encoder, send):
        for event in encoder.begin():
            send(event)
        for step in answer.steps:
            if step is STALL:
                self.owner.closing.wait(30)
                raise BrokenPipeError
            if step is DROP:
                raise BrokenPipeError
            if isinstance(step, Raw):
                self.wfile.write(step.data)
                continue
            for event in encoder.events(step):
                send(event)
        for event in encoder.end():
            send(event)

    def _upgraded(self):
        self.close_connection = True
        if not self.owner.websocket:
            self._send(426, {}, {"error": {"message": "no WebSocket here"}})
            return
        accept = accept_key(self.headers["sec-websocket-key"])
        head = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        self.wfile.write(f"HTTP/1.1 101 Switching Protocols\r\n{head}".encode())
        with contextlib.suppress(OSError):
            while (body := self._message()) is not None:
                self.owner.asked.append((self.path, dict(self.headers), body))
                answer = self.owner.next_answer(body)
                encoder = ENCODERS["/responses"](body, answer)
                if answer.status != 200:
                    facts = {"type": "error", "status": answer.status, **answer.body}
                    self._frame(facts)
                    continue
                self._stream(answer, encoder, self._frame)

    def _frame(self, event):
        data = json.dumps(event).encode()
        self.wfile.write(Frame(Opcode.TEXT, data).serialize(mask=False))

    def _message(self):
        """The next JSON message of the client; None where it closes."""
        head = self.rfile.read(2)
        if len(head) < 2 or head[0] & 15 == 8:
            return None
        size = head[1] & 127
        if size >= 126:
            size = int.from_bytes(self.rfile.read(2 if size == 126 else 8), "big")
        mask = self.rfile.read(4)
        data = self.rfile.read(size)
        key = struct.unpack("4B", mask)
        return json.loads(bytes(byte ^ key[at % 4] for at, byte in enumerate(data)))
