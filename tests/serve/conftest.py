"""A server with a model that counts, a connection to it, and the engine that turns share."""

import pytest
from support.serving import Raw, serving
from support.tiny_models import chat_backend

from spark_tui.serve.batching.batch_engine import BatchEngine


@pytest.fixture
def live():
    with serving() as server:
        yield server


@pytest.fixture
def client(live):
    raw = Raw(live)
    yield raw
    raw.close()


@pytest.fixture
def shared():
    engine = BatchEngine(chat_backend())
    yield engine
    engine.close()
