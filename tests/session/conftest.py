"""Sessions that several test files open."""

import pytest
from support.scripted_backend import Scripted
from support.scripted_sessions import ANSWERS, FOUR_LINES, IN_SHOP, INDEXED, SEVEN_LINES, scripted_sessions

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session


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
    opened = []

    def open_one(answers=None, settings=None, backend=None, session_id=""):
        backend = backend or Scripted({**IN_SHOP, **(answers or {})})
        opened.append(
            Session(repo, backend, settings or Settings(), tmp_path / "state", session_id=session_id)
        )
        return opened[-1]

    yield open_one
    for session in opened:
        session.close()
