"""Exceptions that are said in words are the class that is meant, by what the tried statements can raise."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import json


def settings(path):
    try:
        with open(path) as file:
            return json.load(file)
    except:
        return {}


def port_of(table, name):
    try:
        return int(table[name])
    except Exception:
        return None
"""


@pytest.mark.parametrize(
    ("text", "slots", "wanted"),
    [
        ("only a missing file in settings", {"exception": "a missing file"}, "except FileNotFoundError:"),
        ("only a broken file in settings", {"exception": "a broken file"}, "except json.JSONDecodeError:"),
        (
            "settings: naked except, only the missing-file case",
            {"exception": "the missing-file case", "old": "naked except"},
            "except FileNotFoundError:",
        ),
        ("in settings nur Strg+C", {"exception": "Strg+C"}, "except KeyboardInterrupt:"),
    ],
)
def test_words_for_what_goes_wrong_become_its_class(text: str, slots: dict[str, str], wanted: str) -> None:
    new = changed(CODE, text, "set_except", function="settings", **slots)
    assert new == CODE.replace("except:", wanted)


@pytest.mark.parametrize(("said", "wanted"), [("an unknown name", "KeyError"), ("garbage", "ValueError")])
def test_the_class_is_one_that_the_tried_statement_raises(said: str, wanted: str) -> None:
    new = changed(
        CODE, f"port_of: {said} only, not everything", "set_except", exception=said, old="everything"
    )
    assert new == CODE.replace("except Exception:", f"except {wanted}:")


def test_what_nothing_there_raises_is_not_caught() -> None:
    assert not answer_to(
        CODE, "port_of: network only", "set_except", exception="network", function="port_of"
    ).ways
