"""Sessions that several test files open."""

import pytest
from support.open_sessions import DEFAULTS, open_sessions
from support.scripted_backend import Scripted
from support.scripted_sessions import ANSWERS, FOUR_LINES, IN_SHOP, INDEXED, SEVEN_LINES, scripted_sessions
from support.small_repositories import written
from support.tool_backend import CART, ToolBackend

from spark_tui.config.settings import Settings


@pytest.fixture
def state(tmp_path):
    """The state folder of the sessions that `open_session` and `open_indexed` open."""
    return tmp_path / "state"


@pytest.fixture
def open_session(tmp_path):
    """Open a session over seven lines, or a stored one by its id."""
    with scripted_sessions(tmp_path, ANSWERS, SEVEN_LINES) as open_one:
        yield open_one


@pytest.fixture
def open_indexed(tmp_path):
    """Open a session over four lines, for the tests of the index."""
    with scripted_sessions(tmp_path, INDEXED, FOUR_LINES) as open_one:
        yield open_one


@pytest.fixture
def open_in_shop(repo, tmp_path):
    """Open a session over the example repository; `answers` are added to `IN_SHOP`."""
    with open_sessions(repo, tmp_path / "state") as open_one:
        yield lambda answers=None, settings=DEFAULTS, backend=None, session_id="": open_one(
            backend or Scripted({**IN_SHOP, **(answers or {})}), settings, session_id
        )


@pytest.fixture
def open_with_tools(tmp_path):
    """Open a session over a cart and a file with a secret; its model calls tools."""
    root = written(tmp_path / "plain", {"cart.py": CART, ".env": "KEY=sesame\n"})
    with open_sessions(root, tmp_path / "state") as open_one:
        yield lambda *answers, backend=None, session_id="", **settings: open_one(
            backend or ToolBackend(*answers), Settings(**settings), session_id
        )
