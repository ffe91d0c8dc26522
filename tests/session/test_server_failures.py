"""A turn with a connected model that fails: it ends by itself, says why, and keeps what came."""

import contextlib
import json
import socket
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.event_streams import of
from support.failing_servers import EDIT, FAILURES, PIECES
from support.open_sessions import open_sessions
from support.scripted_backend import run
from support.scripted_model import DROP, STALL, Answer, Call, ScriptedModel, Think, refuse

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.prices import read_prices
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.config.settings import Settings
from spark_tui.edits.parser import JOINED

APIS = ("chat", "responses", "messages")


@pytest.fixture
def open_far(repo, tmp_path):
    """Open a session whose model is a scripted one."""

    def far(server, api="chat", **options):
        options.setdefault("retries", RetryLimits(jitter=lambda: 0.0))
        api = "responses" if api == "websocket" else api
        return RemoteBackend(server.url, "m", key="", api=api, stall_seconds=1.0, **options)

    with open_sessions(repo, tmp_path / "state") as open_one:
        yield lambda server, api="chat", **options: open_one(
            far(server, api, **options), Settings(exact=False)
        )


def turn(session, said="free shipping from 5900"):
    return run(session.turn, said, files=["shop/cart.py"])


def whole_hunks(found):
    return [event for event in of(found, events.HunkClosed) if not event.partial and event.changes]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_server_ends_the_turn_and_says_why(name, api, open_far):
    failure = FAILURES[name]
    with ScriptedModel(failure.answer) as server:
        session = open_far(server, api)
        found = turn(session)
        told = found[-1]
        assert isinstance(told, events.Failed)
        assert all(part in f"{told.what} {told.hint}" for part in failure.says), told
        assert len(whole_hunks(found)) == failure.hunks
        assert not failure.resumes or session.turns.can_resume


class _Silent(ScriptedModel):
    """Accepts the request and never answers it."""

    def next_answer(self, body):
        self.closing.wait(30)
        return super().next_answer(body)


@pytest.mark.parametrize("api", [*APIS, "websocket"])
@pytest.mark.parametrize("silent", [_Silent, ScriptedModel], ids=["no head", "no event"])
def test_a_server_that_never_answers_is_waited_for_only_so_long(silent, api, open_far):
    with silent(Answer(STALL), websocket=api == "websocket") as server:
        told = turn(open_far(server, api, first_token_seconds=0.5))[-1]
    assert isinstance(told, events.Failed)
    assert "0.5 s" in told.what and "model.first_token_seconds" in told.hint
    assert len(server.bodies) == 1


def test_a_head_that_never_ends_is_waited_for_only_so_long(open_far):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_drip, args=(listener,), daemon=True).start()
        port = listener.getsockname()[1]
        backend = SimpleNamespace(url=f"http://127.0.0.1:{port}/v1")
        told = turn(open_far(backend, first_token_seconds=0.5))[-1]
    assert "0.5 s" in told.what and "model.first_token_seconds" in told.hint


def _drip(listener):
    connection, _ = listener.accept()
    with connection, contextlib.suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        for number in range(100):
            connection.sendall(f"x-{number}: y\r\n".encode())
            time.sleep(0.1)


@pytest.mark.parametrize("api", [*APIS, "websocket"])
def test_the_limit_of_the_beginning_does_not_cut_the_middle(api, open_far):
    with ScriptedModel(Answer(*PIECES[:4], STALL), websocket=api == "websocket") as server:
        told = turn(open_far(server, api, first_token_seconds=0.3))[-1]
    assert "for 1 s" in told.what


@pytest.mark.parametrize(
    ("api", "says"), [("chat", "content filter"), ("responses", "content filter"), ("messages", "refused")]
)
def test_what_a_filter_ended_is_named(api, says, open_far):
    with ScriptedModel(FAILURES["a content filter"].answer) as server:
        assert says in turn(open_far(server, api))[-1].what


@pytest.mark.parametrize("api", [*APIS, "websocket"])
@pytest.mark.parametrize("end", [STALL, DROP], ids=["stalled", "dropped"])
def test_a_turn_that_broke_goes_on_where_it_stood(api, end, open_far):
    answers = Answer(*PIECES[:4], end), Answer("".join(PIECES[4:]))
    with ScriptedModel(*answers, websocket=api == "websocket") as server:
        session = open_far(server, api)
        assert isinstance(turn(session)[-1], events.Failed)
        rest = run(session.turns.resume)
        assert isinstance(rest[-1], events.Finished), rest[-1]
        assert rest[-1].reason == "stop"
        (hunk,) = whole_hunks(rest)
        assert hunk.new_lines == ("FREE_SHIPPING_FROM = 5900",)
        assert of(rest, events.Doubt) == [events.Doubt(hunk.hunk_id, 0.0, JOINED)]


CUT = (
    "```diff\n--- a/shop/cart.py\n+++ b/shop/cart.py\n@@\n-FREE_SHIPPING_FROM = 4900\n+FREE_SHIPPING_FROM = 5"
)


@pytest.mark.parametrize(
    "goes_on",
    [
        "900\n```\n",
        f"Sorry, I was cut off.\n\n{CUT}900\n```\n",
        "900\n```\nAnd\n\nREADME.md\n```\n<<<<<<< SEARCH\n=======\nThe end.\n>>>>>>> REPLACE\n```\n",
    ],
)
def test_the_edit_in_which_an_answer_broke_off_is_doubted_and_no_later_one(goes_on, open_far):
    with ScriptedModel(Answer(CUT, DROP), Answer(goes_on)) as server:
        session = open_far(server)
        (cut,) = of(turn(session), events.HunkOpened)
        rest = run(session.turns.resume)
    assert of(rest, events.Doubt) == [events.Doubt(cut.hunk_id, 0.0, JOINED)]
    assert len(whole_hunks(rest)) == 1 + ("README" in goes_on)


