"""Statements that are tried again, and test skeletons: the code that is written runs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from codemods.repositories import plan, refusal, repository, texts_after

from spark_tui.codemods.checks.harm import checked

FETCH = '''def fetch(get, url):
    """Get it."""
    # the answer
    answer = get(url)
    return answer


async def load(get, url):
    answer = await get(url)


def each(items):
    for one in items:
        if one:
            continue
        yield one
'''


def retried(call: str, text: str = FETCH) -> dict[str, object]:
    files = {"net.py": text}
    found = checked(plan(call, files), repository(files))
    assert found.findings == ()
    scope: dict[str, object] = {}
    exec(str(found.texts(repository(files))["net.py"]), scope)
    return scope


class Flaky:
    """Raises so many times before it answers."""

    def __init__(self, failures: int) -> None:
        self.failures, self.calls = failures, 0

    def get(self, url: str) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise OSError(url)
        return url

    async def load(self, url: str) -> str:
        return self.get(url)


def test_a_function_is_tried_again_until_it_answers() -> None:
    flaky = Flaky(2)
    fetch = retried("wrap_in_retry 'in fetch' OSError")["fetch"]
    assert callable(fetch)
    assert fetch(flaky.get, "a") == "a"
    assert flaky.calls == 3


def test_the_last_error_is_raised_and_others_at_once() -> None:
    fetch = retried("wrap_in_retry 'in fetch' OSError attempts=4")["fetch"]
    assert callable(fetch)
    flaky = Flaky(9)
    with pytest.raises(OSError, match="a"):
        fetch(flaky.get, "a")
    assert flaky.calls == 4
    with pytest.raises(ZeroDivisionError):
        fetch(lambda url: 1 / 0, "a")


def test_what_succeeds_is_not_tried_again_and_waits_in_an_async_function_are_awaited() -> None:
    load = retried("wrap_in_retry 'in load' '(OSError, ValueError)' delay=0")["load"]
    assert callable(load)
    flaky = Flaky(1)
    asyncio.run(load(flaky.load, "a"))
    assert flaky.calls == 2


def test_the_module_that_waits_is_imported_once() -> None:
    files = {"net.py": FETCH}
    text = str(texts_after("wrap_in_retry net.py:4 OSError delay=0.5", files)["net.py"])
    assert text.startswith("import time\n")
    assert "            time.sleep(0.5)\n" in text
    assert "    # the answer\n    for attempt in range(3):\n" in text


QUIET = """def send(get, url):
    try:
        get(url)
    except OSError:
        return False
    return True
"""


def test_attempts_stand_inside_of_a_try_that_would_end_them() -> None:
    text = str(texts_after("wrap_in_retry 'in send' OSError", {"m.py": QUIET})["m.py"])
    scope: dict[str, object] = {}
    exec(text, scope)
    send, flaky, broken = scope["send"], Flaky(2), Flaky(9)
    assert callable(send)
    assert (send(flaky.get, "a"), flaky.calls) == (True, 3)
    assert (send(broken.get, "a"), broken.calls) == (False, 3)


@pytest.mark.parametrize(
    ("call", "marked"),
    [
        ("wrap_in_retry m.py:2-5 OSError", True),
        ("wrap_in_retry m.py:2-5 Exception", True),
        ("wrap_in_retry m.py:3 OSError", False),
    ],
)
def test_attempts_around_a_try_that_ends_them_are_marked(call: str, marked: bool) -> None:
    found = [one.reason for one in plan(call, {"m.py": QUIET}).unfollowed]
    assert any("caught here already" in reason for reason in found) == marked


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("wrap_in_retry 'in fetch' OSError attempts=1", "no retry"),
        ("wrap_in_retry 'in each' OSError", "come twice"),
        ("wrap_in_retry net.py:14 OSError", "loop of the attempts"),
        ("wrap_in_retry 'in fetch' 'a b'", "not a valid expression"),
    ],
)
def test_what_cannot_be_tried_again_is_refused(call: str, reason: str) -> None:
    assert reason in str(refusal(call, {"net.py": FETCH}))


def test_a_retry_is_not_put_around_another_one() -> None:
    files = {"net.py": "def f(g):\n    g()\n"}
    once = texts_after("wrap_in_retry 'in f' OSError", files)["net.py"]
    assert "already" in str(refusal("wrap_in_retry 'in f' OSError", {"net.py": str(once)}))


CART = """class Cart:
    def __init__(self, owner: str, *, size: int):
        self.owner = owner

    def add(self, qty: int = 1) -> int:
        return qty

    @property
    def name(self) -> str:
        return self.owner

    @classmethod
    def empty(cls, kind) -> "Cart":
        return cls("", size=0)

    async def load(self, path: str) -> None: ...

    def _own(self): ...


def total(a: int, b: "list[int]", c: str | None, *, d=1) -> float:
    return 1.0
