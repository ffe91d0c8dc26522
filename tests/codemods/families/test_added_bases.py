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
