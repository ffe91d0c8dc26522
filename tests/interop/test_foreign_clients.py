"""`llm` asks our server, and our client asks LiteLLM's proxy in front of it."""

import json
import os
import socket
import subprocess
import threading
import urllib.request

import pytest
from support.event_streams import token_text
from support.interop_tools import litellm, llm
from support.serving import Saying, serving, until

from spark_tui.backends.base import Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.tool_calls import ToolSpec
from spark_tui.errors import SparkError
from spark_tui.events import AnswerEnded, ToolArguments, ToolCallStarted

pytestmark = pytest.mark.interop
KEY = "sk-" + 16 * "four"
LINES = "*** a.py\n@@ 2,3\n+TWO\n"
PROMPT = "a.py\n```\none\ntwo\nthree\n```\nmake two loud"
EDIT = ToolSpec(
    "edit",
    "edits",
    {
        "type": "object",
        "properties": {item: {"type": "string"} for item in ("path", "old_str", "new_str")},
        "required": ["path", "old_str", "new_str"],
    },
)


def plain_environment(**more):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR", "LANG")}
    return {**kept, **more}


def test_llm_asks_our_server_and_streams(tmp_path):
    with serving(Saying("That is all.")) as live:
        row = {"model_id": "far", "model_name": "saying", "api_base": live.url, "api_key_name": "far"}
        (tmp_path / "extra-openai-models.yaml").write_text(json.dumps([row]))
        done = subprocess.run(
            [str(llm()), "-m", "far", "--key", "none", "say it"],
            env=plain_environment(LLM_USER_PATH=str(tmp_path)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.stdout == "That is all.\n", done.stderr
    assert live.backend.requests[0].instruction == "say it"


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """LiteLLM's proxy in front of our server."""
    folder = tmp_path_factory.mktemp("litellm")
    with serving(Saying(LINES, format="lines")) as live, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        model = {"model": "openai/saying", "api_base": live.url, "api_key": "none"}
        config = {"model_list": [{"model_name": "far", "litellm_params": model}]}
        (folder / "config.yaml").write_text(json.dumps(config))
        log = (folder / "log").open("w")
        words = [str(litellm()), "--config", str(folder / "config.yaml"), "--port", str(port)]
        environ = plain_environment(LITELLM_LOCAL_MODEL_COST_MAP="True", LITELLM_MASTER_KEY=KEY)
        process = subprocess.Popen([*words, "--host", "127.0.0.1"], env=environ, stdout=log, stderr=log)
        address = f"http://127.0.0.1:{port}"

        def answers():
            assert process.poll() is None, (folder / "log").read_text()[-2000:]
            try:
                with urllib.request.urlopen(f"{address}/health/liveliness", timeout=5) as answer:
                    return answer.status == 200
            except OSError:
                return False

        try:
            until(answers, 180)
            yield address
        finally:
            process.terminate()
            process.wait(30)
            log.close()


@pytest.fixture
def backend(proxy):
    remote = RemoteBackend(f"{proxy}/v1", "far", key=KEY, retries=RetryLimits(1))
    yield remote
    remote.close()


def test_text_comes_through_the_proxy(backend):
    events = list(backend.stream(Request(PROMPT), threading.Event()))
    assert "REPLACE" in token_text(events)
    assert isinstance(events[-1], AnswerEnded) and events[-1].reason == "stop"


def test_a_tool_call_comes_through_the_proxy(backend):
    events = list(backend.stream(Request(PROMPT, tools=(EDIT,)), threading.Event()))
    assert [event.name for event in events if isinstance(event, ToolCallStarted)] == ["edit"]
    given = json.loads("".join(event.text for event in events if isinstance(event, ToolArguments)))
    assert given == {"path": "a.py", "old_str": "two", "new_str": "TWO"}


def test_an_error_of_the_proxy_is_readable(proxy):
    lost = RemoteBackend(f"{proxy}/v1", "nobody", key=KEY, retries=RetryLimits(1))
    with pytest.raises(SparkError) as caught:
        list(lost.stream(Request("x"), threading.Event()))
    lost.close()
    assert "nobody" in str(caught.value) and "{'error'" not in str(caught.value)
