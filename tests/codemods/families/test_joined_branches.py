"""Branches and handlers that become one, and blocks that move out: what is refused or marked."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal, texts_after

TRY = "try:\n    x()\n"


@pytest.mark.parametrize(
    ("call", "code", "reason"),
    [
        (
            "use_elif 'in m.py'",
            "if a:\n    x()\nelse:\n    if b:\n        y()\n    z()\n",
            "no if stands alone",
        ),
        (
            "use_elif 'in m.py'",
            "if a:\n    x()\nelse:  # pragma: no cover\n    if b:\n        y()\n",
            "on the line of the else",
        ),
        ("merge_branches 'in m.py'", "if a:\n    x()\nif b:\n    x()\n", "do the same"),
        ("merge_branches 'in m.py'", "if a:\n    x()\nelif b:\n    y()\nelif c:\n    x()\n", "do the same"),
        ("merge_branches 'in m.py'", "if a:\n    x()  # one\nelif b:\n    x()\n", "'# one' would be lost"),
        ("merge_branches 'in m.py'", "if a:  # noqa\n    x()\nelif b:\n    x()\n", "for that branch only"),
        (
            "merge_handlers 'in m.py'",
            f"{TRY}except A:\n    y()\nexcept B:\n    z()\nexcept C:\n    y()\n",
            "the handler of B is between them",
        ),
        (
            "merge_handlers 'in m.py'",
            f"{TRY}except A as e:\n    y()\nexcept B:\n    y()\n",
            "only one of them names the error",
        ),
        ("merge_handlers 'in m.py'", f"{TRY}except A:\n    y()\nexcept B:\n    z()\n", "do the same"),
        ("unwrap_if m.py:1", "if a:\n    x()\nelif b:\n    y()\n", "one of several branches"),
        ("unwrap_if m.py:3", "if a:\n    x()\nelif b:\n    y()\n", "one of several branches"),
        ("unwrap_if m.py:1", "if not PY3:\n    x()\n", "for an older Python"),
        ("unwrap_if 'in f'", "def f(a):\n    if (yield a):\n        x()\n", "a generator"),
        (
            "unwrap_if 'in f'",
            "def f(a):\n    if a:\n        x()\n    else:\n        global b\n    b = 1\n",
            "says whose name b is",
        ),
        ("unwrap_if m.py:1", "if (a := f()):\n    x(a)\n", "the condition sets a"),
        (
            "unwrap_if 'in f'",
            "def f(a):\n    if a:\n        x()\n    else:\n        yield 1\n",
            "a generator",
        ),
        (
            "unwrap_if 'in f'",
            "def f(a):\n    if a:\n        x()\n    else:\n        b = 1\n    return b\n",
            "b is a name of its function",
        ),
    ],
)
def test_what_would_lose_something_is_refused(call: str, code: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": code}))


@pytest.mark.parametrize(
    ("call", "code", "mark"),
    [
        ("merge_handlers 'in m.py'", f"{TRY}except A:\n    y()\nexcept ALL:\n    y()\n", "if ALL is several"),
        ("merge_handlers 'in m.py'", f"{TRY}except A:\n    y()\nexcept B + C:\n    y()\n", "if B + C is"),
        (
            "merge_handlers 'in f'",
            "def f(B):\n    try:\n        x()\n    except A:\n        y()\n    except B:\n        y()\n",
            "if B is several",
        ),
        (
            "merge_handlers 'in m.py'",
            "try:\n    import z\nexcept A:\n    y()\nexcept z.B:\n    y()\n",
            "z may not be set yet",
        ),
        ("merge_handlers 'in m.py'", f"z = None\n{TRY}except A:\n    y()\nexcept z.B:\n    y()\n", "be None"),
        (
            "merge_branches 'in m.py'",
            "if a:\n    x()  # one\nelif b:\n    x()\nif a:\n    y()\nelif b:\n    y()\n",
            "'# one' would be lost",
        ),
        ("unwrap_if m.py:1", "if a.pop():\n    x()\n", "a.pop is no longer called"),
        ("unwrap_if m.py:1", "if sys.version_info >= (3, 12):\n    x()\n", "not the same on all"),
        ("unwrap_if 'in f'", "async def f(a):\n    if await a:\n        x()\n", "no longer awaited"),
        ("unwrap_if m.py:1", "if a:\n    raise b\n", "it always raises now"),
        ("unwrap_if m.py:2", "for x in y:\n    if x:\n        break\n    z()\n", "never reached"),
        ("unwrap_if m.py:1", "if a is None:\n    a = 1\n", "a is set whatever it was before"),
        ("unwrap_if m.py:1", "if 'b' not in a:\n    a['b'] = []\n", "a['b'] is set whatever"),
        ("unwrap_if m.py:1", "if a.b is None:\n    a.b = 1\n", "a.b is set whatever"),
        ("unwrap_if m.py:1", 'if __name__ == "__main__":\n    x()\n', "is imported now"),
        (
            "remove_unreachable 'in f'",
            "def f(a):\n    if a:\n        return 1\n        OSError = 1\n    raise OSError\n",
            "OSError is no longer a name",
        ),
        ("unwrap_if m.py:1", "if TYPE_CHECKING:\n    import x\n", "without a type checker"),
    ],
)
def test_what_may_be_meant_otherwise_is_marked(call: str, code: str, mark: str) -> None:
    assert any(mark in one.reason for one in plan(call, {"m.py": code}).unfollowed)


@pytest.mark.parametrize(
    "test",
    [
        "sys.version_info[:2] < (3, 7)",
        "version_info.major == 2",
        "(3, 0) > sys.version_info",
        "os.name and sys.hexversion < 0x3000000",
        "not sys.version_info >= (3,)",
        "not PY37",
    ],
)
@pytest.mark.parametrize("body", [" ", "\n    "])
def test_of_a_check_for_an_older_python_the_else_stays(test: str, body: str) -> None:
    assert after("unwrap_if m.py:1", f"if {test}:{body}x()\nelse:{body}y()\nz()\n") == "y()\nz()\n"


@pytest.mark.parametrize("test", ["isinstance(a, int)", "os.path.exists(a)", "a.is_ready()", "a.get(1) > 2"])
def test_a_question_may_go_without_a_mark(test: str) -> None:
    assert not plan("unwrap_if m.py:1", {"m.py": f"if {test}:\n    x()\n"}).unfollowed


def test_an_import_that_only_the_check_needed_goes_with_it() -> None:
    code = "import sys\n\nif sys.version_info > (3, 4):\n    x()\n"
    assert after("unwrap_if m.py:3", code) == "x()\n"


def test_a_tuple_of_classes_is_spread_wherever_it_is_set() -> None:
    code = "from e import B\n\n\ndef f():\n    C = (D, E)\n    try:\n        x()\n"
    code += "".join(f"    except {name}:\n        y()\n" for name in "ABC")
    files = {"m.py": code, "e.py": "B = (KeyError, OSError)\n"}
    text = texts_after("merge_handlers 'in f'", files)["m.py"] or ""
    assert "    except (A, *B, *C):\n        y()\n" in text
