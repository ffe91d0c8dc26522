"""What docstrings show: defaults that come from the body, and stubs, each of which is said once."""

from __future__ import annotations

from codemods.repositories import repository

from spark_tui.codemods.checks.harm import check


def _found(files: dict[str, str], old: str, new: str) -> list[str]:
    before = repository(files)
    after = before.with_changes({"a.py": files["a.py"].replace(old, new)})
    return [one.reason for one in check(before, after, ["a.py"], ("shown examples", "stubs"))]


def test_a_default_that_the_body_gives_is_the_same() -> None:
    text = 'def f(x, y=[]):\n    """Do.\n\n    >>> f(4)\n    [4]\n    """\n'
    files = {"a.py": f"{text}    return [x, *y]\n"}
    assert _found(files, "y=[]", "y=None") == ["an example in its docstring calls f without y"]
    files = {"a.py": f"{text}    if y is None:\n        y = []\n    return [x, *y]\n"}
    assert _found(files, "y=[]", "y=None") == []


def test_a_stub_is_said_to_differ_once() -> None:
    code = "class A:\n    def go(self, n=2):\n        return n\n"
    files = {"a.py": code, "a.pyi": "class A:\n    def go(self, n: int = 2) -> int: ...\n"}
    assert _found(files, "class A", "class B") == ["A is another one here than in a.py"]
    assert _found(files, "n=2", "n=2, m=3") == ["A.go is another one here than in a.py"]
    assert _found(files, "n=2", "n=3") == ["a default of A.go is another one here than in a.py"]
