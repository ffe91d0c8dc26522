"""Parameters that are renamed in a function, its overloads and its calls."""

from __future__ import annotations

from codemods.repositories import changed_lines, plan


def test_a_parameter_of_a_function_and_its_overloads_is_one() -> None:
    code = (
        "from typing import overload\nclass T:\n    @overload\n    def get(self, key: int) -> int: ...\n"
        "    @overload\n    def get(self, key: str) -> str: ...\n"
        "    def get(self, key):\n        return key\n"
    )
    use = "from m import T\nT().get(key=1)\n"
    found = changed_lines("rename T.get.key name", {"m.py": code, "n.py": use})
    assert len(found["m.py"]) == 4
    assert found["n.py"] == ["T().get(name=1)"]


def test_comments_that_mention_a_local_are_named_in_its_function_only() -> None:
    code = "# a rate\n\n\ndef f(rate):\n    # the rate\n    return rate\n\n\n"
    code += "def g(rate):\n    # no rate\n    return rate\n"
    for target, new in (("f.rate", "share"), ("g.rate", "share")):
        found = plan(f"rename {target} {new}", {"m.py": code}).unfollowed
        assert [one.line for one in found] == [5 if target == "f.rate" else 10]
    code = code.replace("def f(rate)", "rate = 1\n\n\ndef f(other)")
    assert len(plan("rename m.py::rate share", {"m.py": code}).unfollowed) == 3
