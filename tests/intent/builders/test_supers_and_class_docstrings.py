"""`super()` in place of a base that is named, and docstrings of classes."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """class Base:
    def __init__(self, name):
        self.name = name

    def show(self):
        return self.name


class Child(Base):
    def __init__(self, name, size=1):
        Base.__init__(self, name)
        self.size = size

    def show(self):
        return Base.show(self)
"""


def test_super_takes_the_place_of_the_only_base() -> None:
    after = changed(CODE, "use super()", "pattern.plain_super")
    assert "        super().__init__(name)\n" in after
    assert "        return super().show()\n" in after


def test_a_base_beside_others_stays() -> None:
    mixed = CODE + "\n\nclass Both(Child, dict):\n    pass\n"
    assert not answer_to(mixed, "use super()", "pattern.plain_super").ways


def test_a_base_stays_where_super_finds_no_object() -> None:
    kinds = """class Base:
    def show(self):
        return self

    @staticmethod
    def half(x):
        return x / 2


class Child(Base):
    def __new__(cls):
        return Base.__new__(cls)

    @staticmethod
    def half(x):
        return Base.half(x)

    def show(self):
        return [Base.show(self) for _ in "ab"]
"""
    assert not answer_to(kinds, "use super()", "pattern.plain_super").ways
    slots = CODE.replace("class Child", "@dataclass(slots=True)\nclass Child")
    assert not answer_to(slots, "use super()", "pattern.plain_super").ways


def test_every_class_gets_a_docstring_and_no_method_does() -> None:
    after = changed(CODE, "add a docstring to every class", "write_docstring")
    assert after.count('"""') == 4
    assert 'class Base:\n    """Base."""\n' in after
    assert 'class Child(Base):\n    """Child."""\n' in after


def test_classes_and_something_else_are_not_only_classes() -> None:
    text = "add docstrings to all classes and whatever is in them"
    after = changed(CODE, text, "write_docstring")
    assert '        """Show."""' in after
