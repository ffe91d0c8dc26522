"""A server over the example repository, reached by the SDK's client in this process."""

from contextlib import asynccontextmanager

import pytest

from spark_tui.mcp.tools import Tools


@pytest.fixture
def connect(repo):
    """`async with connect(write=…) as client`."""
    sdk = pytest.importorskip("mcp")
    from spark_tui.mcp.server import make_server

    @asynccontextmanager
    async def connect(*, write=False, mode="auto"):
        async with sdk.Client(make_server(Tools(repo, write=write)), mode=mode) as client:
            yield client

    return connect
