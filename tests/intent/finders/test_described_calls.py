"""Calls are found by their name and the words among their arguments."""

from __future__ import annotations

from intent.asking import answer_to

CODE = """import time


def run(items):
    for one in items:
        print("DEBUG", one)
        print("next", one)
        time.sleep(2)
        time.sleep(5)
"""


def test_a_call_without_these_words_is_not_meant() -> None:
    assert not answer_to(CODE, "out with the bogus prints", "delete_calls", call="bogus prints").ways
