"""Parameters that are renamed in a function, its overloads and its calls."""

from __future__ import annotations

from codemods.repositories import changed_lines


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
