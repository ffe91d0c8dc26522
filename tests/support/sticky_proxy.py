"""A small reverse proxy: every connection of a session goes to the same server, by the header `x-session-id`.

It stands for what nginx or HAProxy do with `hash $http_x_session_id`.
"""

import contextlib
import socket
import threading
import zlib


class StickyProxy:
    """Listens on a free port. `connections` counts them by server."""

    def __init__(self, ports):
        self.ports, self.connections = ports, [0] * len(ports)
        self.sock = socket.create_server(("127.0.0.1", 0))
        self.port = self.sock.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def place_of(self, session):
        return zlib.crc32(session.encode()) % len(self.ports)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.sock.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            if not (data := client.recv(65536)):
                return
            head += data
        fields = dict(line.partition(": ")[::2] for line in head.decode("latin-1").split("\r\n"))
        names = {name.lower(): value for name, value in fields.items()}
        place = self.place_of(names.get("x-session-id", ""))
        self.connections[place] += 1
        server = socket.create_connection(("127.0.0.1", self.ports[place]))
        server.sendall(head)
        threading.Thread(target=_pipe, args=(server, client), daemon=True).start()
        _pipe(client, server)

    def close(self):
        self.sock.close()


def _pipe(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
