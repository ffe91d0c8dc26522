"""A key of the configuration file in view is meant before a variable of that name elsewhere."""

from __future__ import annotations

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CONFIG = '[server]\nport = 8080\ndebug = true\nversion = "0.3.0"\n'
FILES = {"config.toml": CONFIG, "server.py": 'PORT = 8080\nDEBUG = True\nversion = "1"\n'}


@pytest.mark.parametrize(
    ("intent", "text", "slots", "new"),
    [
        ("set_value", "set port to 9000", {"variable": "port", "value": "9000"}, ("8080", "9000")),
        ("set_value", "bump version to 0.4.0", {"variable": "version", "value": "0.4.0"}, ("0.3", "0.4")),
        ("flip_flag", "turn debug off", {"variable": "debug"}, ("true", "false")),
    ],
)
def test_a_key_of_the_file_in_view_is_set(
    intent: str, text: str, slots: dict[str, str], new: tuple[str, str]
) -> None:
    given = {
        slot: (Span(text.index(said), text.index(said) + len(said), said),) for slot, said in slots.items()
    }
    order = Order(0, len(text), (Reading(intent, 0.95, given),))
    now = situation(FILES, path="config.toml", instruction=text)
    (way,) = answer_orders([order], now).ways
    assert way.plan.texts(now.repo) == {"config.toml": CONFIG.replace(*new)}
