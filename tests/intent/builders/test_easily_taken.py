"""Of which code only the new name is said: what is easily taken for it is replaced."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """from datetime import datetime


def age(born):
    return (datetime.now() - born).seconds / 60


def key(name):
    return name.lower().strip()
"""


@pytest.mark.parametrize("slots", [{}, {"old": "seconds"}, {"old": ".seconds"}])
@pytest.mark.parametrize("new", ["total_seconds", "total_seconds()", ".total_seconds()"])
def test_an_attribute_becomes_a_call_of_the_method(new: str, slots: dict[str, str]) -> None:
    said = f"use {new}{' instead of ' + slots['old'] if slots else ''} in age"
    after = changed(CODE, said, "replace_call", new=new, function="age", **slots)
    assert after == CODE.replace(".seconds /", ".total_seconds() /")


def test_another_attribute_stays() -> None:
    found = answer_to(
        CODE.replace(".seconds", ".days"), "use total_seconds", "replace_call", new="total_seconds"
    )
    assert found.kind != "edit"


def test_a_call_becomes_one_of_the_method_that_is_easily_taken_for_it() -> None:
    after = changed(CODE, "use casefold in key", "replace_call", new="casefold", function="key")
    assert after == CODE.replace("lower()", "casefold()")
