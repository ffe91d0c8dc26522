"""What is known of the functions of Python and its library that calls are of."""

from __future__ import annotations

import pytest

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import from_json
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def _plan(text: str, op: str, **given: str) -> tuple[Plan | Refused, Repository]:
    repo = Repository(DictTree({"a.py": text}))
    return from_json({"op": op, "place": "a.py", **given}).plan(repo), repo


@pytest.mark.parametrize(
    ("text", "callee", "argument"),
    [
        ("def f(**kwargs):\n    return kwargs.get('a', None)\n", "kwargs.get", "None"),
        ("def f():\n    names = []\n    return names.pop(0)\n", "names.pop", "1"),
        ("def f(path):\n    return open(path, encoding='utf-8')\n", "open", "encoding"),
        ("import json\n\n\ndef f(x):\n    return json.dumps(x, indent=2)\n", "json.dumps", "indent"),
    ],
)
def test_an_argument_that_has_a_default_goes_without_a_doubt(text: str, callee: str, argument: str) -> None:
    plan, _ = _plan(text, "remove_argument", callee=callee, argument=argument)
    assert isinstance(plan, Plan)
    assert plan.unfollowed == ()


@pytest.mark.parametrize(
    ("text", "callee", "argument"),
    [
        ("def f(d):\n    return d.get('a', None)\n", "d.get", "None"),
        ("def f():\n    names = {}\n    return names.pop('a', None)\n", "names.pop", "None"),
        ("import json\n\n\ndef f(x, a):\n    return json.dumps(*a, x)\n", "json.dumps", "x"),
    ],
)
def test_of_others_it_is_doubtful(text: str, callee: str, argument: str) -> None:
    plan, _ = _plan(text, "remove_argument", callee=callee, argument=argument)
    assert isinstance(plan, Plan)
    assert "is not known here" in plan.unfollowed[0].reason


SLEEPS = "import time\n\n\nasync def f():\n    time.sleep(2)\n    return [time.time()]\n"


def test_what_blocks_gives_way_to_the_coroutine_of_asyncio() -> None:
    plan, repo = _plan(SLEEPS, "add_await", callee="time.sleep")
    assert isinstance(plan, Plan)
    after = plan.texts(repo)["a.py"]
    assert after == "import asyncio\n" + SLEEPS.replace("time.sleep(2)", "await asyncio.sleep(2)")


def test_what_gives_a_value_is_not_awaited() -> None:
    plan, _ = _plan(SLEEPS, "add_await", callee="time.time")
    assert isinstance(plan, Refused)
    assert plan.reason == "time.time gives nothing to wait for"


def test_asyncio_itself_may_give_a_task() -> None:
    text = "import asyncio\n\n\nasync def f(g):\n    asyncio.gather(g())\n"
    plan, repo = _plan(text, "add_await", callee="asyncio.gather")
    assert isinstance(plan, Plan)
    assert plan.texts(repo)["a.py"] == text.replace("    asyncio.g", "    await asyncio.g")


def test_a_function_that_gives_what_it_has_is_doubtful() -> None:
    text = "def g(x):\n    y = x + 1\n    return y\n\n\nasync def f():\n    g(1)\n"
    plan, _ = _plan(text, "add_await", callee="g")
    assert isinstance(plan, Plan)
    assert [one.reason for one in plan.unfollowed] == ["g is no async function"]
