"""Our client against servers that we did not write, each with a tiny random model: llama-cpp-python's and
`transformers serve`."""

import json
import os
import socket
import subprocess
import threading
import urllib.error
import urllib.request

import pytest
from support.event_streams import token_text
from support.interop_tools import llama_python, transformers_python
from support.serving import until

from spark_tui.backends.base import Exchange, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.errors import SparkError
from spark_tui.events import PrefillProgress

pytestmark = pytest.mark.interop
TEMPLATE = "{% for m in messages %}{{ m.role + ': ' + m.content + '\\n' }}{% endfor %}assistant: "


def llama_words(folder, port):
    writing = pytest.importorskip("support.gguf_writer")
    pytest.importorskip("gguf")
    tokenizer = {**writing.byte_level_metadata(), "template": TEMPLATE}
    model = writing.write(folder / "tiny.gguf", writing.random_weights(), tokenizer=tokenizer)
    words = ["-m", "llama_cpp.server", "--model", str(model), "--model_alias", "tiny"]
    words += ["--port", str(port), "--n_ctx", "4096", "--n_threads", "1", "--verbose", "False"]
    return [str(llama_python()), *words], "tiny"


def transformers_words(folder, port):
    from support.model_folder import write_llama

    model = write_llama(folder / "tiny", TEMPLATE)
    words = ["-m", "transformers.cli.transformers", "serve", str(model)]
    return [str(transformers_python()), *words, "--port", str(port), "--device", "cpu"], str(model)


SERVERS = {"llama-cpp-python": llama_words, "transformers": transformers_words}


@pytest.fixture(scope="module", params=SERVERS)
def server(request, tmp_path_factory):
    """The address, the name of its model, and which server it is."""
    folder = tmp_path_factory.mktemp("foreign")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words, model = SERVERS[request.param](folder, port)
    log = (folder / "log").open("w")
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(folder)}
    environ.pop("PYTHONPATH", None)
    process = subprocess.Popen(words, env=environ, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}/v1"

    def answers():
        assert process.poll() is None, (folder / "log").read_text()[-2000:]
        try:
            with urllib.request.urlopen(f"{address}/models", timeout=5) as answer:
                return answer.status == 200
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    try:
        until(answers, 240)
        yield address, model, request.param
    finally:
        process.terminate()
        process.wait(30)
        log.close()


@pytest.fixture
def backend(server):
    address, model, _ = server
    remote = RemoteBackend(address, model, key="")
    yield remote
    remote.close()


def run(backend, stop=None, **request):
    request.setdefault("instruction", "say something")
    request.setdefault("max_tokens", 48)
    return list(backend.stream(Request(**request), stop or threading.Event()))


def only(server, name):
    if server[2] != name:
        pytest.skip(f"{server[2]} does not have this")


def test_chat_completions_are_detected(backend, server):
    assert backend.format_for(Request("x")) == "search_replace"
    assert token_text(run(backend))
    assert backend.model == server[1]


def test_its_models_are_listed(backend, server):
    only(server, "llama-cpp-python")
    assert [model.name for model in backend.models()] == ["tiny"]


def test_the_same_seed_and_greedy_choice_say_the_same(backend, server):
    history = (Exchange("one", "two", "accepted"),)
    assert token_text(run(backend, history=history)) == token_text(run(backend, history=history)) != ""


def test_raw_text_continues_as_the_server_says(backend, server):
    only(server, "llama-cpp-python")
    body = json.dumps({"model": "tiny", "prompt": "def f(x):", "max_tokens": 12, "temperature": 0}).encode()
    asked = urllib.request.Request(f"{server[0]}/completions", body, {"content-type": "application/json"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        whole = json.loads(answer.read())["choices"][0]["text"]
    assert token_text(run(backend, kind="raw", prefix="def f(x):", max_tokens=12)) == whole


def test_a_stop_ends_it_and_the_next_turn_is_served(backend):
    stop, got = threading.Event(), []
    for event in backend.stream(Request("count", max_tokens=500), stop):
        got.append(event)
        if len(got) == 5:
            stop.set()
    assert len(got) <= 6
    assert token_text(run(backend))


def test_the_prompt_is_counted_where_the_server_counts_it(backend):
    events = run(backend)
    counted = [event for event in events if isinstance(event, PrefillProgress)]
    assert all(event.total > 10 for event in counted)


def test_errors_are_errors_of_ours(server):
    only(server, "llama-cpp-python")
    impatient = RemoteBackend(server[0], key="", retries=RetryLimits(1))
    with pytest.raises(SparkError):
        run(impatient, instruction="word " * 20_000)
    impatient.close()


def test_a_model_that_nobody_has_is_an_error_of_ours(server):
    only(server, "transformers")
    lost = RemoteBackend(server[0], "nobody/knows-it", key="", retries=RetryLimits(1))
    with pytest.raises(SparkError):
        run(lost)
    lost.close()
