"""Every protocol says the same: text, reasoning, tool calls, counts and the end, streamed or whole."""

import itertools
import json
import threading

import pytest
from support.event_streams import token_ids, token_text
from support.queued_answers import Scripted, sse
from support.scripted_model import Answer, Call, Raw, ScriptedModel, Think, refuse

from spark_tui.backends.base import Exchange, FilePart, Request, takes_tools
from spark_tui.backends.remote import presets
from spark_tui.backends.remote.answer_pieces import ToolCallReader
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.tool_calls import ToolCall, ToolResult, ToolSpec, ToolStep
from spark_tui.errors import MalformedInput, Misfit, NoBackend
from spark_tui.events import (
    AnswerEnded,
    PrefillProgress,
    Reasoning,
    Token,
    ToolArguments,
    ToolCallEnded,
    ToolCallStarted,
)

READ = ToolSpec("read_file", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
APIS = ("chat", "responses", "websocket", "messages")
every_api = pytest.mark.parametrize("api", APIS)


def asked(api, *answers, **request):
    """The events of one answer, and the bodies that the server was sent."""
    with ScriptedModel(*answers, websocket=api == "websocket") as server:
        events = run(connected(server, api), **request)
        return events, server.bodies


def connected(server, api, **options):
    options.setdefault("retries", RetryLimits(1))
    options.setdefault("key", "")
    return RemoteBackend(server.url, "m", api="responses" if api == "websocket" else api, **options)


def run(backend, stop=None, **request):
    try:
        request.setdefault("instruction", "do it")
        return list(backend.stream(Request(**request), stop or threading.Event()))
    finally:
        backend.close()


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


def calls(events):
    """Whole calls by id: name and arguments; and those that never ended."""
    found = {event.id: [event.name, "", False] for event in of(ToolCallStarted, events)}
    for event in of(ToolArguments, events):
        found[event.id][1] += event.text
    for event in of(ToolCallEnded, events):
        found[event.id][2] = True
    return [tuple(item) for item in found.values()]


@every_api
def test_text_streams_with_its_counts_and_its_end(api):
    events, _ = asked(api, Answer("hello ", "there"))
    assert [event.text for event in of(Token, events)] == ["hello ", "there"]
    assert of(PrefillProgress, events) == [PrefillProgress(20, 20, 5)]
    ended = events[-1]
    assert (ended.reason, ended.output_tokens) == ("stop", 7)
    assert ended.reasoning_tokens == (0 if api == "messages" else 3)


@every_api
def test_reasoning_is_a_piece_of_its_own_and_no_part_of_the_answer(api):
    events, _ = asked(api, Answer(Think("hm, "), Think("so"), "answer"))
    assert "".join(event.text for event in of(Reasoning, events)) == "hm, so"
    assert token_text(events) == "answer"


@every_api
def test_the_arguments_of_a_call_stream(api):
    answer = Answer("I look. ", Call("read_file", '{"path": "shop/cart.py"}'), reason="tool_calls")
    events, bodies = asked(api, answer, tools=(READ,))
    assert calls(events) == [("read_file", '{"path": "shop/cart.py"}', True)]
    assert len(of(ToolArguments, events)) > 2
    assert token_text(events) == "I look. "
    (tool,) = bodies[0]["tools"]
    named = tool.get("function", tool)
    assert (named["name"], named.get("parameters", named.get("input_schema"))) == ("read_file", READ.schema)


@every_api
def test_parallel_calls_stay_apart(api):
    several = [Call("read_file", json.dumps({"path": f"{n}.py"})) for n in range(100)]
    events, _ = asked(api, Answer(*several), tools=(READ,))
    assert calls(events) == [("read_file", call.arguments, True) for call in several]


@every_api
def test_broken_arguments_and_unknown_names_come_as_the_model_wrote_them(api):
    events, _ = asked(api, Answer(Call("raed", '{"path": "a'), Call("", "nonsense")), tools=(READ,))
    assert calls(events) == [("raed", '{"path": "a', True), ("", "nonsense", True)]


@every_api
def test_calls_of_a_model_that_was_offered_none_are_left_out(api):
    events, bodies = asked(api, Answer("x", Call("read_file")))
    assert not calls(events) and "tools" not in bodies[0]


@every_api
def test_what_was_called_before_goes_back_with_its_results(api):
    step = ToolStep(
        "I look.",
        (ToolCall("a1", "read_file", '{"path": "x.py"}'), ToolCall("a2", "read_file", "broken")),
        (ToolResult("a1", "x = 1\n"), ToolResult("a2", "not JSON", failed=True)),
    )
    _, bodies = asked(api, Answer("done"), tools=(READ,), steps=(step, step), history=(Exchange("a", "b"),))
    told = json.dumps(bodies[0].get("messages", bodies[0].get("input")))
    for said in ("I look.", "a1", "x = 1", "not JSON", "broken"):
        assert told.count(said) >= 2, said
    if api == "messages":
        roles = [message["role"] for message in bodies[0]["messages"]]
        assert all(one != other for one, other in itertools.pairwise(roles))
        assert '"is_error": true' in told


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
def test_an_answer_that_is_not_streamed_is_read_whole(api):
    answer = Answer(Think("hm"), "hello", Call("read_file", '{"path": "a"}'), whole=True, reason="tool_calls")
    events, _ = asked(api, answer, tools=(READ,))
    assert token_text(events) == "hello"
    assert [event.text for event in of(Reasoning, events)] == ["hm"]
    ((name, arguments, ended),) = calls(events)
    assert (name, json.loads(arguments), ended) == ("read_file", {"path": "a"}, True)
    assert of(PrefillProgress, events) == [PrefillProgress(20, 20, 5)]


@every_api
def test_a_stop_ends_in_the_middle_of_arguments_and_the_server_sees_it(api):
    stop = threading.Event()
    answer = Answer(Call("read_file", '{"path": "' + "x" * 20_000 + '"}', piece=1))
    with ScriptedModel(answer, websocket=api == "websocket") as server:
        backend = connected(server, api)
        seen = []
        for event in backend.stream(Request("x", tools=(READ,)), stop):
            seen.append(event)
            if len(of(ToolArguments, seen)) == 5:
                stop.set()
        assert len(of(ToolArguments, seen)) == 5 and not of(ToolCallEnded, seen)
        backend.close()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use. To learn more, visit: https://…"),
        (400, "`tool calling` is not supported with this model"),
    ],
)
def test_tools_are_refused_in_many_words(status, words):
    no = refuse(status, {"error": {"message": words, "code": status}})
    events, bodies = asked("chat", no, Answer("plain"), tools=(READ,))
    assert token_text(events) == "plain" and ["tools" in body for body in bodies] == [True, False]


