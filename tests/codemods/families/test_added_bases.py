"""Bases that are added: their order, and what they ask of an `__init__`."""

from __future__ import annotations

from codemods.repositories import after, plan


def test_a_base_takes_the_place_of_object_and_an_init_that_leaves_its_own_out_is_marked() -> None:
    text = "class C(object):\n    def __init__(self):\n        self.name = 1\n"
    assert "class C(ABC):" in after("add_base C ABC", text)
    assert not plan("add_base C ABC", {"m.py": text}).unfollowed
    (doubt,) = plan("add_base C Thread", {"m.py": text}).unfollowed
    assert "does not call that of Thread" in doubt.reason
    calling = text.replace("self.name = 1", "super().__init__()")
    assert not plan("add_base C Thread", {"m.py": calling}).unfollowed


def test_objects_of_a_class_that_becomes_abstract_are_told_of() -> None:
    text = (
        "class C(ABC):\n    def area(self): ...\n\n\nclass D(C):\n    pass\n\n\n"
        "class E(C):\n    def area(self):\n        return 1\n\n\nmade = C(), D(), E()\n"
    )
    reasons = [one.reason for one in plan("add_decorator C.area abstractmethod", {"m.py": text}).unfollowed]
    assert reasons == [f"{name} cannot be made while its area is abstract" for name in "CD"]
    plain = text.replace("(ABC)", "")  # nothing enforces it there
    assert not plan("add_decorator C.area abstractmethod", {"m.py": plain}).unfollowed
