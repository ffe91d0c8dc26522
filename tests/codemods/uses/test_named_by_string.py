"""Strings that name a definition follow a rename, and are named where a signature changes."""

from __future__ import annotations

import pytest
from codemods.repositories import changed_lines, plan

FILES = {
    "shop.py": """def send(to, text):
    return to, text


class Cart:
    def add(self, a, b):
        return send(a, b)


def run(cart: Cart):
    return cart.add(1, 2)
""",
    "test_shop.py": """from unittest.mock import patch

import shop
from shop import Cart


@patch("shop.send")
@patch("shop.Cart.add")
def test_calls(add, send):
    shop.run(Cart())
    assert add.call_args[0] == (1, 2)


@patch.object(shop, "send")
@patch.object(target=Cart, attribute="add")
def test_objects(add, send, mocker, monkeypatch):
    mocker.spy(Cart(), "add")
    monkeypatch.setattr(shop, "send", print)
    note(shop, "send")
    note(Cart, "add")
    other(mocker, "add", "send")
""",
}


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ("reorder_parameters shop.send text,to", [7, 14, 18, 19]),
        ("reorder_parameters Cart.add b,a", [8, 15, 17, 20]),
        ("add_parameter Cart.add c value=3", [8, 15, 17, 20]),
        ("make_keyword_only shop.send text", [7, 14, 18, 19]),
    ],
)
def test_a_changed_signature_names_the_strings_that_put_something_in_its_place(
    call: str, lines: list[int]
) -> None:
    found = [unfollowed for unfollowed in plan(call, FILES).unfollowed if unfollowed.path == "test_shop.py"]
    assert [unfollowed.line for unfollowed in found] == lines
    assert {unfollowed.reason for unfollowed in found} == {
        "a string names it: what is called in its place is not followed"
    }


def test_a_default_changes_no_call_and_marks_no_string() -> None:
    assert plan("add_parameter shop.send cc default=None", FILES).unmarked


@pytest.mark.parametrize(
    ("call", "changed", "left"),
    [
        (
            "rename shop.send post",
            [
                '@patch("shop.post")',
                '@patch.object(shop, "post")',
                'monkeypatch.setattr(shop, "post", print)',
            ],
            19,
        ),
        (
            "rename Cart.add put",
            [
                '@patch("shop.Cart.put")',
                '@patch.object(target=Cart, attribute="put")',
                'mocker.spy(Cart(), "put")',
            ],
            20,
        ),
    ],
)
def test_a_rename_follows_where_it_is_known_and_names_the_rest(
    call: str, changed: list[str], left: int
) -> None:
    assert changed_lines(call, FILES)["test_shop.py"] == changed
    named = [unfollowed for unfollowed in plan(call, FILES).unfollowed if "may mean it" in unfollowed.reason]
    assert [(unfollowed.path, unfollowed.line) for unfollowed in named] == [("test_shop.py", left)]
