"""Defaults that are called like a function of Python."""

from __future__ import annotations

from intent.asking import answer_to
from intent.support import PATH, result

CODE = """\
def render(text, style="plain"):
    return text.encode("ascii") if style == "ascii" else text


def paint(text, style=None, key=None):
    return key(text), style
"""


def _after(name: str, default: str) -> tuple[str, tuple[str, ...]]:
    said = f"{name} of paint should default to {default}"
    found = answer_to(CODE, said, "set_default", parameter=name, function="paint", default=default)
    return result(found, {PATH: CODE}), found.ways[0].marked


def test_a_word_that_the_file_has_as_a_text_is_one() -> None:
    new, marked = _after("style", "ascii")
    assert 'paint(text, style="ascii", key=None)' in new and not marked


def test_the_default_of_what_is_called_is_the_function() -> None:
    new, marked = _after("key", "ascii")
    assert "paint(text, style=None, key=ascii)" in new and not marked


def test_where_nothing_tells_the_function_is_marked() -> None:
    new, marked = _after("style", "hex")
    assert "style=hex" in new and marked
