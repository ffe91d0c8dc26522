"""The answers under `tests/cases/wire` are read alike however their bytes were cut."""

import threading
import tomllib
from pathlib import Path

import pytest
from support.event_streams import token_text
from support.queued_answers import Scripted
from test_protocols import READ, calls, connected, of, run

from spark_tui.backends.base import Request
from spark_tui.errors import SparkError
from spark_tui.events import AnswerEnded, PrefillProgress, Reasoning

CASES = {path.stem: path for path in sorted((Path(__file__).parents[2] / "cases" / "wire").glob("*.toml"))}


def answer_of(case, size):
    """The body in chunks of so many bytes."""
    body = case["body"].encode()
    headers = {"content-type": case.get("content_type", "text/event-stream"), "transfer-encoding": "chunked"}
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return 200, headers, b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("name", CASES)
def test_a_recorded_answer_is_read_as_what_it_says(name, size):
    with CASES[name].open("rb") as file:
        case = tomllib.load(file)
    upgrade = [(426, {}, b"")] if case["api"] == "responses" else []
    with Scripted(*upgrade, answer_of(case, size)) as server:
        if "fails" in case:
            backend, events = connected(server, case["api"]), []
            with pytest.raises(SparkError, match=case["fails"]):
                for event in backend.stream(Request("x", tools=(READ,)), threading.Event()):
                    events.append(event)
            assert token_text(events) == case["text"]
            backend.close()
            return
        events = run(connected(server, case["api"]), tools=(READ,))
    assert token_text(events) == case["text"]
    assert "".join(event.text for event in of(Reasoning, events)) == case["reasoning"]
    assert calls(events) == [(called, arguments, True) for called, arguments in case["calls"]]
    assert of(AnswerEnded, events) == [AnswerEnded(case["reason"], case["output"], case["thought"])]
    counted = [(event.total, event.reused) for event in of(PrefillProgress, events)]
    assert counted == ([(case["prompt"], case["cached"])] if case["prompt"] else [])
