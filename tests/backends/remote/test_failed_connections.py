"""Servers that cannot be connected to, speak the other scheme, or answer with what nobody can read: how often
they are asked, what a person is told, and that a stop ends every wait."""

import contextlib
import socket
import threading

import pytest
from support.queued_answers import Scripted
from support.raw_servers import deaf_server, full_listener, raw_server, read_request, secret_server
from support.serving import make_certificate
from test_protocols import run

from spark_tui.backends.remote import http_client, scheme_probe
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.errors import NoBackend

every_api = pytest.mark.parametrize("api", ["chat", "responses"])


def connected(url, api="chat", connect_seconds=0.3, **options):
    limits = RetryLimits(5, jitter=lambda: 0.0)
    backend = RemoteBackend(url, "m", key="", api=api, retries=limits, **options)
    backend._endpoint.connect_seconds = connect_seconds
    return backend


def told(backend):
    with pytest.raises(NoBackend) as caught:
        run(backend)
    return f"{caught.value.what} {caught.value.hint}"


@every_api
def test_a_server_that_does_no_handshake_is_waited_for_once(api):
    with deaf_server() as (port, accepted):
        says = told(connected(f"https://127.0.0.1:{port}/v1", api))
    assert "the server did not answer the TLS handshake in 0.3 s" in says and "http://" in says
    # The second one asks whether it speaks http.
    assert len(accepted) == 2


@every_api
def test_an_address_where_nobody_accepts_is_waited_for_once(api, monkeypatch):
    tried, connect = [], socket.create_connection

    def counted(address, *rest, **options):
        tried.append(address)
        return connect(address, *rest, **options)

    monkeypatch.setattr(socket, "create_connection", counted)
    with full_listener() as port:
        says = told(connected(f"http://127.0.0.1:{port}/v1", api))
    assert tried == [("127.0.0.1", port)]
    assert "cannot connect: no answer in 0.3 s" in says and "firewall" in says


@every_api
@pytest.mark.parametrize("kind", ["connect", "handshake"])
def test_a_stop_ends_the_wait_for_a_connection(api, kind):
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    with contextlib.ExitStack() as stack:
        if kind == "connect":
            url = f"http://127.0.0.1:{stack.enter_context(full_listener())}/v1"
        else:
            url = f"https://127.0.0.1:{stack.enter_context(deaf_server())[0]}/v1"
        assert run(connected(url, api, connect_seconds=3600.0), stop) == []


@every_api
def test_http_to_a_port_that_speaks_https_says_so(api, tmp_path):
    with secret_server(*make_certificate(tmp_path)) as port:
        says = told(connected(f"http://127.0.0.1:{port}/v1", api))
    assert f"the server speaks https: its address is https://127.0.0.1:{port}/v1" in says


@every_api
def test_https_to_a_port_that_speaks_http_says_so(api):
    with Scripted() as server:
        says = told(connected(server.url.replace("http:", "https:"), api))
    assert f"the server speaks http without TLS: its address is {server.url}" in says


def test_a_server_that_has_answered_is_not_asked_with_the_other_scheme(monkeypatch):
    probed = []
    monkeypatch.setattr(scheme_probe, "speaks_other", lambda address: bool(probed.append(address)))
    with raw_server(read_request) as (port, accepted):
        backend = connected(f"http://127.0.0.1:{port}/v1")
        assert "the connection closed before an answer" in told(backend)
        # One that may only have been busy is asked again, and only once whether it speaks TLS.
        assert (len(accepted), len(probed)) == (5, 1)
        assert "the connection closed before an answer" in told(backend)
        assert len(probed) == 1


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"content-encoding: gzip\r\n\r\ndata: {}\n\n", "cannot be decompressed"),
        (b"transfer-encoding: chunked\r\n\r\nZZ\r\ndata", "not valid HTTP"),
        (b"\r\ndata: " + b"x" * 5000, "an event without an end"),
        (b"\r\ndata: {\n\n", "not JSON"),
    ],
)
def test_what_nobody_can_read_is_asked_for_once(answer, says, monkeypatch):
    monkeypatch.setattr(http_client, "_MAX_BODY_BYTES", 4000)

    def talk(sock):
        read_request(sock)
        sock.sendall(HEAD + answer)

    with raw_server(talk) as (port, accepted):
        found = told(connected(f"http://127.0.0.1:{port}/v1"))
        assert len(accepted) == 1
    assert says in found and "another API" in found and "proxy" in found and "running" not in found


@every_api
def test_a_server_that_wants_a_client_certificate_is_told_as_that(api, tmp_path, monkeypatch):
    certificate, key = make_certificate(tmp_path)
    with secret_server(certificate, key, wants_certificate=True) as port:
        says = told(connected(f"https://localhost:{port}/v1", api, authority=certificate))
    assert "the server asks for a client certificate" in says and "tunnel" in says and "SSL" not in says


@pytest.mark.parametrize(("bypass", "said"), [("", True), ("127.0.0.1", False)])
@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "ALL_PROXY"])
def test_a_proxy_that_is_not_used_is_said(monkeypatch, name, bypass, said):
    for one in ("all_proxy", "no_proxy", "https_proxy", "http_proxy", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(one, raising=False)
    monkeypatch.setenv(name, "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", bypass)
    with full_listener() as port:
        says = told(connected(f"http://127.0.0.1:{port}/v1"))
    assert (f"The proxy of {name} is not used" in says) is said