def test_the_edit_in_which_an_answer_broke_off_is_doubted_where_it_changes_an_earlier_one(open_far):
    old, new = "FREE_SHIPPING_FROM = 4900", "FREE_SHIPPING_FROM = 5000"
    call = Call("edit", json.dumps({"path": "shop/cart.py", "old": old, "new": new}))
    cut = CUT.replace("4900", "5000")
    with ScriptedModel(Answer(call, reason="tool_calls"), Answer(cut, DROP), Answer("900\n```\n")) as server:
        session = open_far(server)
        assert isinstance(turn(session)[-1], events.Failed)
        rest = run(session.turns.resume)
    (hunk,) = whole_hunks(rest)
    assert hunk.new_lines == ("FREE_SHIPPING_FROM = 5900",)
    assert of(rest, events.Doubt) == [events.Doubt(hunk.hunk_id, 0.0, JOINED)]


def test_a_turn_that_failed_before_a_word_came_is_asked_again_by_a_resume(open_far):
    with ScriptedModel(refuse(401), Answer(EDIT)) as server:
        session = open_far(server)
        assert isinstance(turn(session)[-1], events.Failed)
        session.use(RemoteBackend(server.url, "m", key="", api="chat")).close()
        rest = run(session.turns.resume)
        assert rest[-1].reason == "stop" and len(whole_hunks(rest)) == 1


@pytest.mark.parametrize(
    ("status", "body"), [(429, {"error": {"message": "slow down"}}), (500, {}), (503, {})]
)
def test_a_busy_server_is_asked_again_after_a_pause_that_is_told(status, body, open_far):
    with ScriptedModel(refuse(status, body, retry_after="0.6"), Answer(EDIT)) as server:
        found = turn(open_far(server))
        (retry,) = of(found, events.Retrying)
        assert (retry.seconds, retry.attempt) == (0.6, 1)
        assert ("slow down" if body else str(status)) in retry.reason
        assert found[-1].reason == "stop" and len(whole_hunks(found)) == 1


def test_a_server_that_stays_busy_is_given_up_with_its_words(open_far):
    with ScriptedModel(refuse(429, {"error": {"message": "slow down"}}, retry_after="7")) as server:
        found = turn(open_far(server, retries=RetryLimits(1)))
        assert "slow down" in found[-1].what and "in 7 s" in found[-1].hint
        assert len(server.bodies) == 1


def test_esc_ends_the_wait_for_a_busy_server(open_far):
    with ScriptedModel(refuse(429, {}, retry_after="30")) as server:
        stop, found = threading.Event(), []
        for event in open_far(server).turn("x", files=["shop/cart.py"], stop=stop):
            found.append(event)
            if isinstance(event, events.Retrying):
                threading.Timer(0.05, stop.set).start()
        assert found[-1].reason == "interrupted"
        assert len(server.bodies) == 1


@pytest.mark.parametrize("api", APIS)
def test_an_answer_that_its_server_cuts_off_is_said_to_be_and_goes_on(api, open_far):
    with ScriptedModel(Answer(*PIECES[:4], reason="length"), Answer(*PIECES[4:])) as server:
        session = open_far(server, api)
        assert turn(session)[-1].reason == "length"
        rest = run(session.turns.resume)
        assert isinstance(rest[-1], events.Finished), rest[-1]
        assert rest[-1].reason == "stop" and len(whole_hunks(rest)) == 1


@pytest.mark.parametrize("api", APIS)
def test_an_answer_past_the_limit_is_whole_where_its_server_says_so(api, open_far):
    with ScriptedModel(Answer(*PIECES)) as server:
        session = open_far(server, api)
        session.adopt(replace(session.settings, max_tokens=len(PIECES) - 1))
        found = turn(session)
        assert found[-1].reason == "stop" and len(whole_hunks(found)) == 1


@pytest.mark.parametrize("models", [None, "hang"])
def test_a_named_model_needs_no_list_of_models(models, open_far, monkeypatch):
    monkeypatch.setattr("spark_tui.backends.remote.backend._UNNEEDED_LIST_SECONDS", 0.2)
    with ScriptedModel(Answer(EDIT), models=models) as server:
        assert turn(open_far(server, api="auto"))[-1].reason == "stop"


def test_an_answer_without_streaming_is_an_edit_too(open_far):
    with ScriptedModel(Answer(Think("hm"), EDIT, whole=True)) as server:
        found = turn(open_far(server))
        assert found[-1].reason == "stop" and len(whole_hunks(found)) == 1
        assert [event.text for event in of(found, events.Reasoning)] == ["hm"]


def test_usage_and_cost_are_those_that_the_server_counts(open_far):
    prices = read_prices({"other": "9/9", "m*": "1/10/0.1"})
    with ScriptedModel(Answer(EDIT, usage=(1000, 400, 50, 20))) as server:
        usage = turn(open_far(server, prices=prices))[-1].usage
        assert (usage.prompt_tokens, usage.reused_tokens) == (1000, 400)
        assert (usage.output_tokens, usage.reasoning_tokens) == (50, 20)
        assert usage.cost == pytest.approx((600 * 1 + 400 * 0.1 + 50 * 10) / 1e6)
