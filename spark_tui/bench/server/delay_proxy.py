"""A TCP proxy with a chosen delay: every byte arrives half a round trip later, and opening a connection takes
one round trip more.

`python -m spark_tui.bench.server.delay_proxy TARGET_PORT MILLISECONDS` prints its port, and that of an echo
server behind the same delay.

A connection to this machine is open at once; over a network it takes a round trip. So what a client sends
first waits for that one too. Each direction has a thread that sleeps until a piece is due: an event loop's
timers are a millisecond coarse, which would be counted as the server's.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

_PIECE_BYTES = 1 << 16
_Due = tuple[float, bytes]


def carry(source: socket.socket, target: socket.socket, seconds: float, first_extra: float) -> None:
    """One direction, until its source ends."""
    pieces: SimpleQueue[_Due] = SimpleQueue()

    def deliver() -> None:
        with contextlib.suppress(OSError):
            while True:
                due, data = pieces.get()
                # Sleeping ends a little late, so the last stretch is a busy wait.
                wait = due - time.monotonic()
                if wait > 0.0003:
                    time.sleep(wait - 0.0002)
                while time.monotonic() < due:
                    pass
                if not data:
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(data)

    writer = threading.Thread(target=deliver, daemon=True)
    writer.start()
    extra = first_extra
    try:
        while data := source.recv(_PIECE_BYTES):
            pieces.put((time.monotonic() + seconds + extra, data))
            extra = 0.0
    except OSError:
        pass
    pieces.put((time.monotonic() + seconds, b""))
    writer.join()


def connect(client: socket.socket, target_port: int, round_trip: float) -> None:
    """Both directions of one connection."""
    with contextlib.suppress(OSError), client, socket.create_connection(("127.0.0.1", target_port)) as server:
        for side in (client, server):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=carry, args=(server, client, round_trip / 2, 0.0), daemon=True)
        back.start()
        carry(client, server, round_trip / 2, round_trip)
        back.join()


def echo(client: socket.socket) -> None:
    with contextlib.suppress(OSError), client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := client.recv(_PIECE_BYTES):
            client.sendall(data)


def main() -> None:
    target_port, round_trip = int(sys.argv[1]), float(sys.argv[2]) / 1000

    def listening() -> socket.socket:
        return socket.create_server(("127.0.0.1", 0))

    through, bare, echoing = listening(), listening(), listening()

    def accept(listener: socket.socket, serve: Callable[..., None], *more: object) -> None:
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client, *more), daemon=True).start()

    bare_port = bare.getsockname()[1]
    for listener, words in ((bare, (echo,)), (echoing, (connect, bare_port, round_trip))):
        threading.Thread(target=accept, args=(listener, *words), daemon=True).start()
    print(through.getsockname()[1], echoing.getsockname()[1], flush=True)
    # The parent closes our stdin when it is done.
    threading.Thread(target=accept, args=(through, connect, target_port, round_trip), daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
