"""Requests begin as the one before, and Anthropic, which keeps only what is marked, is told how far."""

import json
import threading
from itertools import pairwise

import pytest
from support.scripted_model import Answer, ScriptedModel

from spark_tui.backends.base import MAP_PATH, Exchange, FilePart, Request
from spark_tui.backends.chat_messages import opening
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
    request = {"rules": "Be brief.", "files": FILES, "tools": (READ,)}
    request |= {"history": history, "told_before": len(history)}
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


def places(history, before, size=100):
    """The numbers of the messages in which the file and the map are."""
    files = (FilePart("a.py", "x" * size), FilePart(MAP_PATH, "b.py"))
    exchanges = tuple(Exchange(f"do {number}", "y" * 30) for number in range(history))
    texts = [m["content"] for m in opening(Request("now", files, exchanges, told_before=before), "auto")]
    return tuple(next(at for at, text in enumerate(texts) if name in text) for name in ("a.py", MAP_PATH))


@pytest.mark.parametrize(
    ("history", "before", "found"),
    [
        (0, 0, (1, 1)),
        (2, 2, (1, 5)),  # shorter than the file
        (5, 5, (11, 11)),
        (7, 5, (11, 11)),  # two of them are of this turn
        (2, 9, (1, 5)),
        (5, 0, (1, 1)),
    ],
)
def test_what_changes_from_turn_to_turn_follows_the_turns_before(history, before, found):
    assert places(history, before) == found


@pytest.mark.parametrize("answer", ["", "\n"])
def test_an_answer_without_a_word_is_told_as_nothing(answer):
    [body] = bodies("messages", turn("and that", Exchange("do it", answer), steps=0)[0])
    assert [block["text"] for block in body["messages"][1]["content"]] == ["(nothing)"]
