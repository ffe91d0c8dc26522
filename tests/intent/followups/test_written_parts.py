"""Messages about a value that an edit wrote: a part of it, or a collection of another kind."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

CODE = """class Tea:
    def __init__(self, kind, grams):
        self.kind = kind
        self.grams = grams

    def rate(self):
        return self.grams


def best(teas):
    top = max(teas, key=lambda tea: tea.grams)
    print(top)


def row(rows, at):
    print(rows[at]["name"])


def kinds(teas):
    print(len(teas))
"""
TOP, ROW, KINDS = "    print(top)", '    print(rows[at]["name"])', "    print(len(teas))"


@pytest.mark.parametrize(("text", "value"), [("the rate", "the rate"), ("the colour", "the colour")])
def test_what_is_no_part_is_none(text: str, value: str) -> None:
    answer, _ = answer_behind(CODE, CODE.replace(TOP, "    return top"), text, "amend.value", value=value)
    assert answer.kind != "edit"


@pytest.mark.parametrize(
    ("new", "text", "kind", "says"),
    [
        ("[tea.kind for tea in teas]", "a set", "set", "return {tea.kind for tea in teas}"),
        ("[tea.kind for tea in teas]", "as a tuple", "tuple", "return tuple(tea.kind for tea in teas)"),
        ("{tea.kind for tea in teas}", "a list", "list", "return [tea.kind for tea in teas]"),
        ("[teas[0], teas[1]]", "a tuple", "tuple", "return (teas[0], teas[1])"),
        ("(teas[0],)", "a list", "list", "return [teas[0]]"),
        ("list(teas)", "a tuple", "tuple", "return tuple(teas)"),
    ],
)
def test_a_collection_of_another_kind(new: str, text: str, kind: str, says: str) -> None:
    now = CODE.replace(KINDS, f"    return {new}")
    _, made = answer_behind(CODE, now, text, "amend.type", type=kind)
    assert says in made


def test_what_a_function_always_returned_is_not_what_it_is_to_raise() -> None:
    now = CODE.replace("return self.grams", "return self.grams * 2")
    text = "raise a ValueError instead"
    answer, _ = answer_behind(CODE, now, text, "amend.raise_instead", exception="ValueError")
    assert answer.kind != "edit"
    was = CODE.replace("        return self.grams\n", "        self.kind\n")
    _, made = answer_behind(was, CODE, text, "amend.raise_instead", exception="ValueError")
    assert "def rate(self):\n        raise ValueError" in made
