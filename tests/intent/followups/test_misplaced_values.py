"""Values behind an edit that were read as orders for something that is not there."""

from __future__ import annotations

import pytest
from intent.support import said_behind

CODE = """def serve(port):
    connect(port, retries=3)
    return port
"""


@pytest.mark.parametrize(
    ("text", "intent", "words", "says"),
    [
        ("the office says 8", "set_value", {"variable": "office", "value": "8"}, "retries=8"),
        ("the office says fast", "set_value", {"variable": "office", "value": "fast"}, ""),
        ("serve gives 8", "set_return", {"function": "serve", "result": "8"}, "return 8"),
    ],
)
def test_a_value_of_what_is_not_there_is_for_what_was_written(
    text: str, intent: str, words: dict[str, str], says: str
) -> None:
    made = said_behind(CODE, [("retries=3", "retries=5")], text, intent, words)
    assert says in made if says else made == ""
