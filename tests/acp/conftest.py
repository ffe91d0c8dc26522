"""A scripted editor beside the example repository. Tests of this folder need the extra `[acp]`."""

import pytest

pytest.importorskip("acp")

from support.acp_client import Editor
from support.scripted_backend import Scripted

CART = "shop/cart.py"
ANSWERS = {
    "do it": "Well then.\n*** shop/cart.py\n@@ 6,7\n+FREE_SHIPPING_FROM = 5000\n\n@@ 7,8\n+SHIPPING = 500\n",
    "no, other": "*** shop/cart.py\n@@ 7,8\n+SHIPPING = 700\n",
    "both": "*** shop/cart.py\n@@ 7,8\n+SHIPPING = 500\n\n*** shop/prices.py\n@@ 1,2\n+'''Prices.'''\n",
    "talk": "Nothing of that is an edit.",
}


@pytest.fixture
def editor():
    return Editor()


@pytest.fixture
def scripted():
    """Makes backends that answer by script, a character a token."""
    return lambda: Scripted(ANSWERS)
