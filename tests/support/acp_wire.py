"""A client on the wire that keeps every line of an agent and checks it against the protocol's schema."""

import asyncio
import json

from acp import schema
from pydantic import TypeAdapter

RESULTS = {
    "initialize": schema.InitializeResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/close": schema.CloseSessionResponse,
    "session/set_mode": schema.SetSessionModeResponse,
    "session/set_config_option": schema.SetSessionConfigOptionResponse,
    "session/prompt": schema.PromptResponse,
}
CALLS = {
    "session/update": schema.SessionNotification,
    "session/request_permission": schema.RequestPermissionRequest,
    "fs/read_text_file": schema.ReadTextFileRequest,
    "fs/write_text_file": schema.WriteTextFileRequest,
}
QUIET_SECONDS = 0.5
"""So long nothing comes after the last message that is expected."""


class Wire:
    """`seen` has all messages of the agent in order. Its questions are answered by `answers`, by method."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.seen, self.lines, self.sent = [], [], {}
        self.answers = {
            "session/request_permission": {"outcome": {"outcome": "selected", "optionId": "reject"}}
        }
        self._next = 0

    async def write(self, message):
        self.writer.write(json.dumps(message).encode() + b"\n")
        await self.writer.drain()

    async def notify(self, method, **params):
        await self.write({"jsonrpc": "2.0", "method": method, "params": params})

    async def send(self, method, *, message_id=None, **params):
        """The id of a request whose answer is not waited for."""
        self._next += 1
        message_id = self._next if message_id is None else message_id
        self.sent[message_id] = method
        await self.write({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})
        return message_id

    async def ask(self, method, *, message_id=None, **params):
        """The whole answer."""
        return await self.answer(await self.send(method, message_id=message_id, **params))

    async def result(self, method, **params):
        answer = await self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    async def answer(self, message_id):
        while True:
            for message in self.seen:
                if "method" not in message and message.get("id") == message_id:
                    return message
            await self.read()

    async def until(self, true):
        while not true():
            await self.read()

    async def quiet(self):
        """What comes without being asked for, until nothing comes any more."""
        before = len(self.seen)
        while True:
            try:
                await self.read(QUIET_SECONDS)
            except TimeoutError:
                return self.seen[before:]

    async def read(self, seconds=30.0):
        line = await asyncio.wait_for(self.reader.readline(), seconds)
        assert line, "the agent ended"
        self.lines.append(line)
        message = json.loads(line)
        self.seen.append(message)
        if "method" in message and "id" in message:
            answer = self.answers.get(message["method"])
            end = {"result": answer} if answer else {"error": {"code": -32601, "message": "no"}}
            await self.write({"jsonrpc": "2.0", "id": message["id"], **end})

    # -- what was seen

    def updates(self, session_id=None):
        found = [item["params"] for item in self.seen if item.get("method") == "session/update"]
        return [item["update"] for item in found if session_id in (None, item["sessionId"])]

    def methods(self):
        return {item["method"] for item in self.seen if "method" in item}

    def errors(self):
        return [item["error"] for item in self.seen if "error" in item]


def check_schema(wire):
    """Every message is valid, and has no key that the schema does not name."""
    for message in wire.seen:
        if "method" in message:
            _check(CALLS[message["method"]], message["params"])
        elif "result" in message and wire.sent[message["id"]] in RESULTS:
            _check(RESULTS[wire.sent[message["id"]]], message["result"])


def _check(model, value):
    TypeAdapter(model).validate_python(value)
    known = {one.alias or name for name, one in model.model_fields.items()}
    assert set(value) <= known, set(value) - known
