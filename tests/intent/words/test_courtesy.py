"""Words that ask or thank, around an instruction."""

from __future__ import annotations

import pytest

from spark_tui.intent.words.tokens import without_courtesy


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Can you rename x to y?", "rename x to y"),
        ("please, could you please add a docstring please", "add a docstring"),
        ("hey, can we make load async. Thanks!", "make load async"),
        ("secret from env pls", "secret from env"),
        ("I'd like you to inline total, thank you", "inline total"),
        ("Könntest du bitte den Namen ändern?", "den Namen ändern"),
        ("peux-tu renommer x en y stp", "renommer x en y"),
        ("¿Puedes quitar el print, por favor?", "quitar el print"),
        ("请把 x 改名为 y谢谢", "把 x 改名为 y"),
    ],
)
def test_what_asks_or_thanks_is_left_out(said: str, left: str) -> None:
    assert without_courtesy(said) == left


@pytest.mark.parametrize(
    "said",
    [
        "rename x to please",
        "hello → hi",
        "hint -> thanks",
        "add thanks to the footer",
        "drop the thanks",
        "print 'thanks'",
        "thx",
        "nice, thx",
        "Please",
        "hi there",
        "Canned answers: remove",
    ],
)
def test_what_is_meant_stays(said: str) -> None:
    assert without_courtesy(said) == said


@pytest.mark.parametrize("piece", [" . , ", "thanks, ", "please ", "\n", "? "])
def test_ten_thousand_characters_are_no_hurdle(piece: str) -> None:
    said = f"rename x to y{piece * (10_000 // len(piece))}"
    assert without_courtesy(said).startswith("rename x to y")
