"""A list or dictionary that is not named is the one whose items look like the new one."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """ROOTS = ["/usr", "/var/lib"]
SKIP = [".git", ".tox"]
CURRENCIES = ("EUR", "USD")
CODES = [200, 204]
PRICES = {"basic": 5, "gold": 10}
LIMITS = {"/usr": 80}
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        ("add_item", "scan /opt too", {"value": "/opt"}, '"/var/lib"]', '"/var/lib", "/opt"]'),
        ("add_item", "ignore .venv as well", {"value": ".venv"}, '".tox"]', '".tox", ".venv"]'),
        (
            "add_item",
            "GBP at the end of the list",
            {"value": "GBP", "variable": "list"},
            '"USD")',
            '"USD", "GBP")',
        ),
        ("add_item", "201 is fine too", {"value": "201"}, "204]", "204, 201]"),
        ("remove_item", ".tox is wanted", {"value": ".tox"}, ', ".tox"', ""),
        ("set_entry", "raise gold to 12", {"key": "gold", "value": "12"}, '"gold": 10', '"gold": 12'),
    ],
)
def test_the_items_tell_which_one_is_meant(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert changed(CODE, text, intent, **slots) == CODE.replace(old, new)


def test_what_is_taken_for_the_list_is_marked() -> None:
    answer = answer_to(CODE, "scan /opt too", "add_item", value="/opt")
    assert "ROOTS was assumed to be meant" in answer.ways[0].marked


def test_a_number_that_is_to_go_is_looked_for_in_every_list() -> None:
    answer = answer_to(CODE + "SIZES = [204]\n", "204 is wrong", "remove_item", value="204")
    assert any("places fit" in item for item in answer.ways[0].marked)


def test_a_function_takes_it_into_a_list_that_it_reads_and_not_into_one_that_it_fills() -> None:
    code = """_SKIPPED = {"build", ".venv", "dist"}
ENDS = {".txt"}


def walk(names):
    found = []
    for name in names:
        if name not in _SKIPPED:
            found.append(name)
    return found
"""
    after = changed(code, "also skip .tox in the walk", "add_item", value=".tox", function="walk")
    assert after == code.replace('"dist"', '"dist", ".tox"')
