"""Every member of every request, replaced by values that no client should send: a 400 with words, never a
crash."""

import json

import pytest
from support.http_client import ask
from support.serving import Counting, Raw, serving
from support.tiny_models import spark_backend

from spark_tui.serve.batching.batch_engine import BatchEngine
from spark_tui.serve.limits import ServerLimits

FILE = {
    "type": "input_file",
    "filename": "a.py",
    "file_data": "x = 1\ny = 2\n",
    "selection": [1, 2],
    "cursor": 1,
}
TALK = [
    {"role": "system", "content": "be brief"},
    {"role": "user", "content": [{"type": "input_text", "text": "rename x to z"}, FILE]},
]
COMMON = {
    "stream": False,
    "stream_options": {"include_usage": True, "spark_split": False},
    "temperature": 0.5,
    "seed": 7,
    "prediction": {"type": "content", "content": [{"type": "text", "text": "z = 1\n"}]},
}
SPARK = {
    "instruction": "rename x to z",
    "rules": "be brief",
    "steer": "",
    "kind": "edit",
    "format": "auto",
    "files": [["a.py", 1, 2, "8353afe579a16d27abc038055bf71345", "x = 1\ny = 2\n"]],
    "history": [["one", "two", "kept"]],
    "selection": [1, 2],
    "cursor": 1,
    "prefix": "",
    "suffix": "",
    "known": [[1, 2, ["z = 1"]]],
    "prediction": "z = 1\n",
    "emitted": [3, 4],
    "spliced": [[[3, 4], "no"]],
    "stop_texts": ["stop"],
    "max_tokens": 2,
    "temperature": 0.5,
    "seed": 7,
    "follow": False,
    "outcome": "",
}
BODIES = {
    "/v1/responses": {
        "model": "tiny",
        "input": TALK,
        "instructions": "be brief",
        "previous_response_id": None,
        "max_output_tokens": 2,
        "tools": [{"type": "custom", "name": "apply_patch"}],
        "tool_choice": "auto",
        "text": {"format": {"type": "text"}, "verbosity": "low"},
        "background": False,
        "store": True,
        "metadata": {"a": "b"},
        "generate": True,
        **COMMON,
    },
    "/v1/chat/completions": {
        "model": "tiny",
        "messages": TALK,
        "max_tokens": 2,
        "max_completion_tokens": 2,
        "tools": [{"type": "function", "function": {"name": "x", "parameters": {}}}],
        "tool_choice": {"type": "auto"},
        "response_format": {"type": "text"},
        "stop": ["a"],
        "n": 1,
        **COMMON,
    },
    "/v1/completions": {
        "model": "tiny",
        "prompt": "x = ",
        "suffix": "\ny",
        "max_tokens": 2,
        "stop": ["a"],
        "n": 1,
        "echo": True,
        "best_of": 1,
        **COMMON,
    },
    "lean": {
        "model": "tiny",
        "stream": False,
        "background": False,
        "previous_response_id": None,
        "spark": SPARK,
    },
    "event": {"event_id": "e", "response": {}, "previous_response_id": "resp_x", "response_id": "resp_x"},
}
DEEP = json.loads("[" * 900 + "]" * 900)
VALUES = [
    None,
    True,
    5,
    -1,
    0,
    10**9,
    10**30,
    10**400,
    0.5,
    1e300,
    float("nan"),
    "",
    "z",
    "\ud800\0\r\n",
    "z" * 3000,
    "[" * 3000,
    [],
    [5],
    [[]],
    ["\ud800"],
    [None],
    {},
    {"a": 5},
    {"type": 5},
    [{"type": "text", "text": 5}],
    DEEP,
]


SHARES = pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.slow)], ids=["third", "all"])
"""Each place is given every third value, and another third than the place before it."""


def places(value, path=()):
    """Paths of all values inside the value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from places(inner, (*path, name))


def places_and_values(body, share):
    """Paths of the values inside the body, each with what is put there instead."""
    for number, place in enumerate(places(body)):
        for value in VALUES[number % share :: share]:
            yield place, value


def put(value, path, instead):
    """A copy of the value with something else at that path."""
    if not path:
        return instead
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], instead)
    return copy


@pytest.fixture(autouse=True)
def no_errors(caplog):
    """Nothing fails after the scenes either: the log has no traceback."""
    yield
    assert [
        record.getMessage() for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")
    ] == []


@pytest.fixture(scope="module", params=["counting", "built in"])
def live(request):
    backend = Counting("tiny") if request.param == "counting" else BatchEngine(spark_backend(3))
    with serving({"tiny": backend}, limits=ServerLimits(output_tokens=20)) as server:
        yield server
    backend.close()


@SHARES
@pytest.mark.parametrize("endpoint", [endpoint for endpoint in BODIES if endpoint != "event"])
def test_no_value_of_any_member_breaks_the_server(live, endpoint, share):
    body = BODIES[endpoint]
    path = "/v1/responses" if endpoint == "lean" else endpoint
    assert ask(live, "POST", path, json.dumps(body))[0] == 200
    for place, value in places_and_values(body, share):
        status, _, text = ask(live, "POST", path, json.dumps(put(body, place, value)))
        assert status < 500, (place, value, text)
        if status >= 400:
            assert json.loads(text)["error"]["message"], (place, value)


@SHARES
@pytest.mark.parametrize("kind", ["response.create", "response.steer", "response.cancel", "response.resume"])
def test_no_value_of_any_member_breaks_the_lasting_connection(live, kind, share):
    client = Raw(live)
    bodies = [BODIES["event"]]
    if kind == "response.create":
        bodies = [BODIES["lean"], BODIES["/v1/responses"]]
    for body in bodies:
        whole = {"type": kind, **body}
        for place, value in places_and_values(whole, share):
            event = put(whole, place, value)
            client.send(**event) if isinstance(event, dict) else client.socket.send(json.dumps(event))
            seen = client.until(
                "response.completed",
                "response.incomplete",
                "response.failed",
                "error",
                "response.steer.failed",
            )[-1]
            error = seen.get("error") or seen.get("response", {}).get("error") or {}
            assert error.get("code") != "internal_error", (place, value, seen)
