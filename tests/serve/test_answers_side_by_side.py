"""Orders for two things at once, from several clients, in a cache that has room for few of them."""

import threading

from support.cache_integrity import check_pool
from support.engine_turns import at_once
from test_same_answers_as_local import TEXT

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.factory import built_in_models
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.events import Token
from spark_tui.serve.batching.batch_engine import BatchEngine

INSTRUCTIONS = (
    "remove the print and change the default of limit to 25",
    "rename sku to code in add. Also remove the print",
    "1. change the default of count to 2\n2. remove the print",
    "first compare with None properly, then change the default of limit to 3",
    "rename rows to records and change the default of limit to 30",
)
CACHE_BYTES = 8 << 20


def by_itself(**more):
    """The model, which writes all edits itself."""
    made = LocalBackend.open(built_in_models()[0], **more)
    return made


def request(instruction):
    return Request(instruction, (FilePart("shop/basket.py", TEXT),), max_tokens=128)


def ids(backend, instruction):
    return [
        event.id
        for event in backend.stream(request(instruction), threading.Event())
        if isinstance(event, Token)
    ]


def test_all_are_answered_as_they_are_alone_where_there_is_room_for_few():
    local = by_itself()
    alone = [ids(local, instruction) for instruction in INSTRUCTIONS]
    local.close()
    shared = BatchEngine(by_itself(cache_bytes=CACHE_BYTES))
    found = at_once(lambda instruction: ids(shared, instruction), INSTRUCTIONS)
    check_pool(shared._engine.pool)
    shared.close()
    assert found == alone
