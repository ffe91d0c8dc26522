"""What the tests of tools share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def plain_mcp_server():
    """The program of a server with a few tools."""
    return str(Path(__file__).parents[1] / "support" / "plain_mcp_server.py")
