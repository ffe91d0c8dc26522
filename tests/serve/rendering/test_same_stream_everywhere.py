"""The same recorded stream says the same through every endpoint."""

import json

import pytest
from support.http_client import ask, events
from support.serving import Raw, serving, text_of

from spark_tui.backends import recording
from spark_tui.backends.base import Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.replay import ReplayBackend
from spark_tui.cli import main
from spark_tui.config import paths
from spark_tui.events import Token

RECORDINGS = {found.name: found for found in recording.load_all(paths.recordings_dir())}


@pytest.mark.parametrize("name", ["cart-guard", "storage-pathlib", "rename-qty"])
def test_a_recorded_stream_is_the_same_text_through_websocket_events_and_exec(name, repo, capsys):
    import threading

    played = RECORDINGS[name]
    with serving(ReplayBackend([played], 0.0)) as live:
        client = RemoteBackend(live.url, key="")
        request = Request(played.instruction)
        lean = [event for event in client.stream(request, threading.Event()) if isinstance(event, Token)]
        client.close()
        assert "".join(token.text for token in lean) == played.text
        assert [token.text for token in lean] == [piece.text for piece in played.pieces]
        body = {"input": played.instruction, "stream": True}
        rows = [json.loads(data) for _, data in events(ask(live, "POST", "/v1/responses", body)[2])]
        # To others a stream of line ranges is translated, alike through both endpoints.
        assert text_of(rows) == text_of(Raw(live).turn(input=played.instruction))
        if played.format != "lines":
            assert text_of(rows) == played.text
    path = paths.recordings_dir() / f"{name}.jsonl"
    words = ["exec", played.instruction, "-f", played.path, "--json", "-C", str(repo)]
    main.main([*words, "--replay", str(path), "--pace", "unlimited"])
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert "".join(row["text"] for row in printed if row["type"] == "Token") == played.text
