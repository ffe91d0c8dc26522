"""Requests begin as the one before, and Anthropic, which keeps only what is marked, is told how far."""

import json
import threading
from itertools import pairwise

from support.scripted_model import Answer, ScriptedModel

from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.tool_calls import ToolCall, ToolResult, ToolSpec, ToolStep

READ = ToolSpec("read_file", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
FILES = (FilePart("a.py", "x = 1\n" * 50, 1, 50),)
STEPS = tuple(
    ToolStep(
        text,
        (ToolCall(f"c{number}", "read_file", f'{{"path": "{number}"}}'),),
        (ToolResult(f"c{number}", "y = 2\n" * 50),),
    )
    for number, text in enumerate(["I look. ", "", "Once more. "])
)


def blocks_of(body):
    """What a provider reads, block by block in its order, each with whether it is to be kept up to there."""
    parts = [*body["tools"], *body["system"]]
    for message in body["messages"]:
        content = message["content"]
        text = [{"type": "text", "text": content}]
        parts += [
            {**block, "role": message["role"]} for block in (content if type(content) is list else text)
        ]
    return [
        (json.dumps({**part, "cache_control": 0}, sort_keys=True), "cache_control" in part) for part in parts
    ]


def bodies(api, *requests):
    with ScriptedModel(Answer("x")) as server:
        backend = RemoteBackend(server.url, "m", key="", api=api)
        for request in requests:
            list(backend.stream(request, threading.Event()))
        backend.close()
        return server.bodies


def turn(instruction, *history, steps=3):
    request = {"rules": "Be brief.", "files": FILES, "tools": (READ,), "history": history}
    return [Request(instruction, **request, steps=STEPS[:count]) for count in range(steps + 1)]


def test_anthropic_keeps_all_that_the_request_before_had():
    first = turn("do it")
    second = turn("and that", Exchange("do it", "done", "accepted"))
    third = turn("and that", Exchange("do it", "done", "accepted"), Exchange("and that", "yes"))
    kept, left = set(), []
    for body in bodies("messages", *first, *second, *third):
        blocks = blocks_of(body)
        texts = [text for text, _ in blocks]
        marked = [at + 1 for at, (_, marks) in enumerate(blocks) if marks]
        assert len(marked) <= 4
        found = max((at for at in range(len(texts)) if tuple(texts[:at]) in kept), default=0)
        left.append(sum(map(len, texts[found:])))
        kept |= {tuple(texts[:at]) for at in marked}
    new = 700
    """Characters that a step adds."""
    assert all(size < new for at, size in enumerate(left) if at % 4), left
    assert left[8] < new, left


def test_a_chat_begins_as_the_request_before():
    sent = [json.dumps(body["messages"])[:-1] for body in bodies("chat", *turn("do it"))]
    assert all(after.startswith(before) for before, after in pairwise(sent))
