"""What pytest gives the parameters of tests and fixtures."""

from __future__ import annotations

import ast

import pytest

from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.inference.values import InstanceValue
from spark_tui.pysource.repository import Repository

SHOP = "class Cart: ...\nclass Box: ...\n"
HEAD = "import pytest\nfrom shop import Cart, Box\n\n\n"
USE = "def test_it(cart):\n    cart.go\n"
FIXTURE = "@pytest.fixture\ndef cart():\n    "
MADE = f"{FIXTURE}return Cart()\n"
CONFTEST = "tests/conftest.py"


def held(files: dict[str, str]) -> str:
    """The class of what is asked for `go` in the test file; empty if it is not known."""
    repo = Repository(DictTree({"shop.py": SHOP, **files}))
    scopes = repo.index.scopes("tests/test_cart.py")
    node = next(
        one for one in ast.walk(scopes.source.tree) if isinstance(one, ast.Attribute) and one.attr == "go"
    )
    found = repo.infer.values("tests/test_cart.py", node.value, scopes.scope_at[node])
    return " ".join(one.of.node.name if isinstance(one, InstanceValue) else "" for one in found)


@pytest.mark.parametrize(
    "fixture",
    [
        "return Cart()\n",
        "made = Cart()\n    yield made\n    made.close()\n",
    ],
)
@pytest.mark.parametrize("path", ["", CONFTEST, "conftest.py"])
def test_a_fixture_is_found_by_its_name(fixture: str, path: str) -> None:
    code = f"{FIXTURE}{fixture}\n\n"
    files = {path: HEAD + code} if path else {}
    assert held({**files, "tests/test_cart.py": f"{HEAD}{'' if path else code}{USE}"}) == "Cart"


@pytest.mark.parametrize(("hint", "body"), [("Cart", "return make()"), ("Iterator[Cart]", "yield make()")])
def test_the_annotation_of_a_fixture_says_what_it_gives(hint: str, body: str) -> None:
    code = f"from typing import Iterator\n{HEAD}@pytest.fixture()\ndef cart() -> {hint}:\n    {body}\n\n\n"
    assert held({"tests/test_cart.py": code + USE}) == "Cart"


def test_the_nearest_fixture_counts() -> None:
    other = MADE.replace("Cart()", "Box()")
    files = {CONFTEST: HEAD + other, "tests/test_cart.py": f"{HEAD}{MADE}\n\n{USE}"}
    assert held(files) == "Cart"
    inner = USE.replace("def test_it(cart)", "def test_it(self, cart)")
    body = "".join(
        f"    {line}\n" for line in f"{other.replace('cart()', 'cart(self)')}\n{inner}".splitlines()
    )
    assert held({"tests/test_cart.py": f"{HEAD}{MADE}\n\nclass TestIt:\n{body}"}) == "Box"


@pytest.mark.parametrize(
    ("fixture", "use"),
    [
        (MADE.replace("fixture", 'fixture(name="other")'), USE),
        (MADE.replace("pytest.fixture", "other"), USE),
        (MADE, USE.replace("test_it", "check_it")),
        (MADE, f'@pytest.mark.parametrize("cart", [1])\n{USE}'),
        (MADE, USE.replace("def test_it", "@pytest.fixture\ndef cart")),
    ],
)
def test_what_is_no_fixture_for_it_is_unknown(fixture: str, use: str) -> None:
    assert held({"tests/test_cart.py": f"{HEAD}{fixture}\n\n{use}"}) == ""


def test_a_new_conftest_is_seen() -> None:
    files = {"shop.py": SHOP, CONFTEST: HEAD, "tests/test_cart.py": f"{HEAD}{USE}"}
    repo = Repository(DictTree(files))
    scopes = repo.index.scopes("tests/test_cart.py")
    node = next(one for one in ast.walk(scopes.source.tree) if isinstance(one, ast.Attribute))
    after = repo.with_changes({CONFTEST: HEAD + MADE})
    for one, known in ((repo, False), (after, True)):
        found = one.infer.values("tests/test_cart.py", node.value, scopes.scope_at[node])
        assert isinstance(found[0], InstanceValue) is known
