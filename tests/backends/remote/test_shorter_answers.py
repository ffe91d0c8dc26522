"""Where prompt and answer together are longer than the window, a shorter answer is asked for."""

import threading

import pytest
from support.event_streams import token_text
from support.scripted_model import Answer, ScriptedModel, refuse
from test_protocols import connected

from spark_tui.backends.base import Request
from spark_tui.errors import Misfit


@pytest.mark.parametrize(
    "said",
    [
        "'max_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your"
        " request has 2011 input tokens (8000 > 8192 - 2011).",
        "This model's maximum context length is 8192 tokens. However, you requested 10011 tokens (2011 in"
        " the messages, 8000 in the completion). Please reduce the length of the messages or completion.",
        "`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 2011 `inputs` tokens and 8000 others",
        "You passed 2011 input tokens and requested 8000 output tokens. However, the model's context length"
        " is only 8192 tokens.",
    ],
)
def test_an_answer_is_asked_to_be_shorter_where_the_prompt_leaves_less_room(said):
    with ScriptedModel(
        refuse(400, {"error": {"message": said}}), Answer("Done", usage=(9, 0, 1, 0))
    ) as server:
        backend = connected(server, "chat")
        events = [*backend.stream(Request("do it", max_tokens=8000), threading.Event())]
        events += backend.stream(Request("do it", max_tokens=100), threading.Event())
        backend.close()
    assert [body["max_tokens"] for body in server.bodies] == [8000, 8192 - 2011 - 16, 100]
    assert token_text(events) == "DoneDone"


def test_a_shorter_prompt_after_a_long_one_has_the_room_that_it_leaves():
    said = "maximum context length is 8192 tokens and your request has 7500 input tokens"
    with ScriptedModel(
        refuse(400, {"error": {"message": said}}), Answer("Done", usage=(9, 0, 1, 0))
    ) as server:
        backend = connected(server, "chat")
        for prompt in ("do it " * 5000, "do it"):
            list(backend.stream(Request(prompt, max_tokens=4000), threading.Event()))
        backend.close()
    assert [body["max_tokens"] for body in server.bodies] == [4000, 8192 - 7500 - 16, 4000]


@pytest.mark.parametrize("prompt", [8000, 8192, 9000])
def test_a_prompt_that_leaves_no_room_does_not_fit(prompt):
    said = f"maximum context length is 8192 tokens and your request has {prompt} input tokens"
    with ScriptedModel(refuse(400, {"error": {"message": said}})) as server:
        backend = connected(server, "chat")
        with pytest.raises(Misfit):
            list(backend.stream(Request("do it", max_tokens=8000), threading.Event()))
        backend.close()
    assert len(server.bodies) == 1