@every_api
def test_a_server_that_does_not_take_tools_is_asked_without_them_and_it_is_remembered(api):
    no = refuse(
        400, {"error": {"message": "registry/m does not support tools", "type": "invalid_request_error"}}
    )
    with ScriptedModel(no, Answer("plain"), websocket=api == "websocket") as server:
        backend = connected(server, api)
        assert takes_tools(backend)
        events = list(backend.stream(Request("x", tools=(READ,)), threading.Event()))
        assert token_text(events) == "plain" and not takes_tools(backend)
        list(backend.stream(Request("x", tools=(READ,)), threading.Event()))
        assert ["tools" in body for body in server.bodies] == [True, False, False]
        backend.close()


@pytest.mark.parametrize(
    ("words", "param", "gone", "instead"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model."
            " Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_tokens",
            "max_completion_tokens",
        ),
        (
            "Unsupported value: 'temperature' does not support 0 with this model.",
            "temperature",
            "temperature",
            "",
        ),
        ("body.stream_options: Extra inputs are not permitted", None, "stream_options", ""),
        ("reasoning_effort is not supported by this model", None, "reasoning_effort", ""),
    ],
)
def test_a_refused_parameter_is_left_out_or_renamed_once_and_remembered(words, param, gone, instead):
    no = refuse(400, {"error": {"message": words, "param": param, "type": "invalid_request_error"}})
    with ScriptedModel(no, Answer("fine")) as server:
        backend = connected(server, "chat", effort="high")
        for _ in range(2):
            assert token_text(list(backend.stream(Request("x"), threading.Event()))) == "fine"
        assert [gone in body for body in server.bodies] == [True, False, False]
        assert not instead or [instead in body for body in server.bodies] == [False, True, True]
        backend.close()


@pytest.mark.parametrize("words", ["System role not supported", "Conversation roles must alternate user/…"])
def test_rules_go_with_the_persons_words_where_a_template_takes_no_system_role(words):
    no = refuse(400, {"object": "error", "message": words, "code": 400})
    events, bodies = asked("chat", no, Answer("fine"), rules="Be kind.")
    assert token_text(events) == "fine"
    assert [[message["role"] for message in body["messages"]] for body in bodies] == [
        ["system", "user"],
        ["user"],
    ]
    told = bodies[1]["messages"][0]["content"]
    assert "Be kind." in told and told.endswith("do it")


def test_a_server_that_refuses_whatever_it_is_sent_is_asked_a_few_times_only():
    words = "temperature, stop, stream_options, max_tokens, max_completion_tokens are not supported"
    with ScriptedModel(refuse(400, {"error": {"message": words}})) as server:
        with pytest.raises(MalformedInput, match="not supported"):
            run(connected(server, "chat"), stop_texts=("x",))
        assert len(server.bodies) <= 6


def test_a_context_that_is_too_long_is_not_taken_for_a_refused_parameter():
    words = "max_tokens is too large: this model's maximum context length is 8192 tokens"
    with ScriptedModel(refuse(400, {"error": {"message": words}})) as server:
        with pytest.raises(Misfit, match="maximum context"):
            run(connected(server, "chat"))
        assert len(server.bodies) == 1


@pytest.mark.parametrize("cut", [1, 3, 8, 100])
def test_a_think_block_before_the_answer_is_reasoning_however_it_is_cut(cut):
    text = "\n<think>a < b\n</thin k></think>\n\nThe <think> tag stays."
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    events, _ = asked("chat", Answer(*pieces))
    assert "".join(event.text for event in of(Reasoning, events)) == "a < b\n</thin k>"
    assert token_text(events) == "The <think> tag stays."


