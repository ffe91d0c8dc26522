"""Functions that become async, and what awaits them."""

from __future__ import annotations

from codemods.repositories import plan, refusal, repository, texts_after


def test_calls_in_async_functions_are_awaited_and_others_named() -> None:
    text = (
        "def f(u):\n    return u\n\n\nasync def g():\n    return f(1).x, [f(2)]\n\n\ndef h():\n"
        "    return f(3)\n"
    )
    found = plan("make_async f", {"m.py": text})
    wanted = text.replace("def f", "async def f").replace("f(1).x, [f(2)]", "(await f(1)).x, [await f(2)]")
    assert found.texts(repository({"m.py": text}))["m.py"] == wanted
    assert [unfollowed.line for unfollowed in found.unfollowed] == [10]


def test_what_a_function_runs_in_a_loop_of_its_own_is_awaited_when_it_is_async() -> None:
    text = (
        "import asyncio\n\n\ndef f(u):\n    return asyncio.run(g(u)).x\n\n\nasync def g(u):\n    return u\n"
    )
    wanted = text.replace("def f", "async def f").replace("asyncio.run(g(u))", "(await g(u))")
    assert texts_after("make_async f", {"m.py": text})["m.py"] == wanted


def test_a_decorator_of_an_async_function_is_not_awaited() -> None:
    files = {"m.py": "from x import w\n\n\ndef f(g):\n    @w(g)\n    async def h():\n        await g()\n"}
    assert "is not async" in str(refusal("add_await w m.py:5", files))
