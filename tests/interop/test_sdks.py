"""OpenAI's Python SDK, in a process of its own: responses, chat, completions, models, errors."""

import os
import subprocess
import sys
import textwrap

import pytest
from support.interop_tools import sdks
from support.serving import Counting, Saying, serving

from spark_tui.serve.limits import ServerLimits

pytestmark = pytest.mark.interop


def printed(head, script):
    """What a script prints that has the SDKs at hand; `head` stands before its lines."""
    done = subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(script)],
        env={**os.environ, "PYTHONPATH": str(sdks())},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def sdk():
    def run(live, script):
        """The script's lines run with `client` at hand; what they print comes back."""
        head = (
            f"import openai\nclient = openai.OpenAI(base_url={live.url!r},"
            " api_key='a-key-that-nobody-checks', max_retries=0)\n"
        )
        return printed(head, script)

    return run


def test_a_response_whole_and_followed_up(sdk):
    with serving() as live:
        out = sdk(
            live,
            """
            one = client.responses.create(model="counting", input="count", max_output_tokens=3)
            print(one.output_text, one.status, one.incomplete_details.reason, one.usage.output_tokens)
            more = {"previous_response_id": one.id, "max_output_tokens": 1}
            two = client.responses.create(model="counting", input="on", **more)
            print(two.previous_response_id == one.id, client.responses.retrieve(two.id).output_text)
            """,
        )
        assert out == "0 1 2  incomplete max_output_tokens 3\nTrue 0 \n"
        assert live.backend.requests[-1].history[0].answer == "0 1 2 "


def test_a_response_streamed_in_both_ways(sdk):
    with serving() as live:
        out = sdk(
            live,
            """
            kinds, text = [], ""
            asked = {"model": "counting", "input": "c", "max_output_tokens": 4}
            for event in client.responses.create(**asked, stream=True):
                kinds.append(event.type)
                if event.type == "response.output_text.delta":
                    text += event.delta
            print(kinds[0], kinds[-1], text)
            """,
        )
        assert out == "response.created response.incomplete 0 1 2 3 \n"
    with serving(Saying("That is all.")) as live:
        out = sdk(
            live,
            """
            with client.responses.stream(model="saying", input="c") as stream:
                text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
                final = stream.get_final_response()
            print(text == final.output_text, final.status, final.output_text)
            """,
        )
        assert out == "True completed That is all.\n"


def test_chat_whole_and_streamed_with_usage(sdk):
    with serving() as live:
        out = sdk(
            live,
            """
            said = [{"role": "user", "content": "count"}]
            whole = client.chat.completions.create(model="counting", messages=said, max_tokens=3)
            choice = whole.choices[0]
            print(choice.message.content, choice.finish_reason, whole.usage.completion_tokens)
            text, usage = "", None
            for chunk in client.chat.completions.create(
                model="counting", messages=said, max_tokens=3,
                stream=True, stream_options={"include_usage": True},
                prediction={"type": "content", "content": "0 1 2"},
            ):
                text += chunk.choices[0].delta.content or "" if chunk.choices else ""
                usage = chunk.usage or usage
            print(text, usage.completion_tokens, usage.completion_tokens_details.accepted_prediction_tokens)
            """,
        )
        assert out == "0 1 2  length 3\n0 1 2  3 1\n"
        assert live.backend.requests[-1].prediction == "0 1 2"


def test_completions_and_models(sdk):
    with serving() as live:
        out = sdk(
            live,
            """
            asked = {"model": "counting", "prompt": "def", "suffix": "end", "max_tokens": 2}
            print(client.completions.create(**asked).choices[0].text)
            print([model.id for model in client.models.list()], client.models.retrieve("counting").owned_by)
            """,
        )
        assert out == "0 1 \n['counting'] spark\n"


def test_errors_are_the_sdks_own_exceptions(sdk):
    limits = ServerLimits(realtime_per_minute=6)
    with serving(Counting(), limits=limits) as live:
        out = sdk(
            live,
            """
            usual = {"model": "counting", "input": "c", "max_output_tokens": 1}
            def attempt(**body):
                try:
                    client.responses.create(**{**usual, **body})
                except openai.APIStatusError as error:
                    print(type(error).__name__, error.code, error.param)
            attempt(input=7)
            attempt(model="../../etc/passwd")
            attempt(input="w " * 5000)
            attempt(previous_response_id="resp_x")
            for _ in range(7):
                attempt()
            """,
        )
        assert out.splitlines() == [
            "BadRequestError invalid_type input",
            "NotFoundError model_not_found model",
            "BadRequestError context_length_exceeded input",
            "NotFoundError response_not_found previous_response_id",
            "RateLimitError rate_limit_exceeded None",
        ]
    with serving(tokens=["a-token-of-sufficient-length"]) as live:
        out = sdk(
            live,
            """
            try:
                client.models.list()
            except openai.AuthenticationError as error:
                print(error.code)
            """,
        )
        assert out == "invalid_api_key\n"


def test_curl_reads_the_same_events():
    import json

    body = json.dumps({"input": "count", "max_output_tokens": 5, "stream": True})
    with serving() as live:
        done = subprocess.run(
            ["curl", "-sN", f"{live.url}/responses", "-H", "content-type: application/json", "-d", body],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        rows = [json.loads(line[6:]) for line in done.stdout.splitlines() if line.startswith("data: ")]
        assert "".join(row["delta"] for row in rows if row["type"].endswith("text.delta")) == "0 1 2 3 4 "
        assert [row["sequence_number"] for row in rows] == list(range(len(rows)))


def test_the_anthropic_sdk_reads_messages_streams_tools_and_errors():
    tool = {
        "name": "edit",
        "description": "edits",
        "input_schema": {
            "type": "object",
            "properties": {item: {"type": "string"} for item in ("path", "old_str", "new_str")},
            "required": ["path", "old_str", "new_str"],
        },
    }
    script = f"""
        import anthropic
        address = URL.removesuffix("/v1")
        client = anthropic.Anthropic(base_url=address, api_key="any", max_retries=0)
        asked = dict(model="saying", max_tokens=99, messages=[dict(role="user", content=PROMPT)])
        print(client.messages.create(**asked, tools=[{tool!r}]).content[0].input["new_str"])
        with client.messages.stream(**asked) as stream:
            text = "".join(stream.text_stream)
            print("REPLACE" in text, stream.get_final_message().stop_reason)
        try:
            client.messages.create(**{{**asked, "model": "nobody"}})
        except anthropic.NotFoundError as error:
            print(error.body["error"]["type"])
    """
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        head = f"URL, PROMPT = {live.url!r}, 'a.py\\n```\\none\\ntwo\\nthree\\n```\\nmake two loud'\n"
        said = printed(head, script)
    assert said == "TWO\nTrue end_turn\nnot_found_error\n"
