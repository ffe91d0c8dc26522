"""Messages as lines of JSON. A line that is not a message gets an error and goes no further."""

from __future__ import annotations

import asyncio
import json
from typing import Any

MOST_BYTES = 64 << 20
"""A longer line is refused. It is dropped while it arrives, so it takes no memory."""
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


class LineTransport:
    """Reads and writes messages for the SDK's connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, most_bytes: int = MOST_BYTES
    ) -> None:
        self._reader, self._writer, self._most_bytes = reader, writer, most_bytes
        self._sending = asyncio.Lock()
        self._closed = False

    async def send(self, message: dict[str, Any]) -> None:
        """Write a message; returns when the other side has room for more. Where that is gone, the message is
        dropped, and the end of the stream is received."""
        data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        async with self._sending:
            if self._closed:
                raise ConnectionError("the connection is closed")
            try:
                if not self._writer.is_closing():
                    self._writer.write(data + b"\n")
                    await self._writer.drain()
                    return
            except ConnectionError:
                pass
            # Nobody reads any more: then nobody is listened to either, and what runs is stopped.
            self._reader.set_exception(ConnectionError("the other side is gone"))

    async def receive(self) -> dict[str, Any] | None:
        """The next valid message; None at the end of the stream."""
        while True:
            line = await self._line()
            if line is None:
                return None
            if not line:
                await self._refuse(INVALID_REQUEST, f"a message has more than {self._most_bytes} bytes")
                continue
            if not line.strip():
                continue
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                await self._refuse(PARSE_ERROR, "this line is not JSON")
                continue
            problem = _problem(message) or _half_character(line, message)
            if not problem:
                return _without_meta(message)
            if not _is_answer(message):  # an answer gets no reply, not even an error
                await self._refuse(INVALID_REQUEST, problem, _id_of(message))

    async def close(self) -> None:
        self._closed = True
        self._writer.close()

    async def _line(self) -> bytes | None:
        """The next line; empty for one that is too long, None at the end."""
        parts: list[bytes] = []
        size = 0
        while True:
            try:
                part = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                part = await self._reader.readexactly(error.consumed)
            except asyncio.IncompleteReadError as error:
                # A message without its end was cut off: it is not acted on.
                del error
                return None
            except ConnectionError:
                return None
            size += len(part)
            if size <= self._most_bytes:
                parts.append(part)
            else:
                parts.clear()
            if part.endswith(b"\n"):
                return b"".join(parts) if size <= self._most_bytes else b""

    async def _refuse(self, code: int, what: str, message_id: str | int | None = None) -> None:
        error = {"code": code, "message": what}
        await self.send({"jsonrpc": "2.0", "id": message_id, "error": error})


def _problem(message: Any) -> str:
    """What makes this no message of JSON-RPC; empty for a valid one."""
    if not isinstance(message, dict):
        return "a message is an object"
    if message.get("jsonrpc") != "2.0":
        return 'a message has "jsonrpc": "2.0"'
    known = message.get("id")
    if known is not None and (isinstance(known, bool) or not isinstance(known, str | int)):
        return "an id is a string or a whole number"
    if "method" in message:
        if not isinstance(message["method"], str):
            return "a method is a string"
        if not isinstance(message.get("params", {}), dict | None):
            return "params are an object"
    elif "id" not in message:
        return "a message has a method or an id"
    elif not isinstance(message.get("error"), dict | None):
        return "an error is an object"
    return ""


def _half_character(line: bytes, message: Any) -> str:
    """What is wrong with a text that was cut inside a character: no file and no journal can have it."""
    if b"\\u" in line and "method" in message:
        try:
            json.dumps(message, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return "a text has half of a character (a lone surrogate)"
    return ""


def _is_answer(message: Any) -> bool:
    return isinstance(message, dict) and "method" not in message and bool({"result", "error"} & set(message))


def _id_of(message: Any) -> str | int | None:
    known = message.get("id") if isinstance(message, dict) else None
    return known if isinstance(known, str | int) and not isinstance(known, bool) else None


def _without_meta(message: dict[str, Any]) -> dict[str, Any]:
    """The SDK hands the keys of `_meta` on as arguments, where they would replace checked ones."""
    params = message.get("params")
    if isinstance(params, dict) and "method" in message and "_meta" in params:
        return {**message, "params": {key: value for key, value in params.items() if key != "_meta"}}
    return message
