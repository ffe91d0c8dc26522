"""Clients that leave in the middle of a message's handling."""

import gc
import json
import threading
import warnings

from support.serving import Raw

from spark_tui.serve.endpoints.websocket import Connection


def test_a_message_whose_handling_has_not_begun_leaves_nothing_behind(live):
    client = Raw(live)
    client.turn(input="go", max_output_tokens=1)
    loop = live.context.registry.loop
    (connection,) = (
        one for one in gc.get_objects() if type(one) is Connection and one._registry.loop is loop
    )
    done = threading.Event()

    def resumes_and_leaves():
        connection.on_text(json.dumps({"type": "response.resume", "response_id": "resp_none"}))
        connection._slow.cancel()
        connection._slow = connection._wire.resume_reading()  # as where the connection ends
        loop.call_later(0.05, done.set)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        loop.call_soon_threadsafe(resumes_and_leaves)
        assert done.wait(60)
        client.close()
        gc.collect()
    assert not [one.message for one in said if "never awaited" in str(one.message)]
