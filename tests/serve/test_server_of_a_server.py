"""A server whose model is another server's: how that one ends an answer, and fails, reaches the client."""

import contextlib

import pytest
from support.http_client import asked
from support.remote_turns import run
from support.scripted_model import DROP, Answer, ScriptedModel, refuse
from support.serving import serving

from spark_tui.backends.paced import paced
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.cli.commands.serve import model_name, other_names
from spark_tui.errors import ExitCode, NoBackend
from spark_tui.events import AnswerEnded


@contextlib.contextmanager
def chained(*answers):
    """The far server, the one that asks it, and a client of that one."""
    with ScriptedModel(*answers) as far:
        between = RemoteBackend(far.url, "m", key="", api="chat")
        with serving({"m": between}) as live:
            client = RemoteBackend(live.url, key="")
            yield far, live, client
            client.close()
        between.close()


def test_a_model_has_the_name_that_its_own_server_gives_it():
    far = RemoteBackend("http://127.0.0.1:9/v1", "org/m", key="")
    named = paced(far, "100")
    assert other_names(far) == ["org/m"]
    assert other_names(named) == [model_name(far.name), "org/m"]
    assert other_names(RemoteBackend("http://127.0.0.1:9/v1", key="")) == []


def test_an_answer_that_was_cut_off_at_the_far_limit_is_not_whole():
    with chained(Answer("one ", "two", reason="length")) as (_, live, client):
        said = {"messages": [{"role": "user", "content": "count"}]}
        chat = asked(live, "/v1/chat/completions", **said)[1]
        assert chat["choices"][0]["finish_reason"] == "length"
        response = asked(live, "/v1/responses", input="count")[1]
        assert response["incomplete_details"] == {"reason": "max_output_tokens"}
        assert run(client, max_tokens=50)[-1] == AnswerEnded("length")


@pytest.mark.parametrize("status", [401, 404, 418])
def test_a_far_server_that_refuses_is_no_fault_of_the_client(status):
    with chained(refuse(status, {"error": {"message": "not so"}})) as (far, live, client):
        code, body = asked(live, "/v1/responses", input="count")
        assert (code, body["error"]["code"]) == (503, "no_backend")
        assert body["error"]["message"] == "the model failed: not so"
        far.asked.clear()
        with pytest.raises(NoBackend, match="the model failed: not so") as caught:
            run(client)
        assert caught.value.exit_code == ExitCode.NO_BACKEND
        assert (caught.value.what, "KEY" in caught.value.hint) == ("the model failed: not so", False)
        other = RemoteBackend(live.url, "m", key="", api="responses", retries=RetryLimits(1))
        with pytest.raises(NoBackend, match="the model failed: not so"):
            run(other)
        other.close()
        far.asked.pop()
        # The server in between decides whether it is worth coming back.
        assert len(far.bodies) == 1


def test_a_far_answer_that_breaks_off_can_be_resumed_and_says_so_once():
    with chained(Answer("one ", DROP)) as (_, _, client), pytest.raises(NoBackend) as caught:
        run(client)
    assert caught.value.what.count("broke off") == 1
    assert "--resume" in caught.value.hint
