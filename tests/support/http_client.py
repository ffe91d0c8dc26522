"""A plain HTTP client for a served backend."""

import http.client
import json

from support.serving import WAIT_SECONDS


def ask(live, method, path, body=None, headers=None):
    """Status, headers and text of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=WAIT_SECONDS)
    try:
        data = body if isinstance(body, (bytes, str)) else None if body is None else json.dumps(body)
        connection.request(method, path, data, headers or {})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()
    finally:
        connection.close()


def asked(live, path, **body):
    status, _, text = ask(live, "POST", path, body)
    return status, json.loads(text)


def events(text):
    """`(event name, data)` of server-sent events."""
    out = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        out.append((fields.get("event"), fields["data"]))
    return out
