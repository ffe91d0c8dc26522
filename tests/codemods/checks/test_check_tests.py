"""A test that a runner no longer finds or can no longer call is named."""

from __future__ import annotations

import pytest
from codemods.repositories import findings, reasons

TESTS = """import pytest


@pytest.fixture
def cart():
    return [1]


def test_total(cart):
    assert sum(cart) == 1


@pytest.mark.parametrize("qty, price", [(1, 2)])
def test_price(qty, price, cart):
    assert qty < price


class TestCart:
    def test_empty(self):
        assert not []


def helper(cart):
    return cart
"""


def told(changes: dict[str, str | None]) -> list[str]:
    return reasons("tests", {"tests/test_cart.py": TESTS, "tests/helpers.py": ""}, changes)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("def test_total(", "def renamed_test_total(", "a test runner no longer finds test_total"),
        ("class TestCart", "class Renamed", "a test runner no longer finds TestCart.test_empty"),
        ("    def test_empty", "    @property\n    def test_empty", "no longer finds TestCart.test_empty"),
        ("test_total(cart)", "test_total(cart, extra)", "has no value for extra of test_total"),
        ("test_total(cart)", "test_total(cart=None)", "gives cart of test_total no value once"),
        (
            "test_price(qty, price, cart)",
            "test_price(cart, price, qty=1)",
            "gives qty of test_price no value",
        ),
        ("test_price(qty,", "test_price(amount,", "parametrized with qty, which is not a parameter"),
        ("def cart():", "def cart(extra):", "has no value for extra of cart"),
        ("def cart():", "def basket():", "test_total asks for cart, which is gone"),
        ("def test_empty", "async def test_empty", "awaits test_empty only with a plugin"),
    ],
)
def test_what_a_runner_misses_is_named(old: str, new: str, reason: str) -> None:
    assert TESTS.count(old) == 1
    found = told({"tests/test_cart.py": TESTS.replace(old, new)})
    assert any(reason in finding for finding in found), found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def test_total(", "def test_sum("),
        ("class TestCart", "class TestBasket"),
        ("test_total(cart)", "test_total(cart, tmp=1)"),
        ("def helper(cart)", "def helped(cart, extra)"),
        ("class TestCart:\n    def test_empty(self):\n        assert not []\n", ""),
        ("test_price(qty, price, cart)", "test_price(price, cart, qty)"),
    ],
)
def test_what_a_runner_still_finds_is_not_named(old: str, new: str) -> None:
    assert TESTS.count(old) == 1
    assert told({"tests/test_cart.py": TESTS.replace(old, new)}) == []


HOOKS = """from pluggy import HookimplMarker

hookimpl = HookimplMarker("shop")


def pytest_report_header(config):
    return []


def setup_module():
    pass


@hookimpl(trylast=True)
def priced(item):
    return item
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("header(config)", "header(config, extra)", "has no value for extra of pytest_report_header"),
        ("header(config)", "header(settings)", "has no value for settings of pytest_report_header"),
        ("pytest_report_header", "pytest_renamed", "no longer finds pytest_report_header"),
        ("setup_module", "prepare_module", "no longer finds setup_module"),
        ("def priced(item)", "def priced(item, qty)", "has no value for qty of priced"),
        ("def priced", "def billed", "no longer finds priced"),
        ("header(config)", "header()", ""),
        ("header(config)", "header(config, extra=1)", ""),
    ],
)
def test_a_hook_keeps_its_name_and_takes_what_its_caller_has(old: str, new: str, reason: str) -> None:
    found = reasons("tests", {"conftest.py": HOOKS}, {"conftest.py": HOOKS.replace(old, new)})
    assert [reason in item for item in found] == ([True] if reason else []), found


def test_a_test_that_moves_to_a_file_without_tests_is_named() -> None:
    body = TESTS[TESTS.index("def test_total") : TESTS.index("@pytest.mark")]
    changes = {"tests/test_cart.py": TESTS.replace(body, ""), "tests/helpers.py": body}
    assert told(changes) == ["a test runner no longer finds test_total"]
    assert told({"tests/test_cart.py": None, "tests/test_basket.py": TESTS}) == []
    assert told({"tests/test_cart.py": None, "tests/cart.py": TESTS}) != []


def test_a_class_of_tests_that_gets_a_constructor() -> None:
    code = "from base import Base\n\n\nclass TestBox(Base):\n    KIND = 'box'\n"
    made = code.replace("    KIND = 'box'", "    def __init__(self):\n        self.KIND = 'box'")
    files = {
        "test_box.py": code,
        "base.py": "class Base:\n    def test_it(self):\n        assert self.KIND\n",
    }
    said = findings("tests", files, {"test_box.py": made})
    assert [(one.line, one.reason) for one in said] == [
        (4, "a test runner takes no tests of TestBox: it has __init__")
    ]
    assert not findings("tests", {**files, "test_box.py": made}, {"test_box.py": code})
