"""Calls are found by their name and the words among their arguments."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import time


def run(items):
    for one in items:
        print("DEBUG", one)
        print("next", one)
        time.sleep(2)
        time.sleep(5)
"""


@pytest.mark.parametrize(
    ("said", "gone"),
    [("DEBUG print", '        print("DEBUG", one)\n'), ("sleep of 5", "        time.sleep(5)\n")],
)
def test_only_the_described_call_goes(said: str, gone: str) -> None:
    assert changed(CODE, f"out with the {said}", "delete_calls", call=said) == CODE.replace(gone, "")


def test_a_call_without_these_words_is_not_meant() -> None:
    assert not answer_to(CODE, "out with the bogus prints", "delete_calls", call="bogus prints").ways
