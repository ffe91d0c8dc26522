"""A server in this process, and a backend that behaves like an engine: for tests of both ends of a
connection."""

import asyncio
import contextlib
import json
import shutil
import socket
import subprocess
import threading
import time
from types import SimpleNamespace

import pytest
import uvicorn.server
from websockets.frames import Frame, Opcode

from spark_tui.events import PrefillProgress, Token
from spark_tui.serve.access import Access
from spark_tui.serve.app import make_app
from spark_tui.serve.limits import ServerLimits
from spark_tui.serve.server import listen, make_server

WAIT_SECONDS = 60.0
LOOKS_SECONDS = 0.005
# uvicorn looks ten times a second whether it shall end, and whether all have gone; tests end hundreds of
# servers.
uvicorn.server.asyncio = SimpleNamespace(
    **{**vars(asyncio), "sleep": lambda seconds: asyncio.sleep(min(seconds, LOOKS_SECONDS))}
)


class Counting:
    """Writes `0 1 2 …`, one word a step, and goes on after `emitted`. From word `hold_at` on it waits at its
    gate."""

    window = 4096

    def __init__(self, name="counting", *, format="search_replace", error=None, error_at=0, pace=0.0):
        self.name, self.format, self.error, self.error_at, self.pace = name, format, error, error_at, pace
        self.gate = threading.Event()
        self.gate.set()
        self.hold_at = 0
        self.requests, self.steps, self.running, self.most_running = [], 0, 0, 0
        self.lock = threading.Lock()

    def format_for(self, request):
        return self.format

    def stream(self, request, stop):
        with self.lock:
            self.requests.append(request)
            self.running += 1
            self.most_running = max(self.running, self.most_running)
        try:
            total = self.count_tokens(request.instruction) + sum(
                self.count_tokens(f.text) for f in request.files
            )
            yield PrefillProgress(total, total, 1)
            first = len(request.emitted)
            if request.kind == "warm":
                return
            for number in range(first, first + request.max_tokens):
                while number >= self.hold_at and not self.gate.wait(0.005):
                    if stop.is_set():
                        return
                if stop.is_set() or (self.pace and stop.wait(self.pace)):
                    return
                if self.error is not None and number >= self.error_at:
                    raise self.error
                self.steps += 1
                yield Token(1000 + number, f"{number} ", drafted=number % 2 == 1)
        finally:
            with self.lock:
                self.running -= 1

    def hold(self, at):
        self.hold_at = at
        self.gate.clear()

    def count_tokens(self, text):
        return len(text.split())

    def close(self):
        pass


class Saying(Counting):
    """Says a given text, three characters a token."""

    def __init__(self, text, format="search_replace"):
        super().__init__("saying", format=format)
        self.text = text

    def stream(self, request, stop):
        self.requests.append(request)
        for at in range(0, len(self.text), 3):
            if stop.is_set():
                return
            yield Token(at, self.text[at : at + 3])


class Live:
    """A running server. `context` is its inside, to be looked at only."""

    def __init__(
        self,
        backend,
        *,
        limits=None,
        tokens=(),
        origins=(),
        aliases=None,
        port=0,
        canary_share=0.0,
        **server,
    ):
        self.backend = backend
        self.clients = []
        limits = limits or ServerLimits()
        names = backend if isinstance(backend, dict) else {backend.name.replace(" ", "-"): backend}
        self.app = make_app(
            names,
            aliases=aliases,
            limits=limits,
            access=Access("127.0.0.1", tokens, origins),
            canary_share=canary_share,
        )
        self.sock = listen("127.0.0.1", port)
        self.port = self.sock.getsockname()[1]
        self.tls = bool(server.get("certificate"))
        self.server = make_server(self.app, limits, **server)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        until(lambda: self.server.started)

    def _run(self):
        asyncio.run(self.server.serve(sockets=[self.sock]))

    @property
    def context(self):
        return self.app.state.server_context

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/v1"

    def _cut(self, done):
        for connection in tuple(self.server.server_state.connections):
            connection.transport.abort()
        # The sockets are closed in the next round of the loop, which may be its last.
        asyncio.get_running_loop().call_soon(done.set)

    def stop(self, *, rude=False):
        """`rude`: without waiting for anyone, as a killed server goes."""
        if rude:
            cut = threading.Event()
            self.context.registry.loop.call_soon_threadsafe(self._cut, cut)
            assert cut.wait(WAIT_SECONDS)
        self.server.force_exit = rude
        self.server.should_exit = True
        self.thread.join(WAIT_SECONDS)
        assert not self.thread.is_alive()
        self.sock.close()


@contextlib.contextmanager
def serving(backend=None, **options):
    live = Live(backend if backend is not None else Counting(), **options)
    try:
        yield live
    finally:
        for client in live.clients:
            client.close()
        if live.thread.is_alive():
            live.stop()


def make_certificate(folder):
    """Paths of a self-signed certificate for this machine, and of its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    certificate, key = str(folder / "cert.pem"), str(folder / "key.pem")
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run([*words.split(), *names], check=True, capture_output=True)
    return certificate, key


def until(holds, seconds=WAIT_SECONDS):
    """Wait for a condition, never for a time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(0.002)


class Raw:
    """A WebSocket client of the tests: sends any bytes, also a wrong frame. `status` is the handshake's."""

    def __init__(self, live, headers=None, path="/v1/responses"):
        from spark_tui.backends.remote.transport import Address, Connection
        from spark_tui.backends.remote.websocket_client import ClientWebSocket, UpgradeRefused

        self.connection = Connection(socket.create_connection(("127.0.0.1", live.port), WAIT_SECONDS))
        address = Address(False, "127.0.0.1", live.port, "")
        self.status = 101
        try:
            self.socket = ClientWebSocket.open(
                self.connection, address, path, headers=headers or {}, stop=None
            )
        except UpgradeRefused as refused:
            self.status = refused.status
        live.clients.append(self)

    def send(self, **event):
        self.socket.send(json.dumps(event))

    def next(self):
        return json.loads(self.socket.receive(None, WAIT_SECONDS))

    def until(self, *kinds):
        """All events up to the first of these kinds."""
        seen = [self.next()]
        while seen[-1]["type"] not in kinds:
            seen.append(self.next())
        return seen

    def turn(self, **body):
        self.send(type="response.create", **body)
        return self.until("response.completed", "response.incomplete", "response.failed", "error")

    def close(self):
        self.connection.close()


def text_of(events):
    return "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")


def client_frame(opcode, data, *, final=True):
    """One masked WebSocket frame of any kind, as a client sends it."""
    return Frame(Opcode(opcode), data, final).serialize(mask=True)
