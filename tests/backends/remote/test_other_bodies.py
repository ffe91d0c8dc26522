"""An answer that is no API's: which page or text it is, and what to look at."""

from threading import Event as StopFlag

import pytest
from support.queued_answers import Scripted

from spark_tui.backends.base import Request
from spark_tui.backends.remote import other_bodies
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.errors import NoBackend

PAGE = b"\n<!-- made -->\n<!DOCTYPE html>\n<html><head><title>\n Sign in &amp; more </title></head></html>"
HTML = {"content-type": "text/html"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (PAGE, 'an HTML page, "Sign in & more"'),
        (b"<html><body><h1>502 <b>Bad</b> Gateway</h1>", 'an HTML page, "502 Bad Gateway"'),
        (b"<HTML lang=x>", "an HTML page"),
        (b"<html><title>" + b"long " * 40 + b"</title>", f'an HTML page, "{"long " * 16}"'),
        (b" error code: 1020\n", 'the text "error code: 1020"'),
    ],
)
def test_a_body_that_is_not_json_is_named(body, words):
    assert other_bodies.read(body).words == words


@pytest.mark.parametrize("body", [b"", b" \n", b"\xff\xfe\x00"])
def test_what_is_no_text_is_not_quoted(body):
    assert other_bodies.read(body) is None


@pytest.mark.parametrize("model", ["", "m"])
@pytest.mark.parametrize(
    ("answer", "what", "hint"),
    [
        ((200, HTML, PAGE), 'answered with an HTML page, "Sign in & more"', "no model's API"),
        ((200, {}, b"OK"), 'answered with the text "OK"', "no model's API"),
        ((200, {}, b"error:\n it loads"), 'answered with the text "error: it loads"', "no model's API"),
        ((400, HTML, PAGE), 'status 400 and an HTML page, "Sign in & more"', "no model's API"),
        ((404, HTML, PAGE), 'status 404 and an HTML page, "Sign in & more"', "Most end in /v1"),
        ((401, HTML, PAGE), 'status 401 and an HTML page, "Sign in & more"', "SPARK_API_KEY"),
        ((502, HTML, PAGE), 'status 502 and an HTML page, "Sign in & more"', "try again later"),
        ((500, {}, b"it fell over"), "it fell over", "try again later"),
        ((302, {"location": "/login?next=%2F"}, b""), "redirects to http://127.0.0.1:", "If that is"),
        ((301, {"location": "https://x.org/v1/models"}, b""), "to https://x.org/v1; nothing", "If that is"),
        (
            (301, {"location": "https://x.org/v1/chat/completions"}, b""),
            "to https://x.org/v1; ",
            "its address",
        ),
    ],
)
def test_a_server_that_is_no_api_is_said_to_be_what_it_is(model, answer, what, hint):
    with Scripted(answer, answer) as server:
        backend = RemoteBackend(server.url, model, key="", retries=RetryLimits(1), api="chat")
        with pytest.raises(NoBackend) as caught:
            backend.models() if not model else list(backend.stream(Request("go", format="prose"), StopFlag()))
        assert what in caught.value.what and hint in caught.value.hint
        assert caught.value.where
        backend.close()
