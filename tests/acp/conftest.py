"""A scripted editor beside the example repository. Without the extra `[acp]` this folder has no tests."""

from importlib.util import find_spec

import pytest

# This folder itself may be found as `acp`.
collect_ignore_glob = [] if find_spec("acp.schema") else ["test_*.py"]

ANSWERS = {
    "do it": "Well then.\n*** shop/cart.py\n@@ 6,7\n+FREE_SHIPPING_FROM = 5000\n\n@@ 7,8\n+SHIPPING = 500\n",
    "no, other": "*** shop/cart.py\n@@ 7,8\n+SHIPPING = 700\n",
    "both": "*** shop/cart.py\n@@ 7,8\n+SHIPPING = 500\n\n*** shop/prices.py\n@@ 1,2\n+'''Prices.'''\n",
    "talk": "Nothing of that is an edit.",
}


@pytest.fixture
def editor():
    from support.acp_client import Editor

    return Editor()


@pytest.fixture
def scripted():
    """Makes backends that answer by script, a character a token."""
    from support.scripted_backend import Scripted

    return lambda: Scripted(ANSWERS)