"""


def test_a_class_gets_a_test_for_each_public_method() -> None:
    files = {"shop/__init__.py": "", "shop/cart.py": CART}
    found = checked(plan("add_test Cart", files), repository(files))
    assert found.unmarked and found.paths == ("tests/test_cart.py",)
    assert (
        found.texts(repository(files))["tests/test_cart.py"]
        == '''"""Tests of shop.cart."""

import asyncio

import pytest

from shop.cart import Cart


def test_cart_add() -> None:
    cart = Cart("text", size=1)
    result = cart.add()
    assert isinstance(result, int)


def test_cart_name() -> None:
    cart = Cart("text", size=1)
    result = cart.name
    assert isinstance(result, str)


@pytest.mark.skip(reason="values to fill in")
def test_cart_empty() -> None:
    result = Cart.empty(...)
    assert result is not None


def test_cart_load() -> None:
    cart = Cart("text", size=1)
    asyncio.run(cart.load("text"))
'''
    )


def test_the_skeleton_of_a_function_passes_where_its_values_are_known(tmp_path: Path) -> None:
    files = {"cart.py": CART}
    made = texts_after("add_test total", files)
    for path, text in {**files, **made}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(str(text))
    words = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(words, cwd=tmp_path, env={}, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout


def test_a_file_of_tests_that_is_there_grows() -> None:
    there = "from cart import total\n\n\ndef test_old():\n    total(1, [], None)\n"
    files = {"cart.py": CART, "checks/test_cart.py": there}
    text = str(texts_after("add_test Cart.add", files)["checks/test_cart.py"])
    assert text.startswith("from cart import total, Cart\n") or "import Cart, total" in text
    assert text.endswith("assert isinstance(result, int)\n")
    again = {**files, "checks/test_cart.py": text}
    assert "already has test_cart_add" in str(refusal("add_test Cart.add", again))


def test_an_inherited_constructor_gets_what_it_needs() -> None:
    files = {"m.py": "class A:\n    def __init__(self, n: int): ...\n\n\nclass B(A):\n    def f(self): ...\n"}
    text = str(texts_after("add_test B", files)["test_m.py"])
    assert "    b = B(1)\n" in text


def test_what_cannot_be_imported_is_refused() -> None:
    files = {"a.py": "def f():\n    def g(): ...\n    return g\n"}
    assert "cannot be imported" in str(refusal("add_test f.g", files))
    assert "not the path" in str(refusal("add_test f path=../test_a.py", files))


def test_a_nested_class_is_reached_through_the_outer_one() -> None:
    code = "class Outer:\n    def __init__(self, n: int): ...\n    class Inner:\n        kind = 1\n"
    text = plan("add_test Outer.Inner", {"m.py": code}).created["test_m.py"]
    assert "inner = Outer.Inner()" in text
    assert "isinstance(inner, Outer.Inner)" in text


def test_an_object_of_a_class_is_not_called_like_a_keyword() -> None:
    code = "class Class:\n    def size(self) -> int:\n        return 1\n"
    text = plan("add_test Class", {"m.py": code}).created["test_m.py"]
    assert "    made_class = Class()\n    result = made_class.size()\n" in text


def test_the_attempts_stand_inside_of_the_handler_that_would_end_them() -> None:
    files = {
        "net.py": "def f(s):\n    try:\n        s.send()\n    except OSError:\n        raise SystemExit\n"
    }
    kept = str(texts_after("wrap_in_retry 'in f' Exception", files)["net.py"])
    assert kept.startswith("def f(s):\n    for attempt in range(3):\n        try:\n            try:\n")
    files["net.py"] = files["net.py"].replace("raise SystemExit", "exit(3)")
    inside = str(texts_after("wrap_in_retry 'in f' Exception", files)["net.py"])
    assert inside.startswith("def f(s):\n    try:\n        for attempt in range(3):\n")


def test_a_test_of_a_constructor_makes_an_object() -> None:
    files = {"cart.py": "class Cart:\n    def __init__(self):\n        self.lines = []\n"}
    made = texts_after("add_test Cart.__init__", files)["test_cart.py"]
    assert made is not None and made.endswith(
        "def test_cart() -> None:\n    cart = Cart()\n    assert isinstance(cart, Cart)\n"
    )


def test_an_object_is_made_of_what_its_class_takes_in_new() -> None:
    files = {
        "cart.py": "class Cart:\n    def __new__(cls, owner: str):\n        return object.__new__(cls)\n"
    }
    assert 'cart = Cart("text")\n' in str(texts_after("add_test Cart", files)["test_cart.py"])


@pytest.mark.parametrize(
    "head, body", [("-> int | None", "return size"), ("", "if size:\n        return size\n    return None")]
)
def test_a_result_that_may_be_none_is_not_expected_to_be_another(head: str, body: str) -> None:
    files = {"cart.py": f"def total(size=1) {head}:\n    {body}\n"}
    made = str(texts_after("add_test total", files)["test_cart.py"])
    assert made.endswith("def test_total() -> None:\n    total()\n")


def test_a_method_that_only_raises_is_tested_for_that() -> None:
    code = "class B:\n    def go(self):\n        '''Go.'''\n        raise NotImplementedError('later')\n"
    text = str(texts_after("add_test B.go", {"m.py": code})["test_m.py"])
    assert "import pytest\n" in text
    assert "    b = B()\n    with pytest.raises(NotImplementedError):\n        b.go()\n" in text
