"""Texts that end with a slash, and parameters that are to be given by position only."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """def link(page):
    return f"https://tea.example/en/stable/{page}"


def brew(leaf, water=1):
    return leaf, water
"""


@pytest.mark.parametrize(
    "text", ["point to /latest/ not /stable/ in link", "in link replace /stable/ by /latest/"]
)
def test_the_slash_at_the_end_of_a_text_stays(text: str) -> None:
    code = changed(CODE, text, "replace_text", old="/stable/", new="/latest", function="link")
    assert code == CODE.replace("/stable/", "/latest/")


@pytest.mark.parametrize(("words", "made"), [("keyword only", True), ("positional only", False)])
def test_what_is_given_by_position_is_not_named(words: str, made: bool) -> None:
    text = f"make water in brew {words}"
    found = answer_to(CODE, text, "make_keyword_only", parameter="water", function="brew")
    assert bool(found.ways) is made


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("make water a positional parameter", False),
        ("water need not be keyword-only", False),
        ("nobody should be able to pass water by position", True),
    ],
)
def test_what_is_to_be_positional_is_not_said_to_be_done(text: str, done: bool) -> None:
    code = CODE.replace("leaf, water", "leaf, *, water", 1)
    found = answer_to(code, text, "make_keyword_only", parameter="water")
    assert (found.kind == "nothing") is done
