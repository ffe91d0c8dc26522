"""A class that is nowhere and is to inherit from another one is no base of that."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = "class AppError(Exception):\n    pass\n\n\nclass Store:\n    pass\n"


@pytest.mark.parametrize(
    "text",
    [
        "Full should subclass AppError",
        "make Full a subclass of AppError",
        "Full soll von AppError erben",
        "let Full extend AppError",
    ],
)
def test_an_unknown_class_that_is_to_inherit_is_said_to_be_missing(text: str) -> None:
    answer = answer_to(CODE, text, "add_base", **{"class": "AppError", "base": "Full"})
    assert not answer.ways
    assert "there is no class Full" in answer.reason


@pytest.mark.parametrize(
    "text", ["add Mixin as a base of Store", "inherit from Mixin in Store", "Store should subclass Mixin"]
)
def test_an_unknown_base_is_added_as_before(text: str) -> None:
    assert "class Store(Mixin):" in changed(CODE, text, "add_base", **{"class": "Store", "base": "Mixin"})


@pytest.mark.parametrize(
    ("word", "line", "imported"),
    [
        ("an exception", "class Store(Exception):", ""),
        ("an enum", "class Store(Enum):", "from enum import Enum"),
        ("a thread", "class Store(Thread):", "from threading import Thread"),
        ("app error", "class Store(AppError):", ""),
    ],
)
def test_a_base_in_words_is_the_class_that_they_stand_for(word: str, line: str, imported: str) -> None:
    after = changed(CODE, f"make Store {word}", "add_base", **{"class": "Store", "base": word})
    assert line in after
    assert imported in after


def test_a_base_that_a_fragment_does_not_import_either_is_added() -> None:
    code = "class Store(Parent):\n    pass\n"
    after = changed(code, "derive Store from Mapper", "add_base", **{"class": "Store", "base": "Mapper"})
    assert "class Store(Parent, Mapper):" in after
