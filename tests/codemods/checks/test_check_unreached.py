"""What an edit cuts off: handlers, classes without an abstract method, values that a guard refuses."""

from __future__ import annotations

import pytest
from codemods.repositories import findings

READ = """def read(path):
    try:
        return load(path)
    except OSError:
        return 2
    except Mixed:
        return 3
"""


def reasons(kind: str, files: dict[str, str], changes: dict[str, str | None]) -> list[str]:
    return [one.reason for one in findings(kind, files, changes)]


@pytest.mark.parametrize(
    ("first", "second", "reached"),
    [
        ("Exception", "Mixed", False),
        ("OSError", "FileNotFoundError", False),
        ("(OSError, ValueError)", "UnicodeError", False),
        ("ValueError", "Mixed", True),
        ("FileNotFoundError", "OSError", True),
        ("OSError", "(FileNotFoundError, KeyError)", True),
    ],
)
def test_a_handler_behind_one_that_catches_more_is_found(first: str, second: str, reached: bool) -> None:
    text = READ.replace("OSError", first).replace("Mixed", second)
    assert (reasons("caught before", {"a.py": READ}, {"a.py": text}) == []) is reached
    assert reasons("caught before", {"a.py": text}, {"a.py": text + "\n"}) == []


BASE = """from abc import ABC, abstractmethod


class Vehicle(ABC):
    def check(self):
        pass


class Truck(Vehicle):
    pass
"""


@pytest.mark.parametrize(
    ("other", "lacks"),
    [
        ("class Car(Vehicle):\n    pass\n", ["Car"]),
        ("class Car(Vehicle):\n    def check(self):\n        return 1\n", []),
        ("class Van(Vehicle):\n    pass\n\n\nclass Car(Van):\n    def check(self):\n        pass\n", []),
        ("class Car(Truck):\n    pass\n", ["Car"]),
    ],
)
def test_a_class_that_lacks_what_became_abstract_is_found(other: str, lacks: list[str]) -> None:
    base = BASE.replace("class Truck(Vehicle):\n    pass\n", "class Truck(Vehicle):\n    check = print\n")
    base = BASE if "Truck" in other else base
    files = {"base.py": base, "kinds.py": f"from base import Truck, Vehicle\n\n\n{other}"}
    text = base.replace("    def check", "    @abstractmethod\n    def check")
    found = reasons("abstract methods", files, {"base.py": text})
    assert found == [f"{name} does not define check, which is abstract now" for name in lacks]
    plain = {path: code.replace("(ABC)", "") for path, code in files.items()}
    assert reasons("abstract methods", plain, {"base.py": text.replace("(ABC)", "")}) == []


@pytest.mark.parametrize(
    ("guard", "use", "said"),
    [
        ("not items", "total([])", "gives total [] as items, which it refuses now"),
        ("not items", "total([1])", ""),
        ("not items", "total(some)", ""),
        ("rate <= 0", "total(some, rate=0)", "gives total 0 as rate, which it refuses now"),
        ("rate <= 0", "total(some, 2)", ""),
        ("rate is None", "total(some, None)", "gives total None as rate, which it refuses now"),
        ("rate < 0", 'total(some, "a")', ""),
    ],
)
def test_a_plain_value_that_a_new_guard_refuses_is_found(guard: str, use: str, said: str) -> None:
    code = "def total(items, rate=1):\n    return sum(items) * rate\n"
    text = code.replace("    return", f"    if {guard}:\n        raise ValueError\n    return")
    files = {"shop.py": code, "use.py": f"from shop import total\n\nprint({use})\n"}
    assert reasons("refused values", files, {"shop.py": text}) == ([said] if said else [])
    expecting = f"from shop import total\n\nwith pytest.raises(ValueError):\n    {use}\n"
    assert reasons("refused values", {**files, "use.py": expecting}, {"shop.py": text}) == []
