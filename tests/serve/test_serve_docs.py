"""`docs/serve.md` names every event, member and metric that the server sends, and nothing that it does
not."""

import json
import re
from pathlib import Path

import pytest
from support.http_client import ask
from support.serving import Counting, Raw, Saying, serving, until

from spark_tui.backends import request_codec
from spark_tui.errors import NoBackend
from spark_tui.events import Doubt, PrefillProgress, Token
from spark_tui.serve.endpoints import request_parser
from spark_tui.serve.limits import ServerLimits
from spark_tui.serve.prompts import messages_body

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
ENDS = ("response.completed", "response.incomplete", "response.failed", "error")
FILE = {"type": "input_file", "filename": "a.py", "file_data": "x = 1\ny = 2\n"}
EDIT = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n```\n"


def table(head):
    """First cell and the words in backticks of the others, of each row of the table with this head."""
    lines = PAGE.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"| {head} |"))
    found = []
    for line in lines[at + 2 :]:
        if not line.startswith("| "):
            return found
        first, rest = line.strip("| ").split(" | ", 1)
        found.append((re.findall(r"`([^`]+)`", first), rest))
    return found


def named_between(start, end):
    """What stands in backticks in the first cells of the rows of that part."""
    part = PAGE[PAGE.index(start) : PAGE.index(end)]
    cells = [line.strip("| ").split(" | ", 1)[0] for line in part.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def documented(head):
    """Event: its members and which of them may be missing."""
    out = {}
    for (name,), rest in table(head):
        said = re.findall(r"`([^`]+)`(\??)", re.sub(r"\([^)]*\)", "", rest.split(":")[0].split(", only")[0]))
        out[name] = ({member for member, mark in said if not mark}, {member for member, mark in said if mark})
    return out


class Everything(Counting):
    """Reads in two steps, writes, doubts."""

    def stream(self, request, stop):
        while not self.gate.wait(0.005):
            if stop.is_set():
                return
        yield PrefillProgress(5, 10, 1)
        yield PrefillProgress(10, 10, 1)
        for number in range(request.max_tokens):
            yield Token(number, f"{number} ")
            if number == 1:
                yield Doubt(1, 0.25, "unsure")
                yield Doubt(1, 0.0, "breaks b.py:3: imports f, which a.py no longer has", "b.py", 3)


def spoken(lean):
    """Every event that a server of ours sends to one kind of client, as far as it can be brought to."""
    seen = []

    def body(words="go", **more):
        if lean:
            return {"spark": {"instruction": words, "max_tokens": more.pop("max_output_tokens", 4), **more}}
        return {"input": words, "max_output_tokens": 4, **more}

    def hear(client, *until_types):
        seen.extend(client.until(*until_types))
        return seen[-1]

    backend = Everything()
    with serving(backend, limits=ServerLimits(active=1, queued=4)) as live:
        client = Raw(live)
        client.send(type="response.create", **body())
        hear(client, *ENDS)
        client.send(type="response.create", previous_response_id="resp_unknown", **body())
        hear(client, "error")
        # One runs and is held, another waits and is steered, the first is steered and its steer comes too
        # late.
        backend.gate.clear()
        client.send(type="response.create", **body(max_output_tokens=9))
        first = hear(client, "response.created")["response"]["id"]
        client.send(type="response.create", **body("second"))
        second = hear(client, "response.queued")["response"]["id"]
        client.send(type="response.steer", previous_response_id=second, input="other")
        hear(client, "response.steer.pending")
        client.send(type="response.steer", previous_response_id=first, input="more")
        hear(client, "response.steer.accepted")
        until(lambda: len(live.context.registry.running) == 1 and live.context.registry.queue.waiting)
        backend.gate.set()
        ended = 0
        while ended < 4:
            ended += hear(client, *ENDS)["type"] in ENDS
        client.send(type="response.steer", previous_response_id=first, input="late")
        hear(client, "response.steer.failed")
    with serving(Counting(error=NoBackend("gone"), error_at=1)) as live:
        client = Raw(live)
        client.send(type="response.create", **body())
        hear(client, *ENDS)
    with serving(Saying("said", format="search_replace")) as live:
        client = Raw(live)
        client.send(type="response.create", **body())
        hear(client, *ENDS)
    if not lean:
        with serving(Saying(EDIT)) as live:
            client = Raw(live)
            content = [FILE, {"type": "input_text", "text": "set x to 3"}]
            tools = [{"type": "custom", "name": "apply_patch"}]
            client.send(type="response.create", input=[{"role": "user", "content": content}], tools=tools)
            hear(client, *ENDS)
    return seen


ALWAYS = ("error", "response.steer.accepted", "response.steer.pending", "response.steer.failed")


@pytest.mark.parametrize("lean", [False, True], ids=["any client", "spark's own"])
def test_every_event_has_the_members_that_are_documented_and_every_documented_one_is_sent(lean):
    table_of_all = documented("event")
    wanted = (
        {**documented("event to spark"), **{n: table_of_all[n] for n in ALWAYS}} if lean else table_of_all
    )
    names = set()
    for event in spoken(lean):
        names.add(event["type"])
        needed, may = wanted[event["type"]]
        members = event.keys() - {"type"}
        if event["type"] not in ALWAYS:
            assert isinstance(event["sequence_number"], int)
            members -= {"sequence_number"}
        assert needed <= members <= needed | may, event
        if lean and event["type"] in ENDS and "response" in event:
            assert event["response"].keys() - {"incomplete_details", "error"} == {"id", "status", "waited"}
    assert names == set(wanted)


def test_a_response_and_an_error_have_what_is_documented():
    said = re.search(r"A `response` has (.*?)\. An `error` has (.*?)\.\n", PAGE, re.DOTALL)
    response, error = (set(re.findall(r"`([^`]+)`", part)) for part in said.groups())
    with serving(limits=ServerLimits(active=1, queued=0)) as live:
        whole = json.loads(
            ask(live, "POST", "/v1/responses", {"input": "x", "max_output_tokens": 1, "brand_new": 1})[2]
        )
        assert whole.keys() <= response
        assert whole["spark_ignored"] == ["brand_new"]
        more = {"instructions": "r", "metadata": {}, "temperature": 0.5, "background": False, "tools": []}
        whole |= json.loads(
            ask(live, "POST", "/v1/responses", {"input": "x", "max_output_tokens": 1, **more})[2]
        )
        assert whole.keys() == response
        live.backend.hold(at=0)
        client = Raw(live)
        client.send(type="response.create", input="x")
        client.until("response.created")
        told = [json.loads(ask(live, "POST", "/v1/responses", {"input": "x"})[2])["error"]]
        told += [json.loads(ask(live, "POST", "/v1/responses", {"input": "x " * 5000})[2])["error"]]
        live.backend.gate.set()
    assert set().union(*told) == error


def test_a_model_of_the_list_has_what_is_documented():
    with serving() as live:
        (row,) = json.loads(ask(live, "GET", "/v1/models")[2])["data"]
    assert row.keys() == named_between("## Members of a model", "## Members of a request")


def test_every_member_of_a_request_is_documented():
    assert named_between("### spark's own client", "| event to spark |") == request_codec.MEMBERS
    endpoints = {names[0]: set(re.findall(r"`([^`]+)`", rest)) for names, rest in table("endpoint")}
    assert endpoints == {
        "/v1/responses": request_parser._RESPONSES,
        "/v1/chat/completions": request_parser._CHAT,
        "/v1/messages": messages_body.MEMBERS,
        "/v1/completions": request_parser._TEXTS,
    }


def test_every_metric_is_documented():
    with serving() as live:
        text = ask(live, "GET", "/metrics")[2]
    assert named_between("## Metrics", "## Many at once") == set(
        re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)
    )
