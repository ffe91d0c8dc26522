"""A server of our own with a model that counts, and the backend that is connected to it."""

import pytest
from support.serving import serving

from spark_tui.backends.remote.backend import RemoteBackend


@pytest.fixture
def live():
    with serving() as server:
        yield server


@pytest.fixture
def backend(live):
    remote = RemoteBackend(live.url, key="")
    yield remote
    remote.close()
