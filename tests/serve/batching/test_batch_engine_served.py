"""The shared engine after the server."""

import threading

from support.engine_turns import FILE
from support.event_streams import token_ids
from support.http_client import asked
from support.poisoned_tokens import poison
from support.serving import Raw, serving, text_of, until
from support.tiny_models import chat_backend, spark_backend

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.serve.batching.batch_engine import BatchEngine


def test_through_the_server_the_ids_are_those_of_the_engine():
    direct = chat_backend()
    request = Request("change it", files=(FILE,), max_tokens=20)
    alone = token_ids(direct.stream(request, threading.Event()))
    direct.close()
    engine = BatchEngine(chat_backend())
    with serving(engine) as live:
        remote = RemoteBackend(live.url, key="")
        assert token_ids(remote.stream(request, threading.Event())) == alone
        assert remote.format_for(request) == "search_replace"
        remote.close()
        clients = [Raw(live) for _ in range(6)]
        for client in clients:
            client.send(type="response.create", input="go on", max_output_tokens=30)
        said = [text_of(client.until("response.incomplete", "response.completed")) for client in clients]
        assert len(set(said)) == 1
    engine.close()


def test_a_client_that_vanishes_frees_its_seat():
    engine = BatchEngine(chat_backend())
    with serving(engine) as live:
        client = Raw(live)
        client.send(type="response.create", input="go on", max_output_tokens=1900)
        client.until("response.output_text.delta")
        client.close()
        until(lambda: not engine._sequences and not live.context.registry.running)
    engine.close()


def test_a_prompt_is_counted_as_the_model_reads_it():
    """The built-in family reads no rules, so a client that sends many is no reason to refuse its small
    file."""
    rules = "Be kind to every line. " * 1500
    told = "word " * 3000
    engine = BatchEngine(spark_backend())
    with serving(engine) as live:
        shown = f"a.py\n```\n{FILE.text}```\nchange it"
        status, _ = asked(live, "/v1/responses", instructions=rules, input=shown, max_output_tokens=4)
        assert status == 200
        status, body = asked(live, "/v1/responses", input=f"{shown} {told}", max_output_tokens=4)
        assert (status, body["error"]["code"], body["error"]["window"]) == (
            400,
            "context_length_exceeded",
            2048,
        )
        read = engine.prompt_tokens(
            Request(f"change it {told.strip()}", files=(FilePart("a.py", FILE.text, 1, 24),))
        )
        assert abs(body["error"]["prompt_tokens"] - read) <= 2 < 2048 < read
    engine.close()


def test_a_turn_for_which_the_model_computes_no_number_ends_alone():
    local = chat_backend()
    poison(local.engine.model, local.engine.tokenizer.encode("~")[0])
    engine = BatchEngine(local)
    with serving(engine) as live:
        clients = [Raw(live) for _ in range(5)]
        for turn in range(3):
            for n, client in enumerate(clients):
                said = "go ~ on" if n == 2 else f"go on {turn}"
                client.send(type="response.create", input=said, max_output_tokens=60, generate=True)
            ends = [
                client.until("response.incomplete", "response.completed", "response.failed")
                for client in clients
            ]
            failed = ends.pop(2)[-1]
            assert failed["type"] == "response.failed"
            assert "computed the logit nan" in failed["response"]["error"]["message"]
            assert len({text_of(end) for end in ends}) == 1 and text_of(ends[0])
    engine.close()
