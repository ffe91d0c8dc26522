"""What starts with a value is a sum only where nothing else is named."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.started_sums import as_started
from spark_tui.intent.words.readings import Reading

CODE = "GOLD = 100\n\n\ndef total(rows):\n    return sum(rows)\n"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("start with 0.0", "set_argument"),
        ("let the sum begin at 0.0", "set_argument"),
        ("`return sum(rows)`: start with 0.0", "set_argument"),
        ("gold starts at 800", "replace_value"),
        ("line numbers begin with 1", "replace_value"),
        ("start the timer before 0.0", "replace_value"),
    ],
)
def test_the_argument_of_a_sum_is_meant_where_no_word_names_another_thing(text: str, intent: str) -> None:
    found = as_started(Reading("replace_value", 0.9, {}), situation({PATH: CODE}, instruction=text))
    assert found.intent == intent


def test_the_sum_of_the_line_that_is_shown_is_meant() -> None:
    text = "`return sum(rows)`: start with 0.0"
    found = as_started(Reading("try_return", 0.9, {}), situation({PATH: CODE}, instruction=text))
    assert found.text("function") == "total"
