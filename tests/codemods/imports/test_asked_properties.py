"""A property runs where `__doc__` and the like is asked of what it gives; a method does not."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, repository

from spark_tui.codemods.checks.harm import checked


@pytest.mark.parametrize(("decorator", "runs"), [("@property", True), ("", False)])
def test_what_is_asked_of_a_property_runs_it(decorator: str, runs: bool) -> None:
    code = (
        f"class Cart:\n    {decorator}\n    def size(self):\n        return 1\n\n\nT = Cart().size.__doc__\n"
    )
    files = {"shop/__init__.py": "", "shop/cart.py": code, "shop/user.py": "from shop.cart import T\n"}
    found = checked(plan("set_return size 7", files), repository(files))
    reasons = [one.reason for one in (*found.unfollowed, *found.findings)]
    assert any("it may run when the module is imported" in reason for reason in reasons) is runs