@every_api
def test_bytes_that_are_no_text_are_sent_as_a_mark(api):
    _, bodies = asked(api, Answer("a"), instruction="say caf\udce9, ☕ and \ud83d\ude00")
    assert "say caf\ufffd, ☕ and 😀" in json.dumps(bodies[0], ensure_ascii=False)


@every_api
def test_a_character_that_comes_in_halves_is_whole_and_a_lost_half_is_replaced(api):
    events, _ = asked(api, Answer("a\ud83d", "\ude00b\ud83d", "c\ud83d"))
    assert token_text(events) == "a😀b\ufffdc\ufffd"


def test_halves_in_arguments_and_completions_are_joined():
    reader = ToolCallReader()
    parts = [*reader.part(0, "a", "f", "\ud83d"), *reader.part(0, None, None, "\ude00")]
    assert [event.text for event in of(ToolArguments, parts)] == ["😀"]
    halves = ({"choices": [{"text": half}]} for half in ("\ud83d", "\ude00"))
    with Scripted(sse(*halves)) as server:
        assert token_text(run(connected(server, "chat"), kind="raw", prefix="x")) == "😀"


def test_text_that_only_begins_like_a_think_block_stays():
    assert token_text(asked("chat", Answer("<th", "ing> x"))[0]) == "<thing> x"
    assert token_text(asked("chat", Answer("<thi"))[0]) == "<thi"


@pytest.mark.parametrize("api", ["chat", "messages"])
def test_comments_pings_and_odd_events_are_passed_over(api):
    odd = Raw(b': keep-alive\n\nevent: ping\ndata: {"type": "ping"}\n\ndata: {"choices": 5}\n\n')
    assert token_text(asked(api, Answer("a", odd, "b"))[0]) == "ab"


def test_wrong_usage_figures_are_no_figures():
    wrong = Answer("x", usage=(-5, True, "many", 10**30))
    events, _ = asked("chat", wrong)
    assert not of(PrefillProgress, events) and events[-1] == AnswerEnded("stop")


def test_the_key_of_the_messages_protocol_has_its_own_header():
    with ScriptedModel(Answer("x")) as server:
        run(connected(server, "messages", key="sk-very-secret"))
        path, headers, body = server.asked[-1]
        sent = {name.lower(): value for name, value in headers.items()}
        assert path == "/v1/messages" and sent["x-api-key"] == "sk-very-secret"
        assert "authorization" not in sent and sent["anthropic-version"] == "2023-06-01"
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize(
    ("api", "member", "value"),
    [
        ("chat", "reasoning_effort", "high"),
        ("responses", "reasoning", {"effort": "high", "summary": "auto"}),
        ("messages", "thinking", {"type": "enabled", "budget_tokens": 16384}),
    ],
)
def test_an_effort_is_sent_where_the_protocol_has_it(api, member, value):
    with ScriptedModel(Answer("x")) as server:
        run(connected(server, api, effort="high"))
        run(connected(server, api))
        assert server.bodies[0][member] == value and member not in server.bodies[1]


@every_api
def test_a_resume_goes_on_behind_what_came(api):
    with ScriptedModel(Answer("one ", "two "), Answer("three"), websocket=api == "websocket") as server:
        backend = connected(server, api)
        first = list(backend.stream(Request("x", files=(FilePart("a.py", "x\n"),)), threading.Event()))
        rest = list(backend.stream(Request("x", emitted=tuple(token_ids(first))), threading.Event()))
        assert token_text(rest) == "three" and 'one two"' in json.dumps(server.bodies[-1])
        backend.close()


@every_api
def test_a_model_that_begins_again_at_a_resume_says_nothing_twice(api):
    begun = "cart.py\n    total = "
    with ScriptedModel(
        Answer(begun), *[Answer("cart.py\n", "    total = 1")] * 2, websocket=api == "websocket"
    ) as server:
        backend = connected(server, api)
        first = tuple(token_ids(list(backend.stream(Request("x"), threading.Event()))))
        rest = list(backend.stream(Request("x", emitted=first), threading.Event()))
        assert token_text(rest) == "1"
        again = list(backend.stream(Request("x", emitted=first, steer="no"), threading.Event()))
        assert token_text(again) == begun.replace("= ", "= 1")
        backend.close()


def test_of_a_providers_many_models_none_is_taken_by_chance(monkeypatch):
    with ScriptedModel(Answer("x"), models=("whisper", "large", "small")) as server:
        backend = connected(server, "chat")
        backend.model = ""
        assert token_text(run(backend)) == "x" and backend.model == "whisper"
        monkeypatch.setattr("spark_tui.backends.remote.presets.of_host", lambda host: presets.find("openai"))
        backend = connected(server, "chat")
        backend.model = ""
        with pytest.raises(NoBackend, match=r"models\n  Choose one with --model NAME: large, small, whisper"):
            run(backend)
